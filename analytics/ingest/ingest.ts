import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { isMarkedAway, markAway } from '#analytics/away.ts'
import type { ClickHouseClient } from '#analytics/client.ts'
import { type Ack, BatchHeader, limits, type RefusalReason, type Result } from '#contract/agent.ts'
import { type Judged, judge } from './judge.ts'
import type { AssignedCheck, Decide, FindAssigned, Observation } from './observation.ts'
import { type Draft, PreviousFindings } from './previous-findings.ts'
import { readResult, readSeq } from './result.ts'
import { encodeRow, statusOf, versionOf } from './rows.ts'
import { Semaphore } from './semaphore.ts'
import { Store, type StoreOptions } from './store.ts'
import { linesOf, unpack } from './unpack.ts'

/** The agent whose access token came with the batch. The region that the batch itself names is not trusted. */
export interface Sender {
  id: string
  region: string
  /** Generation of its assignment: a batch of another generation comes from a replaced agent. */
  generation: number
}

export type IngestReply =
  | {
      status: 200
      ack: Ack
      header: BatchHeader /** Milliseconds since the newest run of the batch. */
      lagMs: number | null
    }
  | { status: 400 | 409 | 413; reason: string }
  | { status: 503; reason: string; retryAfterS: number }

/** Metrics of ingest. Labels are bounded: regions are set by the operator, reasons are a closed set. */
export interface IngestMetrics {
  accepted(region: string, results: number): void
  refused(region: string, reason: RefusalReason | 'purged', results: number): void
  batch(status: IngestReply['status']): void
  lag(region: string, milliseconds: number): void
}

export interface IngestOptions extends Pick<StoreOptions, 'concurrency' | 'maxRows' | 'everyMs'> {
  clickhouse: ClickHouseClient
  findAssigned: FindAssigned
  decide: Decide
  /** Milliseconds of the server's clock. */
  now: () => number
  /** Whether a tenant was purged: late results must not restore its rows. */
  isPurged?: (tenant: string) => boolean
  /** Checks that are tried without being stored. */
  tries?: Tries
  /** A requested run was stored. */
  onRequestedRun?: (request: string, check: string, region: string) => void
  /** Results were stored and decided. */
  onStored?: (observations: readonly Observation[]) => void
  /** Closed hours received results, certainly or possibly: a failed batch may have been stored. */
  onTouched?: (touched: readonly Touched[]) => void
  metrics?: IngestMetrics
  onError?: (error: unknown) => void
  /** A result could not be read, judged or stored, and is lost; the other results of its batch are not. */
  onLost?: (check: string, tenant: string, error: unknown) => void
  /** Most concurrent batches; the sender of another one is asked to retry. */
  maxBatches?: number
}

/** Checks that are tried: their results are judged and passed on, and neither decided nor stored. */
export interface Tries {
  find(region: string, check: string): AssignedCheck | undefined
  completed(region: string, result: Result, judged: Judged): void
}

/** A monitor's hour, by its start in milliseconds. */
export interface Touched {
  tenant: string
  monitor: string
  hour: number
}

export interface Ingest {
  take(packed: Buffer, encoding: string | undefined, sender: Sender): Promise<IngestReply>
  /** Removes what is stored of a check that is no longer run. */
  forget(region: string, check: string): void
  readonly inProgress: number
}

/**
 * Agents of all regions send at the same time, and a batch waits this long for those of other regions. A backlog, which
 * is sent as fast as it is stored, does not wait, nor does a run that a person waits for.
 */
const gather = { ms: 200, newestMs: 10_000 } as const

/** Longest synchronous work before yielding to the event loop. */
const sliceMs = 6
const hourMs = 3_600_000

/**
 * Handles a batch: decompress, validate each row, judge it, let the verdict engine decide, store, and only then
 * acknowledge. Deciding precedes storing, so that every stored result was decided; after a crash in between the agent
 * sends the batch again, and both steps are idempotent.
 */
