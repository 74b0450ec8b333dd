import { webFolder } from '#cli/local/web.ts'
import type { Pages } from '#control-plane/http/app.ts'
import type { Mounting } from '#control-plane/http/stages/exchange.ts'
import { loginLinkRoutes } from '#control-plane/identity/login-link/page-routes.ts'
import { accountRoutes } from '#control-plane/identity/pages/account/page-routes.ts'
import { loginRoutes } from '#control-plane/identity/pages/login/page-routes.ts'
import { pageRoutes } from '#control-plane/identity/pages/routes.ts'
import { refuseUnservedHosts } from '#control-plane/identity/pages/served-hosts.ts'
import { stepUpRoutes } from '#control-plane/identity/pages/step-up/page-routes.ts'
import { partnerSsoRoutes } from '#control-plane/identity/partner-sso/page-routes.ts'
import { passkeyRoutes } from '#control-plane/identity/passkeys/page-routes.ts'
import { ssoRoutes } from '#control-plane/identity/sso/page-routes.ts'
import { aliasRoutes } from '#control-plane/passive/heartbeats/aliases/routes.ts'
import { signUpPages } from '#control-plane/reselling/sign-up/page-routes.ts'
import { webRoutes } from './web-app.ts'

/** The routers of everything that is a page for people: each module has its own. */
export const pageRouters = (mounting: Mounting): Pages => {
  const { services } = mounting
  return [
    aliasRoutes(services),
    refuseUnservedHosts(services),
    pageRoutes(services),
    loginRoutes(mounting),
    loginLinkRoutes(services),
    accountRoutes(mounting),
    stepUpRoutes(mounting),
    passkeyRoutes(mounting),
    ssoRoutes(services),
    partnerSsoRoutes(services),
    signUpPages(services),
    webRoutes(services, services.config.webFolder ?? webFolder()),
  ]
}
