import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../shell/lazy-page.ts'
import { appRoute } from '../shell/routes.ts'
import { loadAreaWords } from '../words.ts'

const area = createRoute({
  getParentRoute: () => appRoute,
  path: '/app/status-pages',
  loader: () => loadAreaWords('status-pages', 'access'),
})
const page = createRoute({
  getParentRoute: () => area,
  path: '/$page',
  component: lazyPage(() => import('./page.tsx'), 'StatusPageFrame'),
})

export const statusPageRoutes = [
  area.addChildren([
    createRoute({
      getParentRoute: () => area,
      path: '/',
      component: lazyPage(() => import('./list.tsx'), 'StatusPageList'),
    }),
    page.addChildren([
      createRoute({
        getParentRoute: () => page,
        path: '/',
        component: lazyPage(() => import('./design.tsx'), 'Design'),
      }),
      createRoute({
        getParentRoute: () => page,
        path: '/components',
        component: lazyPage(() => import('./components.tsx'), 'Components'),
      }),
      createRoute({
        getParentRoute: () => page,
        path: '/posts',
        component: lazyPage(() => import('./posts.tsx'), 'Posts'),
      }),
      createRoute({
        getParentRoute: () => page,
        path: '/posts/$post',
        component: lazyPage(() => import('./post.tsx'), 'Post'),
      }),
      createRoute({
        getParentRoute: () => page,
        path: '/access',
        component: lazyPage(() => import('./access.tsx'), 'Access'),
      }),
      createRoute({
        getParentRoute: () => page,
        path: '/domain',
        component: lazyPage(() => import('./domain.tsx'), 'Domain'),
      }),
      createRoute({
        getParentRoute: () => page,
        path: '/subscribers',
        component: lazyPage(() => import('./subscribers.tsx'), 'Subscribers'),
      }),
    ]),
  ]),
] as const
