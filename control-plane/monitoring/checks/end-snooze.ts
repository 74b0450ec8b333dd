import { sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'
import { insertIncidentEventsSql } from '#control-plane/engine/incident-events.ts'
import { notifyMutedWarning } from '#control-plane/engine/warnings/release.ts'
import { addAudit } from '#control-plane/outbox/audit.ts'
import { wakeSql } from '#control-plane/outbox/emit.ts'

/**
 * Ends a snooze if this very one still stands and its moment has come by the database's clock. An incident that is open by then,
 * and what is still warned of, is told of, unless it has been already. A snooze ended by hand, or made anew since, is left alone.
 */
export function endSnooze(
  platform: Pool,
  checkId: string,
  snoozedUntil: Date,
): Promise<'ended' | 'superseded' | 'too_early'> {
  return inTransaction(platform, client => end(client, checkId, snoozedUntil))
}

async function end(
  client: PoolClient,
  checkId: string,
  snoozedUntil: Date,
): Promise<'ended' | 'superseded' | 'too_early'> {
  const locked = await queries(client)
    .selectFrom('checks')
    .where('id', '=', checkId)
    .select(({ ref }) => stamp(ref('snoozed_until')).as('snoozed_until'))
    .select('tenant_id')
    .select(sql<boolean>`coalesce(snoozed_until <= clock_timestamp(), false)`.as('is_over'))
    .forUpdate()
    .executeTakeFirst()
  if (!locked?.snoozed_until || Date.parse(locked.snoozed_until) !== snoozedUntil.getTime())
    return (await wasEnded(client, checkId, snoozedUntil)) ? 'ended' : 'superseded'
  if (!locked.is_over) return 'too_early'
  await queries(client)
    .updateTable('checks')
    .set({ snoozed_until: null, snoozed_by: null, snooze_reason: null, updated_at: sql<string>`clock_timestamp()` })
    .where('id', '=', checkId)
    .execute()
  const changes = { snoozed_until: snoozedUntil.toISOString() }
  await addAudit(client, [{ tenantId: locked.tenant_id, action, type: 'check', id: checkId, changes }])
  await client.query(notifySuppressedIncident('$1'), [checkId])
  await client.query(notifyMutedWarning('$1'), [checkId])
  return 'ended'
}

const action = 'check.snooze_ended'

/** A retry that finds the work already done. */
async function wasEnded(client: PoolClient, checkId: string, snoozedUntil: Date): Promise<boolean> {
  const { rowCount } = await client.query(
    `select 1 from audit_entries a join checks c on c.tenant_id = a.tenant_id
     where c.id = $1 and a.entity_id = $1 and a.action = $3 and a.changes->>'snoozed_until' = $2 and a.created_at >= $2::timestamptz`,
    [checkId, snoozedUntil.toISOString(), action],
  )
  return rowCount !== 0
}

/**
 * SQL that tells the team of the incident a snooze kept quiet, if it is still open and was not told before; from whom it is held as noise it
 * goes on being held. `check`: how the statement names its one parameter.
 */
export const notifySuppressedIncident = (check: '$1' | '?') => `
  with i as (
    update incidents set notified_at = clock_timestamp() where check_id = ${check} and resolved_at is null and notified_at is null returning *
  ), published as (
    ${insertIncidentEventsSql('incident.created', 'unmuted', { from: 'from i join monitors m on m.id = i.monitor_id' })}
  )
  select ${wakeSql} from published`
