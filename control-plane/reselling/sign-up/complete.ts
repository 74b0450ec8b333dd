import type { PoolClient } from 'pg'
import { z } from 'zod'
import { uniqueSlugOf } from '#contract/slug.ts'
import { anonymous } from '#control-plane/base/caller.ts'
import { LinkToken } from '#control-plane/base/mail-link.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { hashSecret } from '#control-plane/base/token-secret.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { affected, type Row, rows } from '#control-plane/db/queries.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { sessionCookie } from '#control-plane/http/session-cookie.ts'
import { writersOf } from '#control-plane/http/stages/handle.ts'
import { lockAddress, verifiedAccountOf } from '#control-plane/identity/address-proof/lock.ts'
import { openSession } from '#control-plane/identity/sessions/open.ts'
import { LoginUser } from '#control-plane/identity/sessions/view.ts'
import { password } from '#control-plane/identity/users/input.ts'
import { hashPassword } from '#control-plane/identity/users/password.ts'
import { refuseWeakPassword } from '#control-plane/identity/users/password-policy.ts'
import { unitOfWork } from '#control-plane/outbox/unit-of-work.ts'
import { provisionTeam } from '#control-plane/reselling/managed-teams/provision.ts'
import { findOpenPortal, type OpenPortal } from './find.ts'

const notOpen = () => invalid({ token: ['This link is not valid, or not any more.'] }, 'link_not_open')

type SignUpRow = Row<'sign_ups', 'id' | 'tenant_id' | 'email' | 'name' | 'team_name' | 'language'>

export const completeSignUp = endpoint({
  method: 'POST',
  path: '/auth/sign-up/complete',
  operation: 'auth.completeSignUp',
  summary: 'Create the team of a sign-up with the token of its link',
  description:
    'Creates a managed team of the portal’s reseller, with its plan and profile, and its owner, whose address the ' +
    'link proves. Opens a session of the browser.',
  tag: 'sign-up',
  access: 'public',
  rate: 'auth',
  detached: true,
  setsCookies: true,
  body: z.object({ token: LinkToken, password }),
  returns: created({ user: LoginUser }),

  async handle(context) {
    const { body, services, ip, userAgent, requestId } = context
    const { platform, config } = services
    const token = hashSecret(body.token)
    const [wanted] = await rows(platform)<SignUpRow>`
      select id, tenant_id, email, name, team_name, language from sign_ups
      where token_hash = ${token} and expires_at > clock_timestamp()`
    const portal = wanted && config.signUp && (await findOpenPortal(platform, { resellerId: wanted.tenant_id }))
    if (!portal) throw notOpen()
    const words = [wanted.team_name, portal.reseller.name, wanted.name, wanted.email]
    await refuseWeakPassword(services, 'password', body.password, words)
    const passwordHash = await hashPassword(body.password)
    const owner = await inTransaction(platform, async client => {
      // a second request with the same token waits here, and finds the token used
      const rowCount = await affected(client)`delete from sign_ups where token_hash = ${token}`
      await lockAddress(client, wanted.email)
      if (rowCount === 0 || (await verifiedAccountOf(client, wanted.email)) !== null) throw notOpen()
      await provisionOnce(client, context, portal, wanted)
      return proveOwner(client, wanted, passwordHash)
    })
    const session = await openSession(platform, {
      keys: config,
      userId: owner.user_id,
      tenantId: owner.tenant_id,
      deviceName: 'browser',
      userAgent,
      ip,
      requestId,
      method: 'password',
      isByCookie: true,
    })
    context.setCookie(sessionCookie(config, session.token, session.expiresAt))
    return { user: session.user }
  },
})

type CompleteContext = Pick<RequestContext, 'em' | 'services' | 'ip' | 'requestId' | 'now'>

/**
 * The team is created in a transaction of its own, as its reseller could. Its id is that of the sign-up, so that a
 * second request finds it if the process ended in between.
 */
async function provisionOnce(
  client: PoolClient,
  { em: root, services, ip, requestId, now }: CompleteContext,
  { reseller, plan, profileId }: OpenPortal,
  { id, name, email, team_name, language }: SignUpRow,
): Promise<void> {
  const rowCount = await affected(client)`select 1 from managed_teams where id = ${id}`
  if (rowCount !== 0) return
  const acting = { tenantId: reseller.id, resellerId: reseller.id, caller: anonymous, ip, requestId, now }
  await unitOfWork(root, acting, async (em, sideEffects) => {
    const context = { em, now, services, ...writersOf(sideEffects, services.config) }
    await provisionTeam(context, reseller, {
      id,
      name: team_name,
      slug: uniqueSlugOf(team_name),
      plan,
      profile_id: profileId,
      external_ref: null,
      owner: { name, email, password: null, language, isProven: true },
    })
  })
}

/** The link has proven the address. */
async function proveOwner(client: PoolClient, { id }: SignUpRow, passwordHash: string) {
  const [owner] = await rows(client)<Row<'memberships', 'user_id' | 'tenant_id'>>`
    update users u set password_hash = ${passwordHash}, password_changed_at = clock_timestamp(),
      email_verified_at = clock_timestamp(), updated_at = clock_timestamp()
    from managed_teams t join memberships m on m.tenant_id = t.tenant_id and m.role = 'owner'
    where t.id = ${id} and u.id = m.user_id and u.email_verified_at is null
    returning m.user_id, m.tenant_id`
  if (!owner) throw notOpen()
  return owner
}
