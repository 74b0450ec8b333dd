import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import i18next from 'i18next'
import { type Span, spans } from '../monitors/queries.ts'
import { appRoute } from '../shell/routes.ts'

const loader = () => i18next.loadNamespaces('servers')
const isSpan = (value: unknown): value is Span => typeof value === 'string' && Object.hasOwn(spans, value)

export const serverRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/servers',
    loader,
    component: lazyRouteComponent(() => import('./list.tsx'), 'ServerList'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/servers/new',
    loader,
    component: lazyRouteComponent(() => import('./new.tsx'), 'NewServer'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/servers/$monitor',
    validateSearch: ({ span }: Record<string, unknown>): { span?: Span } => (isSpan(span) ? { span } : {}),
    loader,
    component: lazyRouteComponent(() => import('./server.tsx'), 'ServerPage'),
  }),
] as const
