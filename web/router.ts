import { createRouter } from '@tanstack/react-router'
import { monitorRoutes } from './monitors/routes.ts'
import { overviewRoutes } from './overview/routes.ts'
import { appRoute, rootRoute } from './shell/routes.ts'

const routes = rootRoute.addChildren([appRoute.addChildren([...overviewRoutes, ...monitorRoutes])])

export const router = createRouter({ routeTree: routes, defaultPreload: 'intent' })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
