import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../shell/lazy-page.ts'
import { appRoute } from '../shell/routes.ts'
import { loadAreaWords } from '../words.ts'

const month = /^20\d\d-(0[1-9]|1[0-2])$/

export const reportRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/reports',
    validateSearch: (search: Record<string, unknown>): { month?: string } =>
      typeof search.month === 'string' && month.test(search.month) ? { month: search.month } : {},
    loader: () => loadAreaWords('reports', 'access'),
    component: lazyPage(() => import('./reports.tsx'), 'Reports'),
  }),
] as const
