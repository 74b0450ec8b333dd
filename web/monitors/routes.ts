import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import i18next from 'i18next'
import { forAMoment, queries } from '../queries.ts'
import { appRoute } from '../shell/routes.ts'
import { listQuery, type Span, spans } from './queries.ts'
import { filtersOf } from './search-filters.ts'

const words = () => i18next.loadNamespaces('monitors')
const isSpan = (value: unknown): value is Span => typeof value === 'string' && Object.hasOwn(spans, value)

const listRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/app/monitors',
  validateSearch: filtersOf,
  // the rows are read beside the code of the page, which is shown with them
  loader: ({ location }) =>
    Promise.all([
      i18next.loadNamespaces('monitors'),
      forAMoment(queries.prefetchQuery(listQuery(filtersOf(location.search)))),
    ]),
  component: lazyRouteComponent(() => import('./list.tsx'), 'MonitorList'),
})

const newRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/app/monitors/new',
  loader: words,
  component: lazyRouteComponent(() => import('./new.tsx'), 'NewMonitor'),
})

const detailRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/app/monitors/$monitor',
  loader: words,
  component: lazyRouteComponent(() => import('./monitor.tsx'), 'MonitorPage'),
})

const tabRoutes = [
  createRoute({
    getParentRoute: () => detailRoute,
    path: '/',
    validateSearch: ({ span }: Record<string, unknown>): { span?: Span } => (isSpan(span) ? { span } : {}),
    component: lazyRouteComponent(() => import('./overview.tsx'), 'MonitorOverview'),
  }),
  createRoute({
    getParentRoute: () => detailRoute,
    path: 'regions',
    component: lazyRouteComponent(() => import('./regions.tsx'), 'MonitorRegions'),
  }),
  createRoute({
    getParentRoute: () => detailRoute,
    path: 'checks',
    component: lazyRouteComponent(() => import('./checks.tsx'), 'MonitorChecks'),
  }),
  createRoute({
    getParentRoute: () => detailRoute,
    path: 'checks/$check',
    loader: () => i18next.loadNamespaces('check-views'),
    component: lazyRouteComponent(() => import('./check.tsx'), 'CheckPage'),
  }),
  createRoute({
    getParentRoute: () => detailRoute,
    path: 'what-if',
    component: lazyRouteComponent(() => import('./what-if.tsx'), 'WhatIf'),
  }),
  createRoute({
    getParentRoute: () => detailRoute,
    path: 'settings',
    component: lazyRouteComponent(() => import('./settings.tsx'), 'MonitorSettings'),
  }),
  createRoute({
    getParentRoute: () => detailRoute,
    path: 'history',
    component: lazyRouteComponent(() => import('./history.tsx'), 'MonitorHistory'),
  }),
] as const

export const monitorRoutes = [listRoute, newRoute, detailRoute.addChildren([...tabRoutes])] as const
