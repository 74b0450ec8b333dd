import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../shell/lazy-page.ts'
import { appRoute } from '../shell/routes.ts'
import { loadAreaWords } from '../words.ts'

const loader = () => loadAreaWords('maintenance', 'access')

export const maintenanceRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/maintenance',
    loader,
    component: lazyPage(() => import('./list.tsx'), 'MaintenanceList'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/maintenance/new',
    // a status page that announces it
    validateSearch: ({ page }: Record<string, unknown>): { page?: string } =>
      typeof page === 'string' ? { page } : {},
    loader,
    component: lazyPage(() => import('./new.tsx'), 'NewMaintenance'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/maintenance/$window',
    loader,
    component: lazyPage(() => import('./window.tsx'), 'MaintenancePage'),
  }),
] as const
