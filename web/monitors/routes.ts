import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import i18next from 'i18next'
import { appRoute } from '../shell/routes.ts'

export interface MonitorFilters {
  search?: string
  status?: string
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

export const monitorRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/monitors',
    validateSearch: ({ search, status }): MonitorFilters => ({
      ...(text(search) !== undefined && { search: text(search) }),
      ...(text(status) !== undefined && { status: text(status) }),
    }),
    loader: () => i18next.loadNamespaces('monitors'),
    component: lazyRouteComponent(() => import('./list.tsx'), 'MonitorList'),
  }),
] as const
