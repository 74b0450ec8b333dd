import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import { isTransient } from '#control-plane/base/away.ts'
import { Batch } from '#control-plane/base/batch.ts'
import type { Clock } from '#control-plane/base/clock.ts'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import { type BadRow, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import type { Row } from '#control-plane/db/queries.ts'
import type { PushedReport } from '#control-plane/engine/verdicts/pushed-reports.ts'
import { rateKeyOfIp } from '#control-plane/http/rate.ts'
import { perServices, type Services } from '#control-plane/http/services.ts'
import { receive } from './heartbeat.ts'
import type { Report } from './report.ts'
import {
  aroundOf,
  type BeatChange,
  beatOf,
  joinBeats,
  type KeptPing,
  keepPings,
  type StoredBeat,
  selectBeats,
  writeBeats,
} from './row.ts'
import { type BeatRules, rulesOf } from './rules.ts'
import { type KnownAddress, settingsHashSql, takeUsual, type UsualPing } from './usual.ts'

/** A ping as it arrived at an address. */
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

// rows are locked in one order by everybody, or two groups could wait for each other
const hold = `
  select a.id as address, a.ends_at is not null as is_former, ${settingsHashSql} as settings_hash, ${selectBeats}
  from ping_addresses a join heartbeats h on h.check_id = a.check_id ${joinBeats}
  where a.id = any($1::uuid[]) and (a.ends_at is null or a.ends_at > clock_timestamp()) and t.deleted_at is null
  order by h.check_id for update of h`

const know = `
  select 1 from ping_addresses a join tenants t on t.id = a.tenant_id
  where a.id = $1 and (a.ends_at is null or a.ends_at > clock_timestamp()) and t.deleted_at is null`

/** A group leaves so often while pings come, or sooner when it is large: a few milliseconds for a ping, and many share one commit. */
const pace = { everyMs: 8, largest: 500 }
const knownAtMost = 50_000
/** So many pings that are refused one after the other are no longer the pings' fault. */
const manyRefused = 20

/**
 * Takes pings in: many in one transaction, and nobody is told that a ping was taken before it is stored. While one group commits the next
 * gathers, so that the more arrive the less each costs.
 */
export class PingIntake {
  readonly #pool: Pool
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #known = new LRUCache<string, KnownAddress>({ max: knownAtMost })
  readonly #usual = new Batch(
    (pings: readonly UsualPing[]) => this.#noting(pings, () => takeUsual(this.#pool, pings, this.#clock.nowMs())),
    {
      ...pace,
      keyOf: ({ known }) => known.tenant,
    },
  )
  readonly #any = new Batch((arrivals: readonly Arrival[]) => this.#noting(arrivals, () => this.#store(arrivals)), {
    ...pace,
    keyOf: arrival => this.sharedBy(arrival),
  })
  readonly #quarantine: Quarantine
  #failingSince: number | null = null
  #refusedInRow = 0

  constructor({ platform, clock, log }: Pick<Services, 'platform' | 'clock' | 'log'>) {
    this.#pool = platform
    this.#clock = clock
    this.#quarantine = new Quarantine({ platform, log })
  }

  /** By whom the intake is shared: the tenant of an address that is known, else where it comes from. */
  sharedBy({ address, ip }: Pick<Arrival, 'address' | 'ip'>): string {
    return this.#known.peek(address)?.tenant ?? rateKeyOfIp(ip)
  }

  /** The ping as it is stored; null: nobody has this address. */
  async take(arrival: Arrival): Promise<Taken | null> {
    const known = isPlain(arrival) ? this.#known.get(arrival.address) : undefined
    const at = known
      ? await this.#usual.add({ address: arrival.address, method: arrival.method, ip: arrival.ip, known })
      : null
    return at === null ? this.#any.add(arrival) : { state: 'ok', at }
  }

  /** Whether somebody has this address. */
  async knows(address: string): Promise<boolean> {
    const { rowCount } = await this.#pool.query({ name: 'know-address', text: know, values: [address] })
    return rowCount !== 0
  }

  /** Since when nothing could be stored; asked once, then forgotten. */
  takeFailure(): number | null {
    const since = this.#failingSince
    this.#failingSince = null
    return since
  }

  async #store(arrivals: readonly Arrival[]): Promise<(Taken | null)[]> {
    const unread = new Map<string, BadRow>()
    const answers = await inTransaction(this.#pool, async client => {
      const { rows } = await client.query<LockedBeat>({
        name: 'hold-beats',
        text: hold,
        values: [[...new Set(arrivals.map(({ address }) => address))]],
      })
      const held = new Map<string, Held>()
      const counts = new Map<string, Counted>()
      const byAddress = new Map(rows.map(row => [row.address, row]))
      const kept: Kept = { pings: [], unread: [], words: [] }
      const now = this.#clock.nowMs()
      const answers: (Taken | null)[] = arrivals.map(() => null)
      const take = ([index, arrival]: [number, Arrival]) => {
        const row = byAddress.get(arrival.address)
        if (!row) return
        const rules = rulesOf(row.settings)
        const beat = held.get(row.check_id) ?? holdOf(row)
        held.set(row.check_id, beat)
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
        unread.set(row.check_id, { key: row.check_id, tenant: row.tenant_id, error })
        const count = counts.get(row.check_id) ?? held.get(row.check_id) ?? countOf(row)
        counts.set(row.check_id, count)
        held.delete(row.check_id)
        answers[index] = keepOne(count, row, arrival, now, kept)
      })
      const { read = [], others = [] } = Object.groupBy(kept.pings, ping =>
        unread.has(ping.check_id) ? 'others' : 'read',
      )
      const words = kept.words.filter(word => !unread.has(word.check))
      if (read.length > 0) await writeBeats(client, [...held.values()], read, words)
      if (unread.size > 0) await keepPings(client, [...others, ...kept.unread])
      return answers
    })
    await this.#quarantine.note('heartbeat', [...unread.values()])
    return answers
  }

  /** Nobody is called silent for a ping that we could not store. One ping that is refused for what it is excuses nobody. */
  async #noting<T>(pings: readonly unknown[], store: () => Promise<T>): Promise<T> {
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

