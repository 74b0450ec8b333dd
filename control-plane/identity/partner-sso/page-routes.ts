import { readFileSync } from 'node:fs'
import Router from '@koa/router'
import type { Context, Next } from 'koa'
import type { Services } from '#control-plane/http/services.ts'
import { sessionCookie } from '#control-plane/http/session-cookie.ts'
import { RequestRate } from '#control-plane/http/stages/rate.ts'
import { brandOfTenant, type PageBrand } from '#control-plane/identity/pages/brand.ts'
import { checkForm, formToken } from '#control-plane/identity/pages/form.ts'
import { home } from '#control-plane/identity/pages/safe-redirect.ts'
import { type GoOn, type PageAnswer, servePage, type Visit } from '#control-plane/identity/pages/serve.ts'
import { portalHostsOf } from '#control-plane/tenancy/portal-hosts/hosts.ts'
import { fill, texts } from '#locales/texts.ts'
import { LinkRefused, type Reason } from './refused.ts'
import { signInByLink } from './sign-in.ts'
import { type GivenLink, readLink } from './team.ts'

const path = '/sso/partner'
const scriptPath = `${path}/send.js`
const sendJs = readFileSync(new URL('./send.js', import.meta.url))

type Answering = (visit: Visit) => Promise<PageAnswer | GoOn>

/**
 * The page that a sign-in link opens. To GET it uses nothing up, so that previews of links and scanners of mails do not
 * either: its form, which a script sends at once, opens the session.
 */
export function partnerSsoRoutes(services: Services): Router {
  const { config, platform } = services
  const router = new Router()
  const portalOf = ({ host }: Context) => portalHostsOf(services).find(host)?.tenantId

  const show: Answering = async visit => {
    const { token, tenant } = visit.context.query
    const given = { token: textOf(token), slug: textOf(tenant), portalId: portalOf(visit.context) }
    const { team } = await readLink(platform, config, given)
    return sendPage(visit, given, await brandOfTenant(services, team.id))
  }

  const sendPage = ({ context, language }: Visit, { token, slug }: GivenLink, brand: PageBrand): PageAnswer => {
    const words = texts('pages', language).partnerSso
    const values = { words, token, slug, form_token: formToken(context, config) }
    return { title: fill(words.title, { brand: brand.name }), template: 'partner-sso', values, brand }
  }

  const open: Answering = async ({ context, language }) => {
    await new RequestRate(context, services).countAddress('public')
    const form = await checkForm(context, config, { hasNoReferrer: true })
    const given = { token: form.get('token') ?? '', slug: form.get('tenant') ?? '', portalId: portalOf(context) }
    const { ip, requestId } = context.state
    const userAgent = context.req.headers['user-agent'] ?? ''
    const session = await signInByLink(services, given, { ip, userAgent, requestId, language })
    context.append('Set-Cookie', sessionCookie(config, session.token, session.expiresAt))
    return { to: session.redirectTo ?? home }
  }

  const serve = (answer: Answering) =>
    servePage(services, path, async visit => {
      try {
        return await answer(visit)
      } catch (error) {
        if (error instanceof LinkRefused) return refusedPage(services, visit, error)
        throw error
      }
    })

  router.get(path, withoutReferrer, serve(show))
  router.post(path, withoutReferrer, serve(open))
  router.get(scriptPath, context => {
    context.state.route = scriptPath
    context.set('Cache-Control', 'public, max-age=3600')
    context.type = 'text/javascript; charset=utf-8'
    context.body = sendJs
  })
  return router
}

/** The address of the page holds the token: no request that the page causes may name it. */
async function withoutReferrer(context: Context, next: Next): Promise<void> {
  await next()
  context.set('Referrer-Policy', 'no-referrer')
}

const textOf = (value: string | string[] | undefined): string => (typeof value === 'string' ? value : '')

/** After these, signing in by password is a way. */
const entersByPassword: ReadonlySet<Reason> = new Set(['disabled', 'account_not_linked'])

async function refusedPage(services: Services, visit: Visit, { reason, tenantId }: LinkRefused): Promise<PageAnswer> {
  const brand = tenantId === undefined ? visit.brand : await brandOfTenant(services, tenantId)
  const { refusals, signIn } = texts('pages', visit.language).partnerSso
  const { title, says } = refusals[reason]
  const values = { says: fill(says, { brand: brand.name }), signIn: entersByPassword.has(reason) && signIn }
  return { title, template: 'partner-sso-refused', values, status: 403, brand }
}
