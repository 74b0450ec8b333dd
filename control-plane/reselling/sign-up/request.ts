import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { mintLink } from '#control-plane/base/mail-link.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { countRows, queries, rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { rateLimits, tooMany } from '#control-plane/http/rate.ts'
import { ok } from '#control-plane/http/reply.ts'
import type { Services } from '#control-plane/http/services.ts'
import { verifiedAccountOf } from '#control-plane/identity/address-proof/lock.ts'
import { Proof, useProof } from '#control-plane/identity/captcha/proof.ts'
import { networkOf } from '#control-plane/identity/sessions/guesses.ts'
import { personName } from '#control-plane/identity/users/input.ts'
import { addMail } from '#control-plane/outbox/mail.ts'
import { isOfDomain } from '#control-plane/publishing/status-pages/email-domains.ts'
import { fields } from '#control-plane/reselling/managed-teams/input.ts'
import { originOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { languages } from '#locales/languages.ts'
import { PortalSlug, signUpPurpose } from './challenge.ts'
import { type OpenPortal, portalOfRequest } from './find.ts'

/** Every answer takes this long, so that its delay does not reveal whether the account exists. */
const answerMs = 250
/** Limits the mails that a stranger can cause. */
export const mostAnHour = 3
const lifeHours = 24

const body = z.object({
  email: z.email().max(255),
  name: personName,
  team_name: fields.name,
  language: z.enum(languages).default('en'),
  altcha: Proof,
  portal: PortalSlug,
})
type Wanted = z.output<typeof body>

export const requestSignUp = endpoint({
  method: 'POST',
  path: '/auth/sign-up',
  operation: 'auth.signUp',
  summary: 'Sign up for a team of a reseller',
  description:
    'Mails a link that proves the address; the team is created when it is used. The answer is the same whether or ' +
    'not ' +
    `the address has an account: then the mail says so. The link works once, for ${lifeHours} hours; at most ` +
    `${mostAnHour} are sent an hour. Where people may not sign up the answer is 422, \`sign_up_closed\`.`,
  tag: 'sign-up',
  access: 'public',
  rate: 'auth',
  detached: true,
  body,
  returns: ok({ message: z.string() }),

  async handle({ body, services, host, ip, now }) {
    const portal = await portalOfRequest(services, host, body.portal)
    for (const key of [`sign-up:network:${networkOf(ip)}`, `sign-up:address:${body.email.toLowerCase()}`]) {
      const counted = await services.rate.count(key, rateLimits.auth, services.clock.nowMs())
      if (counted.isRefused) throw tooMany(counted)
    }
    if (portal.domains.length > 0 && !isOfDomain(body.email, portal.domains))
      throw invalid({ email: ['Addresses of this domain may not sign up here.'] }, 'domain_not_allowed')
    await useProof(services, signUpPurpose, body.altcha)
    await Promise.all([store(services, portal, body, now), sleep(answerMs)])
    return { message: 'A mail with a link is on its way to this address.' }
  },
})

/** Known and unknown addresses take the same statements; that of a known one is a sign-up whose token no one has. */
const store = ({ platform, config }: Services, portal: OpenPortal, wanted: Wanted, now: Date): Promise<void> =>
  inTransaction(platform, async client => {
    const { email, name, team_name, language } = wanted
    // concurrent requests for one address are counted one after the other
    await rows(client)`select pg_advisory_xact_lock(hashtextextended('sign_up:' || lower(${email}), 0))`
    const requested = await countRows(client)`
      from sign_ups where lower(email) = lower(${email}) and created_at > clock_timestamp() - interval '1 hour'`
    if (requested >= mostAnHour) return
    const origin = await originOf(client, config, portal.reseller.id)
    const isKnown = (await verifiedAccountOf(client, email)) !== null
    const { hash, url } = mintLink(`${origin}/sign-up/complete`)
    const expiresAt = new Date(now.getTime() + lifeHours * 3_600_000)
    await queries(client)
      .insertInto('sign_ups')
      .values({
        id: randomUUID(),
        tenant_id: portal.reseller.id,
        email,
        name,
        team_name,
        language,
        token_hash: hash,
        created_at: now.toISOString(),
        expires_at: expiresAt.toISOString(),
      })
      .execute()
    // no text of the request is in the mail: strangers could send theirs to any address
    const to = { tenantId: portal.reseller.id, recipient: { userId: null, email, name: null, language } }
    await (isKnown
      ? addMail(client, config, {
          ...to,
          type: 'sign_up_known',
          data: { sign_in_url: `${origin}/login`, reset_url: `${origin}/forgot` },
        })
      : addMail(client, config, {
          ...to,
          type: 'sign_up_confirm',
          data: { confirm_url: url, expires_at: stamp(expiresAt) },
        }))
  })
