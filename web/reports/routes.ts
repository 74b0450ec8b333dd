import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import i18next from 'i18next'
import { appRoute } from '../shell/routes.ts'

const month = /^20\d\d-(0[1-9]|1[0-2])$/

export const reportRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/reports',
    validateSearch: (search: Record<string, unknown>): { month?: string } =>
      typeof search.month === 'string' && month.test(search.month) ? { month: search.month } : {},
    loader: () => i18next.loadNamespaces(['reports', 'access']),
    component: lazyRouteComponent(() => import('./reports.tsx'), 'Reports'),
  }),
] as const
