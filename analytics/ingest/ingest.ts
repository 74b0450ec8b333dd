import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { ClickHouseClient } from '#analytics/client.ts'
import { type Ack, BatchHeader, limits, type RefusalReason, type Result } from '#contract/agent.ts'
import { type Judged, judge } from './judge.ts'
import type { AssignedCheck, Decide, FindAssigned, Observation } from './observation.ts'
import { PreviousFindings } from './previous-findings.ts'
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
  | ({ status: 200 } & Accepted)
  | { status: 400 | 409 | 413; reason: string }
  | { status: 503; reason: string; retryAfterS: number }

/** What was accepted of a batch. */
export interface Accepted {
  ack: Ack
  header: BatchHeader
  /** Milliseconds since the newest run of the batch. */
  lagMs: number | null
}

/** Metrics of ingest. Labels are bounded: regions are set by the operator, reasons are a closed set. */
export interface IngestMetrics {
  /** Decided on. */
  accepted(region: string, results: number): void
  refused(region: string, reason: RefusalReason | 'purged', results: number): void
  batch(status: IngestReply['status']): void
  lag(region: string, milliseconds: number): void
}

export interface IngestOptions extends Pick<StoreOptions, 'concurrency' | 'maxRows' | 'everyMs' | 'stalledAfterMs'> {
  clickhouse: ClickHouseClient
  findAssigned: FindAssigned
  decide: Decide
  /** Milliseconds of the server's clock. */
  now: () => number
  /** Whether a tenant was purged: late results must not restore its rows. */
  isPurged?: (tenant: string) => boolean
  /** Checks that are tried without being stored. */
  tries?: Tries
  /** A requested run was decided on. */
  onRequestedRun?: (run: RequestedRun) => void
  /** Results were decided on. */
  onDecided?: (observations: readonly Observation[]) => void
  /** Results that were decided on are stored, or not yet. */
  onStored?: (observations: readonly Observation[], isStored: boolean) => void
  /** Closed hours received results, certainly or possibly: a failed batch may have been stored. */
  onTouched?: (touched: readonly Touched[]) => void
  metrics?: IngestMetrics
  onError?: (error: unknown) => void
  /** A result could not be read, judged or stored, and is lost; the other results of its batch are not. */
  onLost?: (check: string, tenant: string, error: unknown) => void
  /** Most concurrent batches that are not decided on yet; the sender of another one is asked to retry. */
  maxBatches?: number
}

/** A result that a person waits for. `row`: as it is stored. */
export interface RequestedRun {
  request: string
  check: string
  region: string
  row: string
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
  /**
   * Takes a batch of new results. `onDecided` is called once they are decided on; resolves once they are stored, with
   * 503 if they are not.
   */
  take(
    packed: Buffer,
    encoding: string | undefined,
    sender: Sender,
    onDecided?: (accepted: Accepted) => void,
  ): Promise<IngestReply>
  /** Stores results that were decided on before. */
  store(packed: Buffer, encoding: string | undefined, sender: Sender): Promise<IngestReply>
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
/** Most concurrent batches of results that were decided on before. */
const mostStoring = 8
const maxHeaderBytes = 65_536

const busy: IngestReply = { status: 503, reason: 'Too many batches are in progress.', retryAfterS: 1 }

/** Places where batches wait for their turn, so that few are in memory unpacked, and are read one at a time. */
class Entrance {
  readonly unpacking: Semaphore
  readonly reading = new Semaphore(1)

