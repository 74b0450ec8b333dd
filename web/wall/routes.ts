import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../shell/lazy-page.ts'
import { rootRoute } from '../shell/routes.ts'
import { loadAreaWords } from '../words.ts'

/** Without the shell: a screen on a wall has no session, and nothing to press. */
export const wallRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/app/wall',
    loader: () => loadAreaWords('wall', 'overview'),
    component: lazyPage(() => import('./wall.tsx'), 'Wall'),
  }),
] as const
