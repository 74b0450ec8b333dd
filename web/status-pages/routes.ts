import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import i18next from 'i18next'
import { appRoute } from '../shell/routes.ts'

const area = createRoute({
  getParentRoute: () => appRoute,
  path: '/app/status-pages',
  loader: () => i18next.loadNamespaces(['status-pages', 'access']),
})
const page = createRoute({
  getParentRoute: () => area,
  path: '/$page',
  component: lazyRouteComponent(() => import('./page.tsx'), 'StatusPageFrame'),
})

export const statusPageRoutes = [
  area.addChildren([
    createRoute({
      getParentRoute: () => area,
      path: '/',
      component: lazyRouteComponent(() => import('./list.tsx'), 'StatusPageList'),
    }),
    page.addChildren([
      createRoute({
        getParentRoute: () => page,
        path: '/',
        component: lazyRouteComponent(() => import('./design.tsx'), 'Design'),
      }),
      createRoute({
        getParentRoute: () => page,
        path: '/components',
        component: lazyRouteComponent(() => import('./components.tsx'), 'Components'),
      }),
      createRoute({
        getParentRoute: () => page,
        path: '/posts',
        component: lazyRouteComponent(() => import('./posts.tsx'), 'Posts'),
      }),
      createRoute({
        getParentRoute: () => page,
        path: '/posts/$post',
        component: lazyRouteComponent(() => import('./post.tsx'), 'Post'),
      }),
      createRoute({
        getParentRoute: () => page,
        path: '/access',
        component: lazyRouteComponent(() => import('./access.tsx'), 'Access'),
      }),
      createRoute({
        getParentRoute: () => page,
        path: '/domain',
        component: lazyRouteComponent(() => import('./domain.tsx'), 'Domain'),
      }),
      createRoute({
        getParentRoute: () => page,
        path: '/subscribers',
        component: lazyRouteComponent(() => import('./subscribers.tsx'), 'Subscribers'),
      }),
    ]),
  ]),
] as const
