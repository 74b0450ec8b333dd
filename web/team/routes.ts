import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../shell/lazy-page.ts'
import { appRoute } from '../shell/routes.ts'
import { loadAreaWords } from '../words.ts'

export const teamRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/team',
    loader: () => loadAreaWords('team', 'access'),
    component: lazyPage(() => import('./team.tsx'), 'Team'),
  }),
] as const
