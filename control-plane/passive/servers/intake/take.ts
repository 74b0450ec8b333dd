import { sql } from 'kysely'
import { z } from 'zod'
import { encodeServerRows, serverSampleStore } from '#analytics/server-samples.ts'
import { FairSlots } from '#contract/fair-queue.ts'
import { effectiveLimits } from '#contract/plans.ts'
import { Sentence, type Text } from '#contract/sentence.ts'
import { serverLimits } from '#contract/server-agent.ts'
import { Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { invalid, Refusal, unauthenticated, unavailable } from '#control-plane/base/refusal.ts'
import { inSlices } from '#control-plane/base/slices.ts'
import { affected, prepared, type Row, rows } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { perServices, type Services } from '#control-plane/http/services.ts'
import { withoutServers } from '#control-plane/monitoring/monitors/quota.ts'
import { keepWaitingSamples } from '#control-plane/passive/servers/waiting-samples.ts'
import { bindMachine } from './machine.ts'
import type { Faults, Reading, ServerReport } from './readings.ts'
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
 * before anything is written. It returns when the values are on disk: what ClickHouse does not take waits in
 * PostgreSQL, and is judged there. Once too much waits it answers 503, and the server counts as alive.
 */
export async function take(context: IntakeContext, report: ServerReport): Promise<number> {
  const { why } = sift(context, report).faults
  if (why) throw why
  return (await store(context, report)).stored
}

/**
 * The same, for agents that throw a batch away once it is refused: an invalid value leaves out itself alone. Only where
 * nothing is left the request is refused.
 */
export async function takeParts(context: IntakeContext, report: ServerReport): Promise<Faults & { repeated: number }> {
  const { good, faults } = sift(context, report)
  if (faults.why && good.length === 0) throw faults.why
  const { repeated, foreign } = await store(context, { ...report, readings: good })
  if (foreign > 0) {
    faults.count += foreign
    faults.why ??= invalid({ at: ['Some values are of the time in which another server had this token.'] })
  }
  return { ...faults, repeated }
}

interface Stored {
  /** Values. */
  stored: number
  repeated: number
  /** Readings of the time of another machine, which are left out. */
  foreign: number
}

async function store(context: IntakeContext, report: ServerReport): Promise<Stored> {
  const { services, tenant, server } = context
  const limits = effectiveLimits(tenant.plan, tenant.featureOverrides)
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
  context: IntakeContext,
  report: ServerReport,
  { store, keepDays }: { store: Store; keepDays: number },
): Promise<Stored> {
  const { services, tenant, server } = context
  const ownFrom = report.machine ? await bindMachine(context, report.machine) : null
  const readings = ownFrom === null ? report.readings : report.readings.filter(({ at }) => at > ownFrom)
  const memory = readings.some(({ kind }) => kind !== 'value') ? await recall(services, server.monitorId) : {}
  const { values, changed, repeated = 0 } = await inSlices(settle(readings, memory))
  if (values.length > 0) {
    const receivedAt = services.clock.nowMs()
    const rows = encodeServerRows({ tenant: tenant.id, monitor: server.monitorId, keepDays, receivedAt, values })
    try {
      await store.insert([rows], values.length)
    } catch (error) {
      services.log.warn({ err: error }, 'server metrics write failure')
      if (!(await keepWaitingSamples(services.platform, tenant.id, server.monitorId, rows))) {
        await note(services, server.monitorId, null, {})
        throw unavailable('The metrics could not be stored.', retryAfterS)
      }
    }
  }
  await note(services, server.monitorId, report, changed)
  return { stored: values.length, repeated, foreign: report.readings.length - readings.length }
}

/** What of a report can be stored, and what cannot. */
function sift(
  { services, tenant }: IntakeContext,
  { readings, faults: { count, why } = { count: 0, why: null } }: ServerReport,
): { good: Reading[]; faults: Faults } {
  if (!effectiveLimits(tenant.plan, tenant.featureOverrides).server_monitoring) throw withoutServers(tenant.plan)
  if (readings.length > serverLimits.batchValues)
    throw invalid({ samples: [new Sentence('A batch has at most {n} values.', { n: serverLimits.batchValues })] })
  const nowMs = services.clock.nowMs()
  const series = new Set<string>()
  const good = readings.filter(({ at, metric, label }) => {
    const name = `${metric} ${label}`
    const isGood = isRecent(at, nowMs) && (series.has(name) || series.size < serverLimits.batchSeries)
    if (isGood) series.add(name)
    else {
      count++
      why ??= faultOf(at, nowMs)
    }
    return isGood
  })
  return { good, faults: { count, why } }
}

const isRecent = (at: number, nowMs: number) =>
  Number.isSafeInteger(at) && at <= nowMs + serverLimits.futureMs && at >= nowMs - serverLimits.pastMs

function faultOf(at: number, nowMs: number): Refusal {
  const badClock = (why: Text) => invalid({ at: [why] }, 'bad_clock')
  if (!Number.isSafeInteger(at)) return badClock('Is no moment in time.')
  if (at > nowMs + serverLimits.futureMs)
    return badClock(
      new Sentence('{time} lies in the future: the server’s clock is ahead.', {
        time: new Date(Math.min(at, 8.64e15)).toISOString(),
      }),
    )
  if (at < nowMs - serverLimits.pastMs)
    return badClock(
      new Sentence('{time} lies more than seven days back.', { time: new Date(Math.max(at, 0)).toISOString() }),
    )
  return invalid({
    samples: [new Sentence('A batch has at most {n} different series.', { n: serverLimits.batchSeries })],
  })
}

const Remembered = z.record(z.string(), z.tuple([z.number(), z.number()]))

async function recall({ platform }: Services, monitorId: string): Promise<Memory> {
  const [row] = await rows(platform, serverMemory(monitorId))
  // a memory that cannot be parsed counts as empty: counters start again
  return Remembered.safeParse(row?.memory).data ?? {}
}

const noteSql = prepared(
  'server-reported',
  (
    monitorId: string,
    isStored: boolean,
    host: string | null,
    changed: string,
    processes: string | null,
    processesAt: Date | null,
    isMachine: boolean,
    isReport: boolean,
    newest: Date | null,
  ) => sql`
    update agent_monitors set last_seen_at = case when ${isReport} then clock_timestamp() else last_seen_at end,
      stored_at = case when ${isStored} then clock_timestamp() else stored_at end,
      host = coalesce(${host}::jsonb, host), memory = case when ${changed}::jsonb = '{}' then memory else memory ||
      ${changed}::jsonb end,
      processes = case when ${processesAt}::timestamptz >= coalesce(processes_at, '-infinity') then ${processes}::jsonb
        else processes end, processes_at = greatest(processes_at, ${processesAt}::timestamptz),
      host_heard_at = case when ${isMachine} then clock_timestamp() else host_heard_at end,
      newest_at = greatest(newest_at, ${newest}::timestamptz),
      late_since = case when ${newest}::timestamptz is null then late_since
        when greatest(newest_at, ${newest}::timestamptz) < clock_timestamp() - interval '1 minute'
          then coalesce(late_since, clock_timestamp()) end
    where monitor_id = ${monitorId}`,
)

/**
 * Stores when a server reported last, with its host, processes and memory. A report without any value that is known
 * here is none: of a machine that is dead, Prometheus goes on to send that it cannot reach it.
 */
async function note(
  { platform }: Services,
  monitorId: string,
  report: ServerReport | null,
  changed: Memory,
): Promise<void> {
  const { host, processes, readings = [] } = report ?? {}
  const isReport = report === null || readings.length > 0
  const newest = readings.reduce((last, { at }) => Math.max(last, at), Number.NEGATIVE_INFINITY)
  const rowCount = await affected(
    platform,
    noteSql(
      monitorId,
      report !== null && isReport,
      host ? JSON.stringify(host) : null,
      JSON.stringify(changed),
      processes ? JSON.stringify(processes.list) : null,
      processes ? new Date(processes.at) : null,
      Boolean(report?.machine) && isReport,
      isReport,
      Number.isFinite(newest) ? new Date(newest) : null,
    ),
  )
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

/** Answers 400 instead of 422 and 409, for agents that know one status for requests that must not be repeated. */
export async function asBadRequest<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (error) {
    throw error instanceof Refusal && (error.status === 422 || error.status === 409) ? badRequest(error) : error
  }
}

/** `more`: what else is to be said. */
export const badRequest = (refusal: Refusal, more = ''): Refusal =>
  new Refusal(400, refusal.code, more === '' ? firstReason(refusal) : `${firstReason(refusal)}${more}`, {
    ...(refusal.errors && { errors: refusal.errors }),
  })

export const firstReason = ({ errors, text }: Refusal): Text => Object.values(errors ?? {})[0]?.[0] ?? text

const serverMemory = prepared(
  'server-memory',
  (monitorId: string) => sql<Row<'agent_monitors', 'memory'>>`
    select memory from agent_monitors where monitor_id = ${monitorId}`,
)
