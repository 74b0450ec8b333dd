import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import i18next from 'i18next'
import { rootRoute } from '../shell/routes.ts'

/** Without the shell: a screen on a wall has no session, and nothing to press. */
export const wallRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/app/wall',
    loader: () => i18next.loadNamespaces(['wall', 'overview']),
    component: lazyRouteComponent(() => import('./wall.tsx'), 'Wall'),
  }),
] as const
