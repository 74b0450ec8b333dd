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
import type { ServerReport } from './readings.ts'
import { type Memory, settle } from './settle.ts'

type IntakeContext = Pick<RequestContext, 'services' | 'tenant' | 'server'>
type Store = ReturnType<typeof serverSampleStore>

/** Batches that are stored at once, so that memory is bounded. One tenant alone gets half of the slots. */
const inWorkAtMost = 64
const retryAfterS = 10

const workOf = perServices(services => {
  const quarantine = new Quarantine(services)
  const onRefused = ([tenant, monitor]: unknown[], error: unknown) =>
    void quarantine.note('server_metrics', [{ key: String(monitor), tenant: String(tenant), error }])
  return {
    store: serverSampleStore(services.clickhouse, onRefused),
    queues: new Map<string, Promise<unknown>>(),
    slots: new FairSlots(inWorkAtMost),
  }
})

/**
 * Stores the report of a server, and returns the number of its values. One invalid value refuses the whole request
 * before anything is written. It returns when the values are on disk. While ClickHouse is away it answers 503, and the
 * server counts as alive.
 */
export async function take(context: IntakeContext, report: ServerReport): Promise<number> {
  const { services, tenant, server } = context
  const limits = effectiveLimits(tenant.plan, tenant.featureOverrides)
  if (!limits.server_monitoring) throw withoutServers(tenant.plan)
  vet(report, services.clock.nowMs())
  const work = workOf(services)
  const release = work.slots.tryTake(tenant.id)
  if (!release) throw unavailable('Too many batches are in work.', retryAfterS)
  try {
    return await inOrder(work.queues, server.monitorId, () =>
      keep(context, report, { store: work.store, keepDays: limits.data_retention_days }),
    )
  } finally {
    release()
  }
}

async function keep(
  { services, tenant, server }: IntakeContext,
  report: ServerReport,
  { store, keepDays }: { store: Store; keepDays: number },
): Promise<number> {
  const memory = report.readings.some(({ kind }) => kind !== 'value') ? await recall(services, server.monitorId) : {}
  const { values, changed } = await inSlices(settle(report.readings, memory))
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
    throw unavailable('The metrics could not be stored.', retryAfterS)
  }
  await note(services, server.monitorId, report, changed)
  return values.length
}

function vet({ readings }: ServerReport, nowMs: number): void {
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
    throw invalid({ samples: [`A batch has at most ${serverLimits.batchSeries} different series.`] })
}

const Remembered = z.record(z.string(), z.tuple([z.number(), z.number()]))

async function recall({ platform }: Services, monitorId: string): Promise<Memory> {
  const { rows } = await platform.query<Row<'agent_monitors', 'memory'>>({
    name: 'server-memory',
    text: 'select memory from agent_monitors where monitor_id = $1',
    values: [monitorId],
  })
  // a memory that cannot be parsed counts as empty: counters start again
  return Remembered.safeParse(rows[0]?.memory).data ?? {}
}

const noteSql = `
  update agent_monitors set last_seen_at = clock_timestamp(),
    stored_at = case when $2 then clock_timestamp() else stored_at end,
    host = coalesce($3::jsonb, host), memory = case when $4::jsonb = '{}' then memory else memory || $4::jsonb end,
    processes = case when $6::timestamptz >= coalesce(processes_at, '-infinity') then $5::jsonb else processes end,
    processes_at = greatest(processes_at, $6::timestamptz)
  where monitor_id = $1`

/** Stores when a server reported last, with its host, processes and memory. */
async function note(
  { platform }: Services,
  monitorId: string,
  report: ServerReport | null,
  changed: Memory,
): Promise<void> {
  const { host, processes } = report ?? {}
  const { rowCount } = await platform.query({
    name: 'server-reported',
    text: noteSql,
    values: [
      monitorId,
      report !== null,
      host ? JSON.stringify(host) : null,
      JSON.stringify(changed),
      processes ? JSON.stringify(processes.list) : null,
      processes ? new Date(processes.at) : null,
    ],
  })
  if (rowCount === 0) throw unauthenticated() // deleted meanwhile
}

/** Runs requests of one server one after the other, since each needs the memory of the one before. */
async function inOrder<Value>(
  queues: Map<string, Promise<unknown>>,
  key: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const mine = (queues.get(key) ?? Promise.resolve()).then(work, work)
  queues.set(key, mine)
  try {
    return await mine
  } finally {
    if (queues.get(key) === mine) queues.delete(key)
  }
}

/** Answers 400 instead of 422, for agents that know one status for requests that must not be repeated. */
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
