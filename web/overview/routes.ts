import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import i18next from 'i18next'
import { appRoute } from '../shell/routes.ts'

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app',
    loader: () => i18next.loadNamespaces('overview'),
    component: lazyRouteComponent(() => import('./overview.tsx'), 'Overview'),
  }),
] as const
