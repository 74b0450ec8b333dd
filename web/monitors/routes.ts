import { createRoute } from '@tanstack/react-router'
import { forAMoment, queries } from '../queries.ts'
import { lazyPage } from '../shell/lazy-page.ts'
import { appRoute } from '../shell/routes.ts'
import { loadAreaWords } from '../words.ts'
import { listQuery, type Span, spans } from './queries.ts'
import { filtersOf } from './search-filters.ts'

const words = () => loadAreaWords('monitors')
const isSpan = (value: unknown): value is Span => typeof value === 'string' && Object.hasOwn(spans, value)

const listRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/app/monitors',
  validateSearch: filtersOf,
  // the rows are read beside the code of the page, which is shown with them
  loader: ({ location }) =>
    Promise.all([loadAreaWords('monitors'), forAMoment(queries.prefetchQuery(listQuery(filtersOf(location.search))))]),
  component: lazyPage(() => import('./list.tsx'), 'MonitorList'),
})

const newRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/app/monitors/new',
  loader: words,
  component: lazyPage(() => import('./new.tsx'), 'NewMonitor'),
})

const detailRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/app/monitors/$monitor',
  loader: words,
  component: lazyPage(() => import('./monitor.tsx'), 'MonitorPage'),
})

const tabRoutes = [
  createRoute({
    getParentRoute: () => detailRoute,
    path: '/',
    validateSearch: ({ span }: Record<string, unknown>): { span?: Span } => (isSpan(span) ? { span } : {}),
    component: lazyPage(() => import('./overview.tsx'), 'MonitorOverview'),
  }),
  createRoute({
    getParentRoute: () => detailRoute,
    path: 'regions',
    component: lazyPage(() => import('./regions.tsx'), 'MonitorRegions'),
  }),
  createRoute({
    getParentRoute: () => detailRoute,
    path: 'checks',
    component: lazyPage(() => import('./checks.tsx'), 'MonitorChecks'),
  }),
  createRoute({
    getParentRoute: () => detailRoute,
    path: 'checks/$check',
    loader: () => loadAreaWords('check-views'),
    component: lazyPage(() => import('./check.tsx'), 'CheckPage'),
  }),
  createRoute({
    getParentRoute: () => detailRoute,
    path: 'what-if',
    component: lazyPage(() => import('./what-if.tsx'), 'WhatIf'),
  }),
  createRoute({
    getParentRoute: () => detailRoute,
    path: 'settings',
    component: lazyPage(() => import('./settings.tsx'), 'MonitorSettings'),
  }),
  createRoute({
    getParentRoute: () => detailRoute,
    path: 'history',
    component: lazyPage(() => import('./history.tsx'), 'MonitorHistory'),
  }),
] as const

export const monitorRoutes = [listRoute, newRoute, detailRoute.addChildren([...tabRoutes])] as const
