import type { EntityManager } from '@mikro-orm/postgresql'
import type { InferResult } from 'kysely'
import type { Attempt } from '#control-plane/alerting/deliveries/view.ts'
import { json, queries, type Row, rows, stamp } from '#control-plane/db/queries.ts'
import { actIn } from '#control-plane/outbox/unit-of-work.ts'

/**
 * The decisions about the events of an incident: one row for each event and owner of channels. `reseller_id` is null
 * for the team.
 */
export const selectDecisions = (em: EntityManager, tenant: { id: string }, incident: { id: string }) =>
  queries(em)
    .selectFrom('notification_decisions as n')
    .where('n.tenant_id', '=', tenant.id)
    .where('n.incident_id', '=', incident.id)
    .select(['n.id', 'n.event_id', 'n.event', 'n.stage', 'n.reseller_id', 'n.channels'])
    .select(({ ref }) => [stamp(ref('n.emitted_at')).as('emitted_at'), stamp(ref('n.created_at')).as('decided_at')])
export type DecisionsRow = InferResult<ReturnType<typeof selectDecisions>>[number]

/** The state of a notification. */
export type DeliveryState = Row<'deliveries', 'id' | 'status' | 'finished_at'> & {
  attempts: number
  error: Attempt['error']
  next_attempt_at: string | null
  /** It is a mail that arrives with another delivery: of the reseller's webhook, or to the same recipients. */
  is_handed_over: boolean
}

/**
 * The deliveries of decisions, by row and channel. Those of a reseller are read in its tenant, as row security
 * requires.
 */
export async function readDeliveries(
  em: EntityManager,
  tenant: { id: string },
  rows: readonly DecisionsRow[],
): Promise<Map<DecisionsRow, Map<string, DeliveryState>>> {
  const own = await deliveriesOf(
    em,
    tenant.id,
    rows.filter(({ reseller_id }) => reseller_id === null),
  )
  const resellerId = rows.find(({ reseller_id }) => reseller_id !== null)?.reseller_id
  if (!resellerId) return own
  await actIn(em, resellerId)
  const resellers = await deliveriesOf(
    em,
    resellerId,
    rows.filter(({ reseller_id }) => reseller_id === resellerId),
  )
  await actIn(em, tenant.id)
  return new Map([...own, ...resellers])
}

async function deliveriesOf(
  em: EntityManager,
  ownerId: string,
  decided: readonly DecisionsRow[],
): Promise<Map<DecisionsRow, Map<string, DeliveryState>>> {
  const keys = decided.flatMap(({ event_id, channels }) => channels.map(({ channel_id }) => ({ event_id, channel_id })))
  const found = keys.length
    ? await rows(em)<DeliveryState & Row<'deliveries', 'event_id' | 'channel_id'>>`
      select d.event_id, d.channel_id, d.id, d.status, coalesce((d.log -> -1 ->> 'number')::int, 0) as attempts,
       d.log -> -1 ->> 'error' as error, ${stamp('d.finished_at')} as finished_at,
       case when d.status = 'retrying' and d.handed_over_at is null then ${stamp('d.next_at')} end
         as next_attempt_at,
       d.handed_over_at is not null as is_handed_over
     from jsonb_to_recordset(${json(keys)}) as k(event_id bigint, channel_id uuid)
     join deliveries d on d.channel_id = k.channel_id and d.event_id = k.event_id and d.tenant_id = ${ownerId}`
    : []
  return new Map(
    decided.map(row => [
      row,
      new Map(
        found
          .filter(({ event_id }) => event_id === row.event_id)
          .map(({ event_id: _, channel_id, ...delivery }) => [channel_id, delivery]),
      ),
    ]),
  )
}