type Held = BeatChange
type Counted = Pick<BeatChange, 'pings' | 'lastPingAt' | 'lastState'>

/** What a group of pings comes to. */
interface Kept {
  pings: KeptPing[]
  /** Of heartbeats whose rules cannot be read. */
  unread: KeptPing[]
  words: PushedReport[]
}

const countOf = (row: StoredBeat): Counted => ({
  pings: Number(row.pings),
  lastPingAt: row.last_ping_at,
  lastState: row.last_state,
})
const holdOf = (row: StoredBeat): Held => ({ check_id: row.check_id, beat: beatOf(row), ...countOf(row) })

function takeOne(held: Held, row: LockedBeat, rules: BeatRules, arrival: Arrival, now: number, kept: Kept): Taken {
  const at = momentOf(held, now)
  const { fail_keyword } = rules.settings
  const isFailed =
    fail_keyword !== null &&
    (arrival.state === 'ok' || arrival.state === 'complete') &&
    arrival.output?.includes(fail_keyword)
  const state = isFailed ? 'fail' : arrival.state
  const { durationMs, says } = receive(held.beat, rules, { ...arrival, state }, at, aroundOf(row))
  if (says) kept.words.push({ check: row.check_id, ...says, excerpt: arrival.output?.slice(-1_000) ?? null })
  kept.pings.push(pingOf(held, row, { ...arrival, state }, at, durationMs))
  return { state, at }
}

/** A ping that nothing follows from. */
function keepOne(count: Counted, row: LockedBeat, arrival: Arrival, now: number, kept: Kept): Taken {
  const at = momentOf(count, now)
  kept.unread.push(pingOf(count, row, arrival, at, null))
  return { state: arrival.state, at }
}

/** Two processes may differ by some milliseconds: what was stored later is not earlier. */
const momentOf = ({ lastPingAt }: Counted, now: number) => Math.max(now, Math.ceil(lastPingAt ?? 0))

function pingOf(count: Counted, row: LockedBeat, arrival: Arrival, at: number, durationMs: number | null): KeptPing {
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
