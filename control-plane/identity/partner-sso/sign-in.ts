import type { Pool, PoolClient } from 'pg'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { affected, rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { openSession } from '#control-plane/identity/sessions/open.ts'
import { addAudit } from '#control-plane/outbox/audit.ts'
import { emitEvents } from '#control-plane/outbox/emit.ts'
import { countOf } from '#control-plane/tenancy/plans/counts.ts'
import { limitsNow } from '#control-plane/tenancy/plans/limits.ts'
import { notifyQuota, type QuotaNotices } from '#control-plane/tenancy/plans/quota.ts'
import { arrive } from './person.ts'
import { LinkRefused } from './refused.ts'
import { type GivenLink, type OpenLink, readLink } from './team.ts'

const sessionHours = 8

/** The browser that opens a link. */
interface Browser {
  ip: string
  userAgent: string
  requestId: string
  /** The language of a new account. */
  language: string
}

type SignInDeps = Pick<Services, 'platform' | 'config'>

/**
 * Opens the session of a link: the use of its `jti`, the person and the session are committed together or not at all.
 * A link that is refused is not used up. Throws `LinkRefused`.
 */
export async function signInByLink({ platform, config }: SignInDeps, given: GivenLink, browser: Browser) {
  const { ip, userAgent, requestId } = browser
  try {
    return await inTransaction(platform, async client => {
      const link = await readLink(client, config, given)
      await useOnce(client, link)
      const { userId, entries } = await arrive(client, link, browser.language)
      const used = { action: 'sso_link.used', type: 'user' as const, id: userId }
      await addAudit(
        client,
        [link.team.id, link.resellerId].flatMap(tenantId => [...entries, used].map(entry => ({ tenantId, ...entry }))),
        { userId, ip, requestId },
      )
      const session = await openSession(client, {
        keys: config,
        userId,
        tenantId: link.team.id,
        deviceName: 'Partner SSO',
        ...{ userAgent, ip, requestId },
        method: 'partner_sso',
        isByCookie: true,
        isLocked: true,
        hours: sessionHours,
      })
      return { ...session, redirectTo: link.claims.redirect_to }
    })
  } catch (error) {
    if (error instanceof LinkRefused && error.reason === 'team_full' && error.tenantId !== undefined)
      await notifyFull(platform, error.tenantId)
    throw error
  }
}

/** Of transactions that use the same link, one stores its `jti`; the others wait for it here and are refused. */
async function useOnce(client: PoolClient, { team, claims }: OpenLink): Promise<void> {
  await rows(client)`
    delete from partner_sso_uses where (tenant_id, jti) in (
    select tenant_id, jti from partner_sso_uses where expires_at < clock_timestamp() - interval '1 day'
      order by expires_at limit 100 for update skip locked)`
  const rowCount = await affected(client)`insert into partner_sso_uses (tenant_id, jti, expires_at)
    values (${team.id}, ${claims.jti}, to_timestamp(${claims.exp}))
    on conflict (tenant_id, jti) do nothing`
  if (rowCount === 0) throw new LinkRefused('used', team.id)
}

/** Emits the event of a plan whose seats are taken, as other creates do. */
const notifyFull = (platform: Pool, tenantId: string): Promise<void> =>
  inTransaction(platform, async client => {
    const [team] = await rows(client)<{ current: number; now: string }>`
      select (${countOf.team_members})::int as current, clock_timestamp() as now
      from tenants t where t.id = ${tenantId}`
    const { team_members: limit } = await limitsNow(client, tenantId)
    if (!team || limit === null) return
    const { current } = team
    const now = new Date(team.now)
    const emit: QuotaNotices['emit'] = (name, payload) => emitEvents(client, [{ tenantId, name, payload }])
    const count = { feature: 'team_members', current, limit } as const
    await notifyQuota({ db: client, tenant: { id: tenantId }, now, emit }, 'tenant.quota_exceeded', count)
  })
