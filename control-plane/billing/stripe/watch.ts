import { sql } from 'kysely'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import { Loop } from '#control-plane/base/loop.ts'
import { type BadRow, putOffS, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import { rows } from '#control-plane/db/queries.ts'
import { endDueSubscriptions } from './end-subscriptions.ts'
import { type EventServices, handleEvent } from './handle-event.ts'

const everyMs = 5_000
const roundSize = 100
const claimS = 60
const keptDays = 90

interface Claimed {
  id: string
  tenant_id: string | null
  occurred_at: string
}

/** Applies stored events that have no effect yet. One that cannot be applied is put off into quarantine. */
export async function handleDueEvents(services: EventServices): Promise<void> {
  const { platform } = services
  const quarantine = new Quarantine(services)
  for (let claimed = roundSize; claimed === roundSize; ) {
    const found = await rows(platform)<Claimed>`
      update billing_events e set next_at = clock_timestamp() + interval '${sql.lit(claimS)} seconds'
      from (
        select id from billing_events where next_at <= clock_timestamp() order by next_at, occurred_at, id
        limit ${sql.lit(roundSize)} for update skip locked
      ) due where e.id = due.id returning e.id, e.tenant_id, e.occurred_at`
    claimed = found.length
    const bad: BadRow[] = []
    const inOrder = found.toSorted((a, b) => Date.parse(a.occurred_at) - Date.parse(b.occurred_at))
    await eachIsolated(
      inOrder,
      // Stripe that is away is no event's fault: the event stays due
      row => handleEvent(services, row.id).catch(unlessAway),
      ({ id, tenant_id }, error) => bad.push({ key: id, tenant: tenant_id, error }),
    )
    await quarantine.putOff(
      'billing_event',
      bad,
      client =>
        rows(client)`
        update billing_events set next_at = clock_timestamp() + interval '${sql.lit(putOffS)} seconds'
        where id = any(${bad.map(({ key }) => key)}::text[]) and outcome is null`,
    )
    const isBad = new Set(bad.map(({ key }) => key))
    await quarantine.release(
      'billing_event',
      found.flatMap(({ id }) => (isBad.has(id) ? [] : [id])),
    )
  }
  await rows(platform)`
    delete from billing_events where handled_at < clock_timestamp() - interval '${sql.lit(keptDays)} days'`
}

function unlessAway(error: unknown): void {
  if (!(error instanceof Refusal)) throw error
}

/** Applies payment events that are due. Any number of processes may do so. */
export function watchBillingEvents(services: EventServices) {
  const round = async () => {
    await handleDueEvents(services)
    await endDueSubscriptions(services)
  }
  const loop = new Loop({ everyMs, round, log: services.log, failure: 'payment event failure' }).start()
  return {
    /** Applies events again that were put into quarantine. */
    async retry(events: readonly string[]): Promise<void> {
      await rows(services.platform)`update billing_events set next_at = clock_timestamp()
        where id = any(${events}::text[]) and outcome is null`
      loop.wake()
    },
    stop: () => loop.stop(),
  }
}
