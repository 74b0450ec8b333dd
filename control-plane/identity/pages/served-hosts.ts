import type { Context, Middleware, Next } from 'koa'
import { isForPerson, isOfPrograms } from '#control-plane/http/for-person.ts'
import type { Services } from '#control-plane/http/services.ts'
import { bareHost } from '#control-plane/tenancy/portal-hosts/bare-host.ts'
import { portalHostsOf } from '#control-plane/tenancy/portal-hosts/hosts.ts'
import { isInstallationHost } from '#control-plane/tenancy/portal-hosts/installation-host.ts'
import { texts } from '#locales/texts.ts'
import { render } from './html.ts'
import { languageOf } from './serve.ts'

/**
 * Answers 421 (RFC 9110, 15.5.20) where pages are asked for by a host that is neither `BASE_URL`, an address,
 * localhost nor a portal: a domain that was given up shows its visitors no sign-in of others. In no brand.
 */
export function refuseUnservedHosts(services: Services): Middleware {
  const base = bareHost(new URL(services.config.baseUrl).host)
  const isServed = (header: string): boolean => {
    const host = bareHost(header)
    return host === '' || isInstallationHost(host, base) || portalHostsOf(services).find(header) !== undefined
  }
  return (context: Context, next: Next) => {
    if (isOfPrograms(context.path) || isServed(context.host)) return next()
    const language = languageOf(context)
    const { unserved } = texts('pages', language).refusals
    context.state.route = 'unserved'
    context.status = 421
    context.set('Cache-Control', 'no-store')
    context.vary('Accept')
    if (!isForPerson(context.req.headers.accept)) context.body = { message: unserved }
    else {
      context.set('Content-Security-Policy', "default-src 'none'")
      context.type = 'text/html; charset=utf-8'
      context.body = `${render('unserved', { language, says: unserved })}\n`
    }
    return
  }
}
