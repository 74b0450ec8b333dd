import type Router from '@koa/router'
import type { Services } from '#control-plane/http/services.ts'
import { pageRoutes } from '#control-plane/identity/pages/routes.ts'
import { ssoRoutes } from '#control-plane/identity/sso/page-routes.ts'

/** The routers of everything that is a page for people: each module has its own. */
export const pageRouters = (services: Services): Router[] => [pageRoutes(services.config), ssoRoutes(services)]
