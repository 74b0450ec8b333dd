import type { Pool } from 'pg'
import type { RetryLater } from '#contract/workflows.ts'
import { type Calendar, later } from '#control-plane/base/calendar.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { queries, rows, stamp } from '#control-plane/db/queries.ts'
import { addAudit } from '#control-plane/outbox/audit.ts'

/**
 * Disables a rotated token when its grace is over, and audits it. Authentication refuses the token from that moment on;
 * this only updates the row. A token that was deleted or got another end stays as it is.
 */
export const endGrace = (
  platform: Pool,
  tokenId: string,
  expiresAt: Date,
  calendar: Calendar,
): Promise<'ended' | 'superseded' | RetryLater> =>
  inTransaction(platform, async client => {
    const token = await queries(client)
      .selectFrom('tokens')
      .where('id', '=', tokenId)
      .select(['tenant_id', 'kind', 'is_active'])
      .select(({ ref }) => stamp(ref('expires_at')).as('expires_at'))
      .forUpdate()
      .executeTakeFirst()
    if (!token?.expires_at || Date.parse(token.expires_at) !== expiresAt.getTime()) return 'superseded'
    const now = await calendar.now(client)
    if (now < expiresAt) return later(expiresAt, now)
    if (!token.is_active) return 'ended'
    await rows(client)`update tokens set is_active = false, updated_at = clock_timestamp() where id = ${tokenId}`
    const action = `${nouns[token.kind] ?? 'token'}.expired`
    const changes = { is_active: { before: true, after: false } }
    const entry = { tenantId: token.tenant_id, action, type: 'personal_access_token' as const, id: tokenId, changes }
    await addAudit(client, [entry])
    return 'ended'
  })

/** The name of each kind in the audit log. */
const nouns: Record<string, string> = { rk: 'reseller_token', svc: 'api_key', sk: 'api_token' }
