import { setImmediate as turn } from 'node:timers/promises'
import { isMarkedAway, markAway } from '#analytics/away.ts'
import type { ClickHouseClient } from '#analytics/client.ts'
import { type Ack, BatchHeader, limits, type RefusalReason, type Result } from '#contract/agent.ts'
import { type Judged, judge } from './judge.ts'
import { type Draft, Memory } from './memory.ts'
import type { AssignedCheck, Decide, FindAssigned, Observation } from './observation.ts'
import { readResult, readSeq } from './result.ts'
import { encodeRow, statusOf, versionOf } from './rows.ts'
import { Store, type StoreOptions } from './store.ts'
import { Turns } from './turns.ts'
import { linesOf, unpack } from './unpack.ts'

/** The agent whose access token came with the batch. What it says of its region is not asked. */
export interface Sender {
  id: string
  region: string
  /** Of its lease as we know it: a batch of another generation comes from one that was replaced. */
  generation: number
}

export type Taken =
  | {
      status: 200
      ack: Ack
      header: BatchHeader /** Milliseconds since the newest look of the batch. */
      lagMs: number | null
    }
  | { status: 400 | 409 | 413; reason: string }
  | { status: 503; reason: string; retryAfterS: number }

/** What ingest counts. Labels are bounded: regions are the operator's, reasons a closed set. */
export interface IngestMetrics {
  accepted(region: string, results: number): void
  refused(region: string, reason: RefusalReason | 'purged', results: number): void
  batch(status: Taken['status']): void
  lag(region: string, milliseconds: number): void
}

export interface IngestOptions extends Pick<StoreOptions, 'lanes' | 'maxRows'> {
  clickhouse: ClickHouseClient
  findAssigned: FindAssigned
  decide: Decide
  /** Milliseconds of the server's clock. */
  now: () => number
  /** Whether a tenant is gone for good: late results must not bring back a row of it. */
  isPurged?: (tenant: string) => boolean
  /** A look that someone asked for is stored. */
  onLooked?: (request: string, check: string, region: string) => void
  /** Hours that are over got results, for sure or perhaps: a batch that failed may still have been stored. */
  onTouched?: (touched: readonly Touched[]) => void
  metrics?: IngestMetrics
  onError?: (error: unknown) => void
  /** A result of a check that could not be read, judged or stored, and is lost; the others of its batch are not. */
  onBad?: (check: string, tenant: string, error: unknown) => void
  /** Batches held at once; one more is told to come again. */
  maxBatches?: number
}

/** A monitor's hour, by its start in milliseconds. */
export interface Touched {
  tenant: string
  monitor: string
  hour: number
}

export interface Ingest {
  take(packed: Buffer, encoding: string | undefined, sender: Sender): Promise<Taken>
  /** Forgets what was remembered of a check that is no longer looked at. */
  forget(region: string, check: string): void
  readonly inWork: number
}

/** Longest stretch of work between two turns of the event loop. */
const sliceMs = 6
const hourMs = 3_600_000

/**
 * What becomes of a batch: unpack, check each row against the rules, judge it, let the verdicts be decided, store, and only then
 * acknowledge. Deciding goes before storing, so that whatever is found stored after a crash was decided; a crash in between makes
 * the agent send again, and neither step minds a repetition.
 */
