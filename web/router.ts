import { createRouter } from '@tanstack/react-router'
import { alertRoutes } from './alerts/routes.ts'
import { consoleRoutes } from './console/routes.ts'
import { incidentRoutes } from './incidents/routes.ts'
import { monitorRoutes } from './monitors/routes.ts'
import { opsRoutes } from './ops/routes.ts'
import { overviewRoutes } from './overview/routes.ts'
import { RouteError } from './parts/error-boundary.tsx'
import { settingsRoutes } from './settings/routes.ts'
import { appRoute, rootRoute } from './shell/routes.ts'
import { teamRoutes } from './team/routes.ts'
import { welcomeRoutes } from './welcome/routes.ts'

const areas = [
  // one line an area
  ...overviewRoutes,
  ...welcomeRoutes,
  ...monitorRoutes,
  ...alertRoutes,
  ...incidentRoutes,
  ...teamRoutes,
  ...settingsRoutes,
  ...consoleRoutes,
  ...opsRoutes,
] as const
const routes = rootRoute.addChildren([appRoute.addChildren(areas)])

export const router = createRouter({ routeTree: routes, defaultPreload: 'intent', defaultErrorComponent: RouteError })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
