import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import i18next from 'i18next'
import { appRoute } from '../shell/routes.ts'

export const onCallRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/on-call',
    loader: () => i18next.loadNamespaces(['on-call', 'access']),
    component: lazyRouteComponent(() => import('./list.tsx'), 'ScheduleList'),
  }),
] as const
