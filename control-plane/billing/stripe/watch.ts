import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import { Loop } from '#control-plane/base/loop.ts'
import { type BadRow, putOffS, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import { endDueSubscriptions } from './end-subscriptions.ts'
import { type EventServices, handleEvent } from './handle-event.ts'

const everyMs = 5_000
const roundSize = 100
const claimS = 60
const keptDays = 90

const claim = `
  update billing_events e set next_at = clock_timestamp() + interval '${claimS} seconds'
  from (
    select id from billing_events where next_at <= clock_timestamp() order by next_at, occurred_at, id
    limit ${roundSize} for update skip locked
  ) due where e.id = due.id returning e.id, e.tenant_id, e.occurred_at`

const putOff = `
  update billing_events set next_at = clock_timestamp() + interval '${putOffS} seconds'
  where id = any($1::text[]) and outcome is null`

const tidy = `delete from billing_events where handled_at < clock_timestamp() - interval '${keptDays} days'`

interface Claimed {
  id: string
  tenant_id: string | null
  occurred_at: Date
}

/** Applies stored events that have no effect yet. One that cannot be applied is put off into quarantine. */
export async function handleDueEvents(services: EventServices): Promise<void> {
  const { platform } = services
  const quarantine = new Quarantine(services)
  for (let claimed = roundSize; claimed === roundSize; ) {
    const { rows } = await platform.query<Claimed>(claim)
    claimed = rows.length
    const bad: BadRow[] = []
    const inOrder = rows.toSorted((a, b) => a.occurred_at.getTime() - b.occurred_at.getTime())
    await eachIsolated(
      inOrder,
      // Stripe that is away is no event's fault: the event stays due
      row => handleEvent(services, row.id).catch(unlessAway),
      ({ id, tenant_id }, error) => bad.push({ key: id, tenant: tenant_id, error }),
    )
    await quarantine.putOff('billing_event', bad, client => client.query(putOff, [bad.map(({ key }) => key)]))
    const isBad = new Set(bad.map(({ key }) => key))
    await quarantine.release(
      'billing_event',
      rows.flatMap(({ id }) => (isBad.has(id) ? [] : [id])),
    )
  }
  await platform.query(tidy)
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
      await services.platform.query(
        'update billing_events set next_at = clock_timestamp() where id = any($1::text[]) and outcome is null',
        [events],
      )
      loop.wake()
    },
    stop: () => loop.stop(),
  }
}
