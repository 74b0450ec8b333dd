import { createRouter } from '@tanstack/react-router'
import { alertRoutes } from './alerts/routes.ts'
import { consoleRoutes } from './console/routes.ts'
import { heartbeatRoutes } from './heartbeats/routes.ts'
import { incidentRoutes } from './incidents/routes.ts'
import { maintenanceRoutes } from './maintenance/routes.ts'
import { monitorRoutes } from './monitors/routes.ts'
import { onCallRoutes } from './on-call/routes.ts'
import { opsRoutes } from './ops/routes.ts'
import { overviewRoutes } from './overview/routes.ts'
import { RouteError } from './parts/error-boundary.tsx'
import { reportRoutes } from './reports/routes.ts'
import { serverRoutes } from './servers/routes.ts'
import { settingsRoutes } from './settings/routes.ts'
import { appRoute, rootRoute } from './shell/routes.ts'
import { statusPageRoutes } from './status-pages/routes.ts'
import { teamRoutes } from './team/routes.ts'
import { wallRoutes } from './wall/routes.ts'
import { welcomeRoutes } from './welcome/routes.ts'

const areas = [
  // one line an area
  ...overviewRoutes,
  ...welcomeRoutes,
  ...monitorRoutes,
  ...alertRoutes,
  ...maintenanceRoutes,
  ...onCallRoutes,
  ...incidentRoutes,
  ...heartbeatRoutes,
  ...serverRoutes,
  ...statusPageRoutes,
  ...reportRoutes,
  ...teamRoutes,
  ...settingsRoutes,
  ...consoleRoutes,
  ...opsRoutes,
] as const
const routes = rootRoute.addChildren([appRoute.addChildren(areas), ...wallRoutes])

export const router = createRouter({ routeTree: routes, defaultPreload: 'intent', defaultErrorComponent: RouteError })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
