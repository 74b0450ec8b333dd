import { setTimeout as sleep } from 'node:timers/promises'
import { retryAfterS } from '#control-plane/base/queue/queue.ts'
import { quantile } from '../../../bench/figures.ts'
import { anIncident, aTenantOf, happen, type Reached } from './alerted.ts'
import { Receiver } from './receiver.ts'

interface Herd {
  /** How many messages fail together. */
  messages: number
  /** How long the receivers are down after the first message, one value for each share of the channels. */
  offMs: readonly number[]
  channels?: number
}

export interface HerdResult {
  /** How late retries reached the receiver in ms, by the wait before them; a negative value is early. */
  errors: Map<number, number[]>
  /** Latency of the other receiver before the failures, and meanwhile. */
  quiet: number[]
  meanwhile: number[]
  summary: string
}

const everyMs = 100
const quietMs = 1_000

/**
 * F24, R5, R11: many messages fail at once because their receivers are down, and are retried together, while the
 * receiver of another tenant works. The times are those at which the receivers got the messages.
 */
export async function herd(served: Reached, { messages, offMs, channels = 10 }: Herd): Promise<HerdResult> {
  const [broken, well] = await Promise.all([Receiver.open(), Receiver.open()])
  try {
    const tenants = await Promise.all(Array.from({ length: channels }, () => aTenantOf(served, broken)))
    const calm = await aTenantOf(served, well)
    for (const tenant of [...tenants, calm]) await tenant.subscribe(['incident.created'])
    let firstAt = 0
    const endOf = new Map(
      tenants.map(({ path }, nth) => [path, offMs[Math.floor((nth * offMs.length) / channels)] ?? 0]),
    )
    const delivered = new Set<unknown>()
    broken.answer = ({ path, headers, at }, response) => {
      firstAt ||= at
      if (at - firstAt < (endOf.get(path) ?? 0)) return void response.destroy()
      delivered.add(headers['webhook-id'])
      response.end('ok')
    }

    const emittedAt = new Map<string, number>()
    let isOver = false
    const emitting = (async () => {
      while (!isOver) {
        const incident = anIncident()
        emittedAt.set(incident.incident_id, Date.now())
        await happen(served, calm.id, 'incident.created', incident)
        await sleep(everyMs)
      }
    })()
    await sleep(quietMs)
    const from = Date.now()
    await served.platform.query(
      `with added as (
         insert into outbox (tenant_id, kind, name, payload)
         select t.id, 'event', 'incident.created', jsonb_build_object(
           'incident_id', gen_random_uuid(), 'monitor_id', gen_random_uuid(), 'monitor_name', 'Shop', 'nth', n)
         from unnest($1::uuid[]) t(id), generate_series(1, $2::int) n returning 1)
       select pg_notify('outbox', '') from (select count(*) from added) a`,
      [tenants.map(({ id }) => id), Math.ceil(messages / channels)],
    )
    const all = Math.ceil(messages / channels) * channels
    const patience =
      performance.now() + Math.max(...offMs) + retryAfterS.reduce((sum, wait) => sum + wait * 1_000, 30_000)
    while (delivered.size < all && performance.now() < patience) await sleep(50)
    isOver = true
    await emitting
    if (delivered.size < all) throw new Error(`${all - delivered.size} of ${all} messages did not arrive.`)

    const errors = new Map(retryAfterS.map(wait => [wait as number, [] as number[]]))
    for (const tries of Map.groupBy(broken.received, ({ headers }) => headers['webhook-id']).values())
      for (const [nth, wait] of retryAfterS.entries()) {
        const [before, after] = [tries[nth], tries[nth + 1]]
        if (before && after) errors.get(wait)?.push(after.at - before.at - wait * 1_000)
      }
    const delays = well.received.map(({ body, at }) => ({
      at: emittedAt.get(body.incident_id) ?? 0,
      ms: at - (emittedAt.get(body.incident_id) ?? Number.NaN),
    }))
    const quiet = delays.flatMap(({ at, ms }) => (at < from ? [ms] : []))
    const meanwhile = delays.flatMap(({ at, ms }) => (at >= from ? [ms] : []))
    const late = [...errors].flatMap(([wait, each]) =>
      each.length > 0 ? [`${wait} s: ${each.length}, p99 +${Math.round(quantile(each, 0.99))} ms`] : [],
    )
    return {
      errors,
      quiet,
      meanwhile,
      summary: [
        `herd ${all}: retries after ${late.join('; ')}`,
        `${[...errors.values()].flat().filter(error => error < 0).length} early`,
        `others p99 ${Math.round(quantile(meanwhile, 0.99))} ms of ${meanwhile.length}, ` +
          `slowest ${Math.max(...meanwhile)} ms, before ${Math.round(quantile(quiet, 0.5))} ms`,
      ].join('; '),
    }
  } finally {
    await Promise.all([broken.close(), well.close()])
  }
}
