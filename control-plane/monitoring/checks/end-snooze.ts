import { sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { affected, type Db, queries, rows, stamp } from '#control-plane/db/queries.ts'
import { followIncidentsSql } from '#control-plane/engine/escalation.ts'
import { insertIncidentEventsSql } from '#control-plane/engine/incident-events.ts'
import { notifyMutedWarning } from '#control-plane/engine/warnings/release.ts'
import { addAudit } from '#control-plane/outbox/audit.ts'
import { wakeSql } from '#control-plane/outbox/emit.ts'

/**
 * Ends a snooze if it is still the current one and its time has come by the database's clock. The team is notified of
 * an incident and warnings that are still open, unless it was before. A snooze that was ended or replaced stays as it
 * is.
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
  await notifySuppressedIncident(client, checkId)
  await notifyMutedWarning(client, checkId)
  return 'ended'
}

const action = 'check.snooze_ended'

/** Whether an earlier attempt has ended this snooze. */
async function wasEnded(client: PoolClient, checkId: string, snoozedUntil: Date): Promise<boolean> {
  const rowCount = await affected(client)`select 1 from audit_entries a join checks c on c.tenant_id = a.tenant_id
    where c.id = ${checkId} and a.entity_id = ${checkId} and a.action = ${action}
    and a.changes->>'snoozed_until' = ${snoozedUntil.toISOString()}
      and a.created_at >= ${snoozedUntil.toISOString()}::timestamptz`
  return rowCount !== 0
}

/**
 * Notifies the team of the incident that a snooze suppressed, if it is still open. An incident that flapping or a storm
 * suppresses stays suppressed.
 */
export const notifySuppressedIncident = (db: Db, checkId: string): Promise<unknown> =>
  rows(db)`with i as (
    update incidents set notified_at = clock_timestamp()
    where check_id = ${checkId} and resolved_at is null and notified_at is null returning *
  ), followed as (${followIncidentsSql('i')}),
  published as (${publishUnmuted})
  select ${wakeSql} from published`

const publishUnmuted = insertIncidentEventsSql('incident.created', 'unmuted', {
  from: sql`from i join monitors m on m.id = i.monitor_id`,
})