export function ingest(options: IngestOptions): Ingest {
  const { clickhouse, decide, now, metrics, maxBatches = 64 } = options
  const store = new Store({
    ...options,
    onRefused: ([tenant, , check], error) => options.onBad?.(String(check), String(tenant), error),
  })
  const memory = new Memory(clickhouse)
  const unpacking = new Turns(3)
  const reading = new Turns(1) // one batch is read at a time, so batches are decided in the order in which they arrived
  let inWork = 0
  let batches = 0

  async function take(packed: Buffer, encoding: string | undefined, sender: Sender): Promise<Taken> {
    if (inWork >= maxBatches) return { status: 503, reason: 'Too many batches are in work.', retryAfterS: 1 }
    inWork++
    const receivedAt = Math.floor(now())
    const version = versionOf(receivedAt, batches++)
    const done = await unpacking.take()
    let touched: readonly Touched[] = []
    try {
      const batch = await unpack(packed, encoding)
      if (batch === 'too_large')
        return { status: 413, reason: `A batch has at most ${limits.batchBytesUnpacked} bytes unpacked.` }
      if (batch === 'unreadable') return { status: 400, reason: 'The batch cannot be unpacked.' }

      const finished = await reading.take()
      let read: ReadBatch | Taken
      let decided: Promise<void> = Promise.resolve()
      try {
        read = await readBatch(batch, { sender, receivedAt, version, memory, options })
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
      if (accepted > 0) await store.insert(read.chunks, accepted)
      memory.keep(draft)
      for (const { request, check } of read.asked) options.onLooked?.(request, check, sender.region)

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
      inWork--
    }
  }

  return {
    async take(packed, encoding, sender) {
      const taken = await take(packed, encoding, sender)
      metrics?.batch(taken.status)
      return taken
    },
    forget: (region, check) => memory.forget(region, check),
    get inWork() {
      return inWork
    },
  }
}

interface ReadBatch {
  header: BatchHeader
  accepted: number
  refused: Ack['refused']
  /** Results of purged tenants: to the agent they are not assigned, like those of any deleted check. */
  purged: number
  observations: Observation[]
  chunks: Buffer[]
  asked: { request: string; check: string }[]
  touched: Touched[]
  draft: Draft
  newestAt: number | null
}

interface Reading {
  sender: Sender
  receivedAt: number
  version: number
  memory: Memory
  options: IngestOptions
}

async function readBatch(
  batch: Buffer,
  { sender, receivedAt, version, memory, options }: Reading,
): Promise<ReadBatch | Taken> {
  const { region } = sender
  const origin = { region, agent: sender.id, receivedAt, version }
  const refused: Ack['refused'] = []
  const observations: Observation[] = []
  const chunks: Buffer[] = []
  const asked: { request: string; check: string }[] = []
  const touched = new Map<number, Map<string, string>>()
  const draft = memory.draft(region)
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
        if (!header) return { status: 400, reason: 'The first line is no header of a batch.' }
        if (header.generation !== sender.generation)
          return { status: 409, reason: 'The region is held by a newer agent.' }
        continue
      }
      if (++line > limits.batchResults)
        return { status: 413, reason: `A batch has at most ${limits.batchResults} results.` }
      const result = readResult(text)
      if (!result) {
        refused.push({ seq: readSeq(text) ?? header.first + line - 1, reason: 'malformed' })
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
        const loading = judged?.hasLookedBack ? memory.load(region, check.kind) : undefined
        if (loading) {
          // a store that cannot be read is no fault of the result
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
        if (judged.hasLookedBack) draft.note(result.check, result.due, result.attempt, judged.seen)
      } catch (error) {
        // sent again it would fail again, and with it all that came in its batch
        if (isMarkedAway(error)) throw error
        refused.push({ seq: result.seq, reason: 'malformed' })
        options.onBad?.(result.check, check.tenant, error)
        continue
      }
      if (result.reason === 'asked' && result.request) asked.push({ request: result.request, check: result.check })
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
      await turn()
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
    asked,
    touched: hours,
    draft,
    newestAt,
  }
}

function readHeader(text: string): BatchHeader | undefined {
  try {
    return BatchHeader.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** Why a row is not taken, whatever it says of the target. */
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
  { judgement, seen, facts }: Judged,
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
    suspect: result.is_unreliable === true,
    evidence: {
      phases: result.phases,
      error: judgement.status === 'up' ? null : { code: judgement.code, message: judgement.reason },
      http_status: statusOf(seen),
      excerpt: result.excerpt ?? null,
      address: result.address ?? null,
    },
    facts,
  }
}
