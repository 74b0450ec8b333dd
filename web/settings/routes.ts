import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../shell/lazy-page.ts'
import { appRoute } from '../shell/routes.ts'
import { loadAreaWords } from '../words.ts'

const settings = createRoute({
  getParentRoute: () => appRoute,
  path: '/app/settings',
  loader: () => loadAreaWords('settings', 'access'),
  component: lazyPage(() => import('./settings.tsx'), 'Settings'),
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

const wordsOfMigrations = () => loadAreaWords('migrations')

export const settingsRoutes = [
  settings.addChildren([
    createRoute({
      getParentRoute: () => settings,
      path: '/',
      loader: () => loadAreaWords('alerts'),
      component: lazyPage(() => import('./profile.tsx'), 'ProfilePage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/security',
      component: lazyPage(() => import('./security/security.tsx'), 'Security'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/tokens',
      loader: () => loadAreaWords('tokens'),
      component: lazyPage(() => import('./tokens.tsx'), 'TokensOfTeam'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/branding',
      component: lazyPage(() => import('./branding.tsx'), 'BrandingPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/smtp',
      loader: () => loadAreaWords('smtp'),
      component: lazyPage(() => import('./smtp.tsx'), 'Smtp'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/plan',
      component: lazyPage(() => import('./plan.tsx'), 'PlanPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/billing',
      loader: () => loadAreaWords('billing'),
      component: lazyPage(() => import('./billing.tsx'), 'BillingPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/audit-log',
      validateSearch: auditFilters,
      component: lazyPage(() => import('./audit-log.tsx'), 'AuditLog'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/data',
      component: lazyPage(() => import('./data.tsx'), 'Data'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/import',
      loader: wordsOfMigrations,
      component: lazyPage(() => import('../migrations/list.tsx'), 'MigrationList'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/import/new',
      loader: wordsOfMigrations,
      component: lazyPage(() => import('../migrations/new.tsx'), 'NewMigration'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/import/$migration',
      loader: wordsOfMigrations,
      component: lazyPage(() => import('../migrations/migration.tsx'), 'MigrationPage'),
    }),
  ]),
] as const