  constructor(unpacked: number) {
    this.unpacking = new Semaphore(unpacked)
  }
}

/**
 * Handles a batch: decompress, validate each row, judge it, let the verdict engine decide, and store it. Deciding
 * precedes storing and never waits for it, so that every stored result was decided, and a store that is away delays no
 * verdict. What was decided and not stored is sent again to be stored alone. After a crash in between the agent sends
 * the batch again; both steps are idempotent.
 */
export function ingest(options: IngestOptions): Ingest {
  const { clickhouse, decide, now, metrics, maxBatches = 64 } = options
  const store = new Store({
    ...options,
    onRefused: ([tenant, , check], error) => options.onLost?.(String(check), String(tenant), error),
  })
  const previousFindings = new PreviousFindings(clickhouse, error => options.onError?.(error))
  // batches are read one at a time, so they are decided in the order of arrival; those to be stored alone do not
  // delay them
  const [toDecide, toStore] = [new Entrance(3), new Entrance(1)]
  let [deciding, storing, again] = [0, 0, 0]
  let batches = 0

  async function read(
    packed: Buffer,
    encoding: string | undefined,
    sender: Sender,
    entrance: Entrance,
    onRead: (batch: ReadBatch) => void = () => undefined,
  ): Promise<ReadBatch | IngestReply> {
    const receivedAt = Math.floor(now())
    const version = versionOf(receivedAt, batches++)
    const done = await entrance.unpacking.acquire()
    try {
      const batch = await unpack(packed, encoding)
      if (batch === 'too_large')
        return { status: 413, reason: `A batch has at most ${limits.batchBytesUnpacked} bytes decompressed.` }
      if (batch === 'unreadable') return { status: 400, reason: 'The batch cannot be decompressed.' }
      const finished = await entrance.reading.acquire()
      try {
        const read = await readBatch(batch, { sender, receivedAt, version, previousFindings, options })
        if (!('status' in read)) onRead(read)
        return read
      } finally {
        finished()
      }
    } finally {
      done()
    }
  }

  async function take(
    packed: Buffer,
    encoding: string | undefined,
    sender: Sender,
    onDecided?: (accepted: Accepted) => void,
  ): Promise<IngestReply> {
    if (deciding >= maxBatches) return busy
    deciding++
    let isDecided = false
    try {
      let decided: Promise<void> = Promise.resolve()
      const batch = await read(packed, encoding, sender, toDecide, ({ observations }) => {
        if (observations.length > 0) decided = decide(observations)
        decided.catch(() => {})
      })
      if ('status' in batch) return batch
      await decided
      isDecided = true
      deciding--
      const accepted = acceptedOf(batch)
      count(batch, accepted, sender)
      options.onDecided?.(batch.observations)
      for (const run of batch.requestedRuns) options.onRequestedRun?.({ ...run, region: sender.region })
      onDecided?.(accepted)
      return await put(batch, accepted, mayGather(batch) ? gather.ms : 0)
    } catch (error) {
      options.onError?.(error)
      return { status: 503, reason: 'The results could not be decided on.', retryAfterS: 2 }
    } finally {
      if (!isDecided) deciding--
    }
  }

  /** Stores what was decided on. */
  async function put(batch: ReadBatch, accepted: Accepted, gatherMs: number): Promise<IngestReply> {
    storing++
    let isStored = false
    try {
      if (batch.accepted > 0) await store.insert(batch.chunks, batch.accepted, gatherMs)
      isStored = true
      return { status: 200, ...accepted, ack: { ...accepted.ack, now_ms: now() } }
    } catch (error) {
      options.onError?.(error)
      return { status: 503, reason: 'The results could not be stored.', retryAfterS: 2 }
    } finally {
      storing--
      options.onStored?.(batch.observations, isStored)
      if (batch.touched.length > 0) options.onTouched?.(batch.touched)
    }
  }

  const acceptedOf = ({ accepted, refused, header, newestAt, receivedAt }: ReadBatch): Accepted => ({
    ack: { accepted, refused, now_ms: now() },
    header,
    lagMs: newestAt === null ? null : Math.max(0, receivedAt - newestAt),
  })

  function count(batch: ReadBatch, { lagMs }: Accepted, sender: Sender) {
    metrics?.accepted(sender.region, batch.accepted)
    countRefused(batch, sender)
    if (lagMs !== null) metrics?.lag(sender.region, lagMs)
  }

  function countRefused({ refused, purged }: ReadBatch, { region }: Sender) {
    for (const [reason, rows] of Map.groupBy(refused, row => row.reason))
      metrics?.refused(region, reason, rows.length - (reason === 'not_assigned' ? purged : 0))
    metrics?.refused(region, 'purged', purged)
  }

  return {
    async take(packed, encoding, sender, onDecided) {
      const taken = await take(packed, encoding, sender, onDecided)
      metrics?.batch(taken.status)
      return taken
    },
    async store(packed, encoding, sender) {
      if (again >= mostStoring) return busy
      again++
      try {
        const batch = await read(packed, encoding, sender, toStore)
        if ('status' in batch) return batch
        countRefused(batch, sender)
        return await put(batch, acceptedOf(batch), 0)
      } finally {
        again--
      }
    },
    forget: (region, check) => previousFindings.forget(region, check),
    get inProgress() {
      return deciding + storing
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
  requestedRuns: Omit<RequestedRun, 'region'>[]
  touched: Touched[]
  newestAt: number | null
  receivedAt: number
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
  const requestedRuns: ReadBatch['requestedRuns'] = []
  const touched = new Map<number, Map<string, string>>()
  const previous = previousFindings.of(region)
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
        let judged = judge(result, check, previous)
        const loading = judged?.usesPrevious ? previousFindings.load(region, check.kind) : undefined
        if (loading) {
          await loading
          judged = judge(result, check, previous)
        }
        if (!judged) {
          refused.push({ seq: result.seq, reason: 'malformed' })
          continue
        }
        const row = encodeRow(result, check, judged, origin)
        observations.push(observe(result, check, judged, origin))
        rows += row
        if (judged.usesPrevious) previousFindings.record(region, result.check, result.due, result.attempt, judged.seen)
        if (result.reason === 'asked' && result.request)
          requestedRuns.push({ request: result.request, check: result.check, row })
      } catch (error) {
        // a retry of the batch would fail again, and with it all other results of the batch
        refused.push({ seq: result.seq, reason: 'malformed' })
        options.onLost?.(result.check, check.tenant, error)
        continue
      }
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
    newestAt,
    receivedAt,
  }
}

const mayGather = ({ newestAt, requestedRuns, receivedAt }: ReadBatch) =>
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
  if (text.length > maxHeaderBytes) return undefined
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

/** Whether a run connected to the host of its monitor: no redirect led elsewhere. Of other kinds that is not known. */
const isOwnHost = (kind: string, seen: Judged['seen']): boolean =>
  kind === 'tcp' || kind === 'ping' || (kind === 'uptime' && seen?.redirects === 0)

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
      address: isOwnHost(check.kind, seen) ? (result.address ?? null) : null,
    },
    snapshot,
  }
}
