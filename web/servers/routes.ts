import { createRoute } from '@tanstack/react-router'
import { type Span, spans } from '../monitors/queries.ts'
import { lazyPage } from '../shell/lazy-page.ts'
import { appRoute } from '../shell/routes.ts'
import { loadAreaWords } from '../words.ts'

const loader = () => loadAreaWords('servers', 'access')
const isSpan = (value: unknown): value is Span => typeof value === 'string' && Object.hasOwn(spans, value)

export const serverRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/servers',
    loader,
    component: lazyPage(() => import('./list.tsx'), 'ServerList'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/servers/new',
    loader,
    component: lazyPage(() => import('./new.tsx'), 'NewServer'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/servers/$monitor',
    validateSearch: ({ span }: Record<string, unknown>): { span?: Span } => (isSpan(span) ? { span } : {}),
    loader,
    component: lazyPage(() => import('./server.tsx'), 'ServerPage'),
  }),
] as const
