import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import { isTransient } from '#control-plane/base/away.ts'
import { Batch } from '#control-plane/base/batch.ts'
import type { Clock } from '#control-plane/base/clock.ts'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import { type BadRow, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import type { PushedReport } from '#control-plane/engine/verdicts/pushed-reports.ts'
import { rateKeyOfIp } from '#control-plane/http/rate.ts'
import { perServices, type Services } from '#control-plane/http/services.ts'
import { goesOnSql } from '#control-plane/tenancy/team-states/state.ts'
import { type FastPathPing, type KnownAddress, settingsHashSql, takeOnFastPath } from './fast-path.ts'
import { receive } from './heartbeat.ts'
import type { Report } from './report.ts'
import {
  type BeatChange,
  beatOf,
  contextOf,
  joinBeats,
  type StoredBeat,
  type StoredPing,
  selectBeats,
  storePings,
  writeBeats,
} from './row.ts'
import { type BeatRules, rulesOf } from './rules.ts'

/** A ping as it was received. */
export interface Arrival extends Report {
  address: string
  method: 'GET' | 'POST'
  ip: string
}

/** A ping that is stored. */
export interface Taken {
  state: string
  at: number
}

type LockedBeat = StoredBeat & {
  address: Row<'ping_addresses'>['id']
  is_former: boolean
  settings_hash: string
}

// all transactions lock rows in the same order, or two batches could wait for each other
const lockBeats = prepared(
  'lock-beats',
  (id: readonly string[]) => sql<LockedBeat>`
    select a.id as address, a.ends_at is not null as is_former, ${settingsHashSql} as settings_hash,
    ${selectBeats} from ping_addresses a join heartbeats h on h.check_id = a.check_id ${joinBeats}
    where a.id = any(${id}::uuid[]) and (a.ends_at is null or a.ends_at > clock_timestamp())
    and ${goesOnSql('pings')} order by h.check_id for update of h`,
)

const findAddresses = prepared(
  'find-ping-addresses',
  (addresses: readonly string[]) => sql<Row<'ping_addresses', 'id'>>`
    select a.id from ping_addresses a join tenants t on t.id = a.tenant_id
    where a.id = any(${addresses}::uuid[]) and (a.ends_at is null or a.ends_at > clock_timestamp())
    and ${goesOnSql('pings')}`,
)

/** How often a batch is written, or sooner when it is large: a ping waits a few milliseconds, and many share one commit. */
const pace = { everyMs: 8, largest: 500 }
const knownAtMost = 50_000
/** After this many refused pings in a row the pings are not the cause. */
const manyRefused = 20

/**
 * Stores pings, many in one transaction, and answers each only after it is stored. While one batch commits the next one
 * grows, so that a higher rate makes each ping cheaper.
 */
export class PingIntake {
  readonly #pool: Pool
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #known = new LRUCache<string, KnownAddress>({ max: knownAtMost })
  readonly #fastPath = new Batch(
    (pings: readonly FastPathPing[]) =>
      this.#noteFailure(pings, () => takeOnFastPath(this.#pool, pings, this.#clock.nowMs())),
    {
      ...pace,
      keyOf: ({ known }) => known.tenant,
    },
  )
  readonly #any = new Batch(
    (arrivals: readonly Arrival[]) => this.#noteFailure(arrivals, () => this.#store(arrivals)),
    {
      ...pace,
      keyOf: arrival => this.sharedBy(arrival),
    },
  )
  /** Strangers may try many addresses: they share statements. */
  readonly #existing = new Batch(async (addresses: readonly string[]) => {
    const stored = await rows(this.#pool, findAddresses(addresses))
    const found = new Set(stored.map(({ id }) => id))
    return addresses.map(address => found.has(address.toLowerCase()))
  })
  readonly #quarantine: Quarantine
  #failingSince: number | null = null
  #refusedInRow = 0

  constructor({ platform, clock, log }: Pick<Services, 'platform' | 'clock' | 'log'>) {
    this.#pool = platform
    this.#clock = clock
    this.#quarantine = new Quarantine({ platform, log })
  }

  /** The key by which the intake is shared fairly: the tenant of a known address, else the sender's IP address. */
  sharedBy({ address, ip }: Pick<Arrival, 'address' | 'ip'>): string {
    return this.#known.peek(address)?.tenant ?? rateKeyOfIp(ip)
  }

  /** The stored ping; null: the address does not exist. */
  async take(arrival: Arrival): Promise<Taken | null> {
    const known = isPlain(arrival) ? this.#known.get(arrival.address) : undefined
    const at = known
      ? await this.#fastPath.add({ address: arrival.address, method: arrival.method, ip: arrival.ip, known })
      : null
    return at === null ? this.#any.add(arrival) : { state: 'ok', at }
  }

  /** Whether the address exists. */
  async knows(address: string): Promise<boolean> {
    return this.#known.has(address) || this.#existing.add(address)
  }

  /** Since when nothing could be stored. Reading it resets it. */
  takeFailure(): number | null {
    const since = this.#failingSince
    this.#failingSince = null
    return since
  }

  async #store(arrivals: readonly Arrival[]): Promise<(Taken | null)[]> {
    const unreadable = new Map<string, BadRow>()
    const answers = await inTransaction(this.#pool, async client => {
      const found = await rows(client, lockBeats([...new Set(arrivals.map(({ address }) => address))]))
      const beats = new Map<string, BeatChange>()
      const counts = new Map<string, Counted>()
      const byAddress = new Map(found.map(row => [row.address, row]))
      const kept: Kept = { pings: [], unreadable: [], reports: [] }
      const now = this.#clock.nowMs()
      const answers: (Taken | null)[] = arrivals.map(() => null)
      const take = ([index, arrival]: [number, Arrival]) => {
        const row = byAddress.get(arrival.address)
        if (!row) return
        const rules = rulesOf(row.settings)
        const beat = beats.get(row.check_id) ?? changeOf(row)
        beats.set(row.check_id, beat)
        this.#known.set(row.address, {
          check: row.check_id,
          tenant: row.tenant_id,
          rules,
          settingsHash: row.settings_hash,
        })
        answers[index] = takeOne(beat, row, rules, arrival, now, kept)
      }
      await eachIsolated(arrivals.entries(), take, ([index, arrival], error) => {
        const row = byAddress.get(arrival.address)!
        unreadable.set(row.check_id, { key: row.check_id, tenant: row.tenant_id, error })
        const count = counts.get(row.check_id) ?? beats.get(row.check_id) ?? countOf(row)
        counts.set(row.check_id, count)
        beats.delete(row.check_id)
        answers[index] = keepOne(count, row, arrival, now, kept)
      })
      const { read = [], others = [] } = Object.groupBy(kept.pings, ping =>
        unreadable.has(ping.check_id) ? 'others' : 'read',
      )
      const reports = kept.reports.filter(report => !unreadable.has(report.check))
      if (read.length > 0) await writeBeats(client, [...beats.values()], read, reports)
      if (unreadable.size > 0) await storePings(client, [...others, ...kept.unreadable])
      return answers
    })
    await this.#quarantine.note('heartbeat', [...unreadable.values()])
    return answers
  }

  /** Notes when pings cannot be stored, so that silence is excused. A single refused ping excuses none. */
  async #noteFailure<T>(pings: readonly unknown[], store: () => Promise<T>): Promise<T> {
    const began = this.#clock.nowMs()
    try {
      const stored = await store()
      this.#refusedInRow = 0
      return stored
    } catch (error) {
      if (pings.length === 1 && !isTransient(error)) this.#refusedInRow++
      if (isTransient(error) || this.#refusedInRow >= manyRefused) this.#failingSince ??= began
      throw error
    }
  }
}

