import { z } from 'zod'
import { encodeServerRows, serverSampleStore } from '#analytics/server-samples.ts'
import { FairSlots } from '#contract/fair-queue.ts'
import { effectiveLimits } from '#contract/plans.ts'
import { serverLimits } from '#contract/server-agent.ts'
import { Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { invalid, Refusal, unauthenticated, unavailable } from '#control-plane/base/refusal.ts'
import { inSlices } from '#control-plane/base/slices.ts'
import type { Row } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { perServices, type Services } from '#control-plane/http/services.ts'
import { withoutServers } from '#control-plane/monitoring/monitors/places.ts'
import type { Told } from './readings.ts'
import { type Memory, settle } from './settle.ts'

type Known = Pick<RequestContext, 'services' | 'tenant' | 'server'>
type Store = ReturnType<typeof serverSampleStore>

/** Batches in work at once: what is not yet stored must be bounded. One tenant alone has half of the slots. */
const inWorkAtMost = 64
const retryAfterS = 10

const workOf = perServices(services => {
  const quarantine = new Quarantine(services)
  const onRefused = ([tenant, monitor]: unknown[], error: unknown) =>
    void quarantine.note('server_metrics', [{ key: String(monitor), tenant: String(tenant), error }])
  return {
    store: serverSampleStore(services.clickhouse, onRefused),
    turns: new Map<string, Promise<unknown>>(),
    slots: new FairSlots(inWorkAtMost),
  }
})

/**
 * Stores what a server told, and answers how many values that were. All of it or nothing: what is wrong with one value refuses the body
 * before anything is written. Comes back when it is on disk; while the store is away the server is told to come again, and counts as heard.
 */
export async function take(known: Known, told: Told): Promise<number> {
  const { services, tenant, server } = known
  const limits = effectiveLimits(tenant.plan, tenant.featureOverrides)
  if (!limits.server_monitoring) throw withoutServers(tenant.plan)
  vet(told, services.clock.nowMs())
  const work = workOf(services)
  const release = work.slots.tryTake(tenant.id)
  if (!release) throw unavailable('Too many batches are in work.', retryAfterS)
  try {
    return await inTurn(work.turns, server.monitorId, () =>
      keep(known, told, { store: work.store, keepDays: limits.data_retention_days }),
    )
  } finally {
    release()
  }
}

async function keep(
  { services, tenant, server }: Known,
  told: Told,
  { store, keepDays }: { store: Store; keepDays: number },
): Promise<number> {
  const memory = told.readings.some(({ kind }) => kind !== 'value') ? await recall(services, server.monitorId) : {}
  const { values, changed } = await inSlices(settle(told.readings, memory))
  try {
    if (values.length > 0)
      await store.insert(
        [
          encodeServerRows({
            tenant: tenant.id,
            monitor: server.monitorId,
            keepDays,
            receivedAt: services.clock.nowMs(),
            values,
          }),
        ],
        values.length,
      )
  } catch (error) {
    services.log.warn({ err: error }, 'server metrics write failure')
    await note(services, server.monitorId, null, {})
    throw unavailable('What was told could not be stored.', retryAfterS)
  }
  await note(services, server.monitorId, told, changed)
  return values.length
}

function vet({ readings }: Told, nowMs: number): void {
  if (readings.length > serverLimits.batchValues)
    throw invalid({ samples: [`A batch has at most ${serverLimits.batchValues} values.`] })
  const series = new Set<string>()
  for (const { at, metric, label } of readings) {
    if (!Number.isSafeInteger(at)) throw invalid({ at: ['Is no moment in time.'] }, 'bad_clock')
    if (at > nowMs + serverLimits.futureMs)
      throw invalid(
        { at: [`${new Date(Math.min(at, 8.64e15)).toISOString()} lies in the future: the server’s clock is ahead.`] },
        'bad_clock',
      )
    if (at < nowMs - serverLimits.pastMs)
      throw invalid({ at: [`${new Date(Math.max(at, 0)).toISOString()} lies more than seven days back.`] }, 'bad_clock')
    series.add(`${metric} ${label}`)
  }
  if (series.size > serverLimits.batchSeries)
    throw invalid({ samples: [`A batch tells of at most ${serverLimits.batchSeries} different things.`] })
}

const Remembered = z.record(z.string(), z.tuple([z.number(), z.number()]))

async function recall({ platform }: Services, monitorId: string): Promise<Memory> {
  const { rows } = await platform.query<Row<'agent_monitors', 'memory'>>({
    name: 'server-memory',
    text: 'select memory from agent_monitors where monitor_id = $1',
    values: [monitorId],
  })
  // what cannot be read was not remembered: totals begin anew
  return Remembered.safeParse(rows[0]?.memory).data ?? {}
}

const noteSql = `
  update agent_monitors set last_seen_at = clock_timestamp(), stored_at = case when $2 then clock_timestamp() else stored_at end,
    host = coalesce($3::jsonb, host), memory = case when $4::jsonb = '{}' then memory else memory || $4::jsonb end,
    processes = case when $6::timestamptz >= coalesce(processes_at, '-infinity') then $5::jsonb else processes end,
    processes_at = greatest(processes_at, $6::timestamptz)
  where monitor_id = $1`

/** That a server was heard, and of what it told what is kept beside its values. */
async function note({ platform }: Services, monitorId: string, told: Told | null, changed: Memory): Promise<void> {
  const { host, processes } = told ?? {}
  const { rowCount } = await platform.query({
    name: 'server-heard',
    text: noteSql,
    values: [
      monitorId,
      told !== null,
      host ? JSON.stringify(host) : null,
      JSON.stringify(changed),
      processes ? JSON.stringify(processes.list) : null,
      processes ? new Date(processes.at) : null,
    ],
  })
  if (rowCount === 0) throw unauthenticated() // deleted meanwhile
}

/** Bodies of one server one after the other, as each goes on from what the one before remembered. */
async function inTurn<Value>(
  turns: Map<string, Promise<unknown>>,
  key: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const mine = (turns.get(key) ?? Promise.resolve()).then(work, work)
  turns.set(key, mine)
  try {
    return await mine
  } finally {
    if (turns.get(key) === mine) turns.delete(key)
  }
}

/** As refusals of agents that know one status for what must not be sent again. */
export async function asBadRequest<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 422) throw error
    throw new Refusal(400, error.code, Object.values(error.errors ?? {})[0]?.[0] ?? error.message, {
      ...(error.errors && { errors: error.errors }),
    })
  }
}
