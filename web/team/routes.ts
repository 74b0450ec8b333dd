import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import i18next from 'i18next'
import { appRoute } from '../shell/routes.ts'

export const teamRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/team',
    loader: () => i18next.loadNamespaces(['team', 'access']),
    component: lazyRouteComponent(() => import('./team.tsx'), 'Team'),
  }),
] as const
