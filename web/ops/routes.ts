import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import i18next from 'i18next'
import { appRoute } from '../shell/routes.ts'

const area = createRoute({
  getParentRoute: () => appRoute,
  path: '/ops',
  loader: () => i18next.loadNamespaces(['ops', 'access']),
  component: lazyRouteComponent(() => import('./ops.tsx'), 'Ops'),
})

export const opsRoutes = [
  area.addChildren([
    createRoute({
      getParentRoute: () => area,
      path: '/',
      component: lazyRouteComponent(() => import('./health.tsx'), 'Health'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/agents',
      component: lazyRouteComponent(() => import('./agents.tsx'), 'Agents'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/tenants',
      component: lazyRouteComponent(() => import('./tenants.tsx'), 'Tenants'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/mails',
      component: lazyRouteComponent(() => import('./mails.tsx'), 'Mails'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/mails/$mail',
      component: lazyRouteComponent(() => import('./mail.tsx'), 'Mail'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/jobs',
      component: lazyRouteComponent(() => import('./jobs.tsx'), 'Jobs'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/info',
      component: lazyRouteComponent(() => import('./info.tsx'), 'Info'),
    }),
  ]),
] as const
