import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../shell/lazy-page.ts'
import { appRoute } from '../shell/routes.ts'
import { loadAreaWords } from '../words.ts'

const loader = () => loadAreaWords('heartbeats')

export const heartbeatRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/heartbeats',
    loader,
    component: lazyPage(() => import('./list.tsx'), 'HeartbeatList'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/heartbeats/new',
    loader,
    component: lazyPage(() => import('./new.tsx'), 'NewHeartbeat'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/heartbeats/$monitor',
    loader,
    component: lazyPage(() => import('./heartbeat.tsx'), 'HeartbeatPage'),
  }),
] as const
