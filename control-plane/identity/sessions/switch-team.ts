import { sql } from 'kysely'
import type { Pool } from 'pg'
import { z } from 'zod'
import type { AuthMethod } from '#control-plane/base/caller.ts'
import { forbidden, invalid, unauthenticated } from '#control-plane/base/refusal.ts'
import { mintSecret, tailOf } from '#control-plane/base/token-secret.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { type Row, rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { sessionCookie } from '#control-plane/http/session-cookie.ts'
import { addAudit } from '#control-plane/outbox/audit.ts'
import { isPasswordHidden } from './password-login.ts'
import { signedIn } from './signed-in.ts'

/** Refuses a team that the person may not enter with what the session was opened with. */
async function validateTeam(platform: Pool, userId: string, tenantId: string): Promise<void> {
  const [team] = await rows(platform)<{ is_suspended: boolean }>`
    select t.suspended_at is not null as is_suspended
    from memberships m join tenants t on t.id = m.tenant_id and t.deleted_at is null
    where m.user_id = ${userId} and m.tenant_id = ${tenantId} and m.disabled_at is null`
  if (!team) throw invalid({ tenant_id: ['You are no member of this team.'] })
  if (team.is_suspended) throw invalid({ tenant_id: ['This team is suspended.'] }, 'tenant_suspended')
  if (await isPasswordHidden(platform, tenantId, userId))
    throw invalid({ tenant_id: ['This team is entered at its own sign-in alone.'] }, 'password_login_hidden')
}

/** Its age stays: how long the session lives, and when its person was last present. */
const move = (
  tokenId: string,
  from: string,
  to: string,
  hash: Buffer,
  tail: string,
  ownProofs: readonly string[],
) => sql<Row<'tokens', 'dies_at'>>`
  update tokens set tenant_id = ${to}, hash = ${hash}, tail = ${tail}, updated_at = clock_timestamp()
  where id = ${tokenId} and tenant_id = ${from} and kind = 'ss' and is_browser and not is_locked
    and coalesce(auth_method, 'password') = any(${ownProofs})
  returning dies_at`

/** What proves a person to all of their teams: a provider speaks for its own team alone. */
const ownProofs: readonly AuthMethod[] = ['password', 'passkey', 'login_link']

export const switchTeam = endpoint({
  method: 'POST',
  path: '/auth/team',
  operation: 'auth.switchTeam',
  summary: 'Switch a session to another team',
  description:
    'Of the person; for a session of a browser. ' +
    'The session leaves its team, and its cookie is replaced: the former one is refused. It lives no longer for it, ' +
    'and what needs a recent sign-in still does. Refused to sessions that a link or the provider of a team has ' +
    'opened (403), and for teams with a sign-in of their own (422). Other clients name `tenant_id` in ' +
    'POST /auth/token.',
  access: 'session',
  underImpersonation: 'refused',
  allowsMissingFactor: true,
  detached: true,
  setsCookies: true,
  body: z.object({ tenant_id: z.uuid().toLowerCase().meta({ description: 'One of `teams` of GET /profile.' }) }),
  returns: ok({ tenant_id: z.uuid() }),

  async handle({ body, caller, services, ip, requestId, setCookie }) {
    const { config, platform } = services
    const { id: userId } = signedIn(caller)
    if (!caller.isByCookie) throw forbidden('Only the session of a browser is switched.', 'not_a_browser_session')
    const { tokenId, tenant } = caller
    const tenantId = body.tenant_id
    await validateTeam(platform, userId, tenantId)
    if (tenantId === tenant.id) return { tenant_id: tenantId }
    const { plain, hash } = mintSecret('ss')
    const diesAt = await inTransaction(platform, async client => {
      const [row] = await rows(client, move(tokenId, tenant.id, tenantId, hash, tailOf(plain), ownProofs))
      if (!row) return null
      const entries = [
        { tenantId: tenant.id, action: 'session.deleted', type: 'user' as const, id: userId },
        { tenantId, action: 'session.created', type: 'user' as const, id: userId },
      ]
      await addAudit(client, entries, { userId, tokenId, ip, requestId })
      return new Date(row.dies_at!)
    })
    if (diesAt === null) throw await whyNot(platform, tokenId)
    setCookie(sessionCookie(config, plain, diesAt))
    return { tenant_id: tenantId }
  },
})

/** A session that was not moved has ended meanwhile, or a provider has opened it. */
async function whyNot(platform: Pool, tokenId: string | null): Promise<Error> {
  const [row] = await rows(platform)<{ auth_method: AuthMethod }>`
    select auth_method from tokens where id = ${tokenId}`
  return row && !ownProofs.includes(row.auth_method)
    ? forbidden('Sign in with your own account for this.', 'session_needed')
    : unauthenticated()
}
