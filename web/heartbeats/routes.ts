import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import i18next from 'i18next'
import { appRoute } from '../shell/routes.ts'

const loader = () => i18next.loadNamespaces('heartbeats')

export const heartbeatRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/heartbeats',
    loader,
    component: lazyRouteComponent(() => import('./list.tsx'), 'HeartbeatList'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/heartbeats/new',
    loader,
    component: lazyRouteComponent(() => import('./new.tsx'), 'NewHeartbeat'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/heartbeats/$monitor',
    loader,
    component: lazyRouteComponent(() => import('./heartbeat.tsx'), 'HeartbeatPage'),
  }),
] as const
