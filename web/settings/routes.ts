import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import i18next from 'i18next'
import { appRoute } from '../shell/routes.ts'

const settings = createRoute({
  getParentRoute: () => appRoute,
  path: '/app/settings',
  loader: () => i18next.loadNamespaces(['settings', 'access']),
  component: lazyRouteComponent(() => import('./settings.tsx'), 'Settings'),
})

export interface AuditFilters {
  action?: string
  entity_type?: string
  from?: string
  to?: string
  page?: number
}
const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** Empty values are left out of the address. */
function auditFilters(search: Record<string, unknown>): AuditFilters {
  const filters: AuditFilters = {}
  for (const name of ['action', 'entity_type', 'from', 'to'] as const) {
    const value = text(search[name])
    if (value !== undefined) filters[name] = value
  }
  const page = Number(search.page)
  return page > 1 ? { ...filters, page } : filters
}

const wordsOfMigrations = () => i18next.loadNamespaces('migrations')

export const settingsRoutes = [
  settings.addChildren([
    createRoute({
      getParentRoute: () => settings,
      path: '/',
      loader: () => i18next.loadNamespaces('alerts'),
      component: lazyRouteComponent(() => import('./profile.tsx'), 'ProfilePage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/security',
      component: lazyRouteComponent(() => import('./security/security.tsx'), 'Security'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/tokens',
      component: lazyRouteComponent(() => import('./tokens.tsx'), 'Tokens'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/branding',
      component: lazyRouteComponent(() => import('./branding.tsx'), 'BrandingPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/smtp',
      loader: () => i18next.loadNamespaces('smtp'),
      component: lazyRouteComponent(() => import('./smtp.tsx'), 'Smtp'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/plan',
      component: lazyRouteComponent(() => import('./plan.tsx'), 'PlanPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/billing',
      loader: () => i18next.loadNamespaces('billing'),
      component: lazyRouteComponent(() => import('./billing.tsx'), 'BillingPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/audit-log',
      validateSearch: auditFilters,
      component: lazyRouteComponent(() => import('./audit-log.tsx'), 'AuditLog'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/data',
      component: lazyRouteComponent(() => import('./data.tsx'), 'Data'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/import',
      loader: wordsOfMigrations,
      component: lazyRouteComponent(() => import('../migrations/list.tsx'), 'MigrationList'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/import/new',
      loader: wordsOfMigrations,
      component: lazyRouteComponent(() => import('../migrations/new.tsx'), 'NewMigration'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/import/$migration',
      loader: wordsOfMigrations,
      component: lazyRouteComponent(() => import('../migrations/migration.tsx'), 'MigrationPage'),
    }),
  ]),
] as const
