import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import i18next from 'i18next'
import { appRoute } from '../shell/routes.ts'

const loader = () => i18next.loadNamespaces(['maintenance', 'access'])

export const maintenanceRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/maintenance',
    loader,
    component: lazyRouteComponent(() => import('./list.tsx'), 'MaintenanceList'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/maintenance/new',
    // a status page that announces it
    validateSearch: ({ page }: Record<string, unknown>): { page?: string } =>
      typeof page === 'string' ? { page } : {},
    loader,
    component: lazyRouteComponent(() => import('./new.tsx'), 'NewMaintenance'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/maintenance/$window',
    loader,
    component: lazyRouteComponent(() => import('./window.tsx'), 'MaintenancePage'),
  }),
] as const