export function ingest(options: IngestOptions): Ingest {
  const { clickhouse, decide, now, metrics, maxBatches = 64 } = options
  const store = new Store({
    ...options,
    onRefused: ([tenant, , check], error) => options.onLost?.(String(check), String(tenant), error),
  })
  const previousFindings = new PreviousFindings(clickhouse)
  const unpacking = new Semaphore(3)
  const reading = new Semaphore(1) // batches are read one at a time, so they are decided in the order of arrival
  let inProgress = 0
  let batches = 0

  async function take(packed: Buffer, encoding: string | undefined, sender: Sender): Promise<IngestReply> {
    if (inProgress >= maxBatches) return { status: 503, reason: 'Too many batches are in progress.', retryAfterS: 1 }
    inProgress++
    const receivedAt = Math.floor(now())
    const version = versionOf(receivedAt, batches++)
    const done = await unpacking.acquire()
    let touched: readonly Touched[] = []
    try {
      const batch = await unpack(packed, encoding)
      if (batch === 'too_large')
        return { status: 413, reason: `A batch has at most ${limits.batchBytesUnpacked} bytes decompressed.` }
      if (batch === 'unreadable') return { status: 400, reason: 'The batch cannot be decompressed.' }

      const finished = await reading.acquire()
      let read: ReadBatch | IngestReply
      let decided: Promise<void> = Promise.resolve()
      try {
        read = await readBatch(batch, { sender, receivedAt, version, previousFindings, options })
        if ('status' in read) return read
        if (read.observations.length > 0) decided = decide(read.observations)
        decided.catch(() => {})
      } finally {
        finished()
        done()
      }
      const { header, accepted, refused, draft } = read
      await decided
      touched = read.touched
      if (accepted > 0) await store.insert(read.chunks, accepted, mayGather(read, receivedAt) ? gather.ms : 0)
      previousFindings.apply(draft)
      options.onStored?.(read.observations)
      for (const { request, check } of read.requestedRuns) options.onRequestedRun?.(request, check, sender.region)

      const lagMs = read.newestAt === null ? null : Math.max(0, receivedAt - read.newestAt)
      metrics?.accepted(sender.region, accepted)
      for (const [reason, rows] of Map.groupBy(refused, row => row.reason))
        metrics?.refused(sender.region, reason, rows.length - (reason === 'not_assigned' ? read.purged : 0))
      metrics?.refused(sender.region, 'purged', read.purged)
      if (lagMs !== null) metrics?.lag(sender.region, lagMs)
      return { status: 200, ack: { accepted, refused, now_ms: now() }, header, lagMs }
    } catch (error) {
      options.onError?.(error)
      return { status: 503, reason: 'The results could not be stored.', retryAfterS: 2 }
    } finally {
      done()
      if (touched.length > 0) options.onTouched?.(touched)
      inProgress--
    }
  }

  return {
    async take(packed, encoding, sender) {
      const taken = await take(packed, encoding, sender)
      metrics?.batch(taken.status)
      return taken
    },
    forget: (region, check) => previousFindings.forget(region, check),
    get inProgress() {
      return inProgress
    },
  }
}

interface ReadBatch {
  header: BatchHeader
  accepted: number
  refused: Ack['refused']
  /** Results of purged tenants: they are refused as `not_assigned`, as for any deleted check. */
  purged: number
  observations: Observation[]
  chunks: Buffer[]
  requestedRuns: { request: string; check: string }[]
  touched: Touched[]
  draft: Draft
  newestAt: number | null
}

interface Reading {
  sender: Sender
  receivedAt: number
  version: number
  previousFindings: PreviousFindings
  options: IngestOptions
}