const isPlain = ({ state, runId, exitCode, output }: Arrival) =>
  state === 'ok' && runId === null && exitCode === null && output === null

type Counted = Pick<BeatChange, 'pings' | 'lastPingAt' | 'lastState'>

/** What a batch of pings is stored as. */
interface Kept {
  pings: StoredPing[]
  /** Pings of heartbeats whose rules cannot be parsed. */
  unreadable: StoredPing[]
  reports: PushedReport[]
}

const countOf = (row: StoredBeat): Counted => ({
  pings: Number(row.pings),
  lastPingAt: row.last_ping_at,
  lastState: row.last_state,
})
const changeOf = (row: StoredBeat): BeatChange => ({ check_id: row.check_id, beat: beatOf(row), ...countOf(row) })

function takeOne(
  beats: BeatChange,
  row: LockedBeat,
  rules: BeatRules,
  arrival: Arrival,
  now: number,
  kept: Kept,
): Taken {
  const at = momentOf(beats, now)
  const { fail_keyword } = rules.settings
  const isFailed =
    fail_keyword !== null &&
    (arrival.state === 'ok' || arrival.state === 'complete') &&
    arrival.output?.includes(fail_keyword)
  const state = isFailed ? 'fail' : arrival.state
  const { durationMs, report } = receive(beats.beat, rules, { ...arrival, state }, at, contextOf(row))
  if (report) kept.reports.push({ check: row.check_id, ...report, excerpt: arrival.output?.slice(-1_000) ?? null })
  kept.pings.push(pingOf(beats, row, { ...arrival, state }, at, durationMs))
  return { state, at }
}

/** Stores a ping that changes no outcome. */
function keepOne(count: Counted, row: LockedBeat, arrival: Arrival, now: number, kept: Kept): Taken {
  const at = momentOf(count, now)
  kept.unreadable.push(pingOf(count, row, arrival, at, null))
  return { state: arrival.state, at }
}

/** The clocks of two processes may differ by some milliseconds: a later ping must not have an earlier time. */
const momentOf = ({ lastPingAt }: Counted, now: number) => Math.max(now, Math.ceil(lastPingAt ?? 0))

function pingOf(count: Counted, row: LockedBeat, arrival: Arrival, at: number, durationMs: number | null): StoredPing {
  count.pings++
  count.lastPingAt = at
  count.lastState = arrival.state
  return {
    check_id: row.check_id,
    tenant_id: row.tenant_id,
    number: count.pings,
    at_ms: at,
    state: arrival.state,
    method: arrival.method,
    run_id: arrival.runId,
    exit_code: arrival.exitCode,
    duration_ms: durationMs,
    output: arrival.output,
    ip: arrival.ip || null,
    is_former_url: row.is_former,
  }
}

/** This process's intake. */
export const intakeOf = perServices(services => new PingIntake(services))
