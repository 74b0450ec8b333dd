import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../shell/lazy-page.ts'
import { appRoute } from '../shell/routes.ts'
import { loadAreaWords } from '../words.ts'

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app',
    loader: () => loadAreaWords('overview'),
    component: lazyPage(() => import('./overview.tsx'), 'Overview'),
  }),
] as const