async function readBatch(
  batch: Buffer,
  { sender, receivedAt, version, previousFindings, options }: Reading,
): Promise<ReadBatch | IngestReply> {
  const { region } = sender
  const origin = { region, agent: sender.id, receivedAt, version }
  const refused: Ack['refused'] = []
  const observations: Observation[] = []
  const chunks: Buffer[] = []
  const requestedRuns: { request: string; check: string }[] = []
  const touched = new Map<number, Map<string, string>>()
  const draft = previousFindings.draft(region)
  const openHour = Math.floor(receivedAt / hourMs) * hourMs
  let header: BatchHeader | undefined
  let line = 0
  let purged = 0
  let newestAt: number | null = null
  let began = performance.now()

  for (const lines of linesOf(batch)) {
    let rows = ''
    for (const text of lines) {
      if (text === '') continue
      if (!header) {
        header = readHeader(text)
        if (!header) return { status: 400, reason: 'The first line is not a batch header.' }
        if (header.generation !== sender.generation)
          return { status: 409, reason: 'The region is served by a newer agent.' }
        continue
      }
      if (++line > limits.batchResults)
        return { status: 413, reason: `A batch has at most ${limits.batchResults} results.` }
      const result = readResult(text)
      if (!result) {
        refused.push({ seq: readSeq(text) ?? header.first + line - 1, reason: 'malformed' })
        continue
      }
      const tried = options.tries?.find(region, result.check)
      if (tried) {
        const reason = tryResult(region, result, tried, { receivedAt, tries: options.tries })
        if (reason) refused.push({ seq: result.seq, reason })
        continue
      }
      const assigned = options.findAssigned(region, result.check, result.at)
      const isPurged = assigned !== undefined && options.isPurged?.(assigned.tenant) === true
      if (isPurged) purged++
      const check = isPurged ? undefined : assigned
      const reason = refusalOf(result, check, receivedAt)
      if (reason || !check) {
        refused.push({ seq: result.seq, reason: reason ?? 'not_assigned' })
        continue
      }
      try {
        let judged = judge(result, check, draft)
        const loading = judged?.usesPrevious ? previousFindings.load(region, check.kind) : undefined
        if (loading) {
          // an unreadable store is not the result's fault
          await loading.catch(error => Promise.reject(markAway(error)))
          judged = judge(result, check, draft)
        }
        if (!judged) {
          refused.push({ seq: result.seq, reason: 'malformed' })
          continue
        }
        const row = encodeRow(result, check, judged, origin)
        observations.push(observe(result, check, judged, origin))
        rows += row
        if (judged.usesPrevious) draft.record(result.check, result.due, result.attempt, judged.seen)
      } catch (error) {
        // a retry of the batch would fail again, and with it all other results of the batch
        if (isMarkedAway(error)) throw error
        refused.push({ seq: result.seq, reason: 'malformed' })
        options.onLost?.(result.check, check.tenant, error)
        continue
      }
      if (result.reason === 'asked' && result.request)
        requestedRuns.push({ request: result.request, check: result.check })
      if (newestAt === null || result.at > newestAt) newestAt = result.at
      if (result.due < openHour) {
        const hour = Math.floor(result.due / hourMs) * hourMs
        const monitors = touched.get(hour)
        if (monitors) monitors.set(check.monitor, check.tenant)
        else touched.set(hour, new Map([[check.monitor, check.tenant]]))
      }
    }
    if (rows !== '') chunks.push(Buffer.from(rows))
    if (performance.now() - began > sliceMs) {
      await yieldToEventLoop()
      began = performance.now()
    }
  }
  if (!header) return { status: 400, reason: 'The batch is empty.' }
  const hours = [...touched].flatMap(([hour, monitors]) =>
    [...monitors].map(([monitor, tenant]) => ({ tenant, monitor, hour })),
  )
  return {
    header,
    accepted: observations.length,
    refused,
    purged,
    observations,
    chunks,
    requestedRuns,
    touched: hours,
    draft,
    newestAt,
  }
}

const mayGather = ({ newestAt, requestedRuns }: ReadBatch, receivedAt: number) =>
  newestAt !== null && receivedAt - newestAt < gather.newestMs && requestedRuns.length === 0

/** A tried check has no previous results. */
const nothingPrevious = { recall: () => undefined }

function tryResult(
  region: string,
  result: Result,
  check: AssignedCheck,
  { receivedAt, tries }: { receivedAt: number; tries: Tries | undefined },
): RefusalReason | undefined {
  const reason = refusalOf(result, check, receivedAt)
  if (reason) return reason
  const judged = judge(result, check, nothingPrevious)
  if (!judged) return 'malformed'
  tries?.completed(region, result, judged)
  return undefined
}

function readHeader(text: string): BatchHeader | undefined {
  try {
    return BatchHeader.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** Why a row is refused, regardless of its outcome. */
function refusalOf(result: Result, check: AssignedCheck | undefined, now: number): RefusalReason | undefined {
  if (!check) return 'not_assigned'
  if (check.kind !== result.kind) return 'wrong_kind'
  if (Math.max(result.due, result.at) > now + limits.futureMs) return 'future'
  if (Math.min(result.due, result.at) < now - limits.pastMs) return 'too_old'
  if ((result.seen === undefined) === (result.fault === undefined)) return 'malformed'
  return undefined
}

function observe(
  result: Result,
  check: AssignedCheck,
  { judgement, seen, snapshot }: Judged,
  { region, receivedAt }: { region: string; receivedAt: number },
): Observation {
  return {
    check: result.check,
    monitor: check.monitor,
    tenant: check.tenant,
    region,
    due: result.due,
    attempt: result.attempt,
    at: result.at,
    receivedAt,
    judgement,
    isUnreliable: result.is_unreliable === true,
    evidence: {
      phases: result.phases,
      error: judgement.status === 'up' ? null : { code: judgement.code, message: judgement.reason },
      http_status: statusOf(seen),
      excerpt: result.excerpt ?? null,
      address: result.address ?? null,
    },
    snapshot,
  }
}
