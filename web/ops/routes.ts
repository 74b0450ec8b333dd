import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../shell/lazy-page.ts'
import { appRoute } from '../shell/routes.ts'
import { loadAreaWords } from '../words.ts'

const area = createRoute({
  getParentRoute: () => appRoute,
  path: '/ops',
  loader: () => loadAreaWords('ops', 'access'),
  component: lazyPage(() => import('./ops.tsx'), 'Ops'),
})

export const opsRoutes = [
  area.addChildren([
    createRoute({
      getParentRoute: () => area,
      path: '/',
      component: lazyPage(() => import('./health.tsx'), 'Health'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/agents',
      component: lazyPage(() => import('./agents.tsx'), 'Agents'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/tenants',
      component: lazyPage(() => import('./tenants.tsx'), 'Tenants'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/mails',
      component: lazyPage(() => import('./mails.tsx'), 'Mails'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/mails/$mail',
      component: lazyPage(() => import('./mail.tsx'), 'Mail'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/jobs',
      component: lazyPage(() => import('./jobs.tsx'), 'Jobs'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/info',
      component: lazyPage(() => import('./info.tsx'), 'Info'),
    }),
  ]),
] as const
