import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import { Batch } from '#control-plane/kernel/batch.ts'
import type { Clock } from '#control-plane/kernel/clock.ts'
import { rateKeyOfIp } from '#control-plane/kernel/rate.ts'
import { perServices, type Services } from '#control-plane/kernel/services.ts'
import { inTransaction } from '#control-plane/kernel/transaction.ts'
import type { Word } from '#control-plane/monitoring/verdicts/direct.ts'
import { receive } from './heartbeat.ts'
import type { Report } from './report.ts'
import { aroundOf, type BeatChange, beatOf, joinBeats, type KeptPing, type StoredBeat, selectBeats, writeBeats } from './row.ts'
import { rulesOf } from './rules.ts'
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

interface Row extends StoredBeat {
  address: string
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

/**
 * Takes pings in: many in one transaction, and nobody is told that a ping was taken before it is stored. While one group commits the next
 * gathers, so that the more arrive the less each costs.
 */
export class PingIntake {
  readonly #pool: Pool
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #known = new LRUCache<string, KnownAddress>({ max: knownAtMost })
  readonly #usual = new Batch((pings: readonly UsualPing[]) => this.#noting(() => takeUsual(this.#pool, pings, this.#clock.nowMs())), {
    ...pace,
    keyOf: ({ known }) => known.tenant,
  })
  readonly #any = new Batch((arrivals: readonly Arrival[]) => this.#noting(() => this.#store(arrivals)), {
    ...pace,
    keyOf: arrival => this.sharedBy(arrival),
  })
  #failingSince: number | null = null

  constructor({ platform, clock }: Pick<Services, 'platform' | 'clock'>) {
    this.#pool = platform
    this.#clock = clock
  }

  /** By whom the intake is shared: the tenant of an address that is known, else where it comes from. */
  sharedBy({ address, ip }: Pick<Arrival, 'address' | 'ip'>): string {
    return this.#known.peek(address)?.tenant ?? rateKeyOfIp(ip)
  }

  /** The ping as it is stored; null: nobody has this address. */
  async take(arrival: Arrival): Promise<Taken | null> {
    const known = isPlain(arrival) ? this.#known.get(arrival.address) : undefined
    const at = known ? await this.#usual.of({ address: arrival.address, method: arrival.method, ip: arrival.ip, known }) : null
    return at === null ? this.#any.of(arrival) : { state: 'ok', at }
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

  #store(arrivals: readonly Arrival[]): Promise<(Taken | null)[]> {
    return inTransaction(this.#pool, async client => {
      const { rows } = await client.query<Row>({ name: 'hold-beats', text: hold, values: [[...new Set(arrivals.map(({ address }) => address))]] })
      const held = new Map<string, Held>()
      const byAddress = new Map(rows.map(row => [row.address, row]))
      const pings: KeptPing[] = []
      const words: Word[] = []
      const now = this.#clock.nowMs()
      const answers = arrivals.map(arrival => {
        const row = byAddress.get(arrival.address)
        if (!row) return null
        const beat = held.get(row.check_id) ?? holdOf(row)
        held.set(row.check_id, beat)
        this.#known.set(row.address, { check: row.check_id, tenant: row.tenant_id, rules: rulesOf(row.settings), settingsHash: row.settings_hash })
        return takeOne(beat, row, arrival, now, pings, words)
      })
      if (pings.length > 0) await writeBeats(client, [...held.values()], pings, words)
      return answers
    })
  }

  async #noting<T>(store: () => Promise<T>): Promise<T> {
    const began = this.#clock.nowMs()
    try {
      return await store()
    } catch (error) {
      this.#failingSince ??= began
      throw error
    }
  }
}

const isPlain = ({ state, runId, exitCode, output }: Arrival) => state === 'ok' && runId === null && exitCode === null && output === null

type Held = BeatChange

const holdOf = (row: StoredBeat): Held => ({
  check_id: row.check_id,
  beat: beatOf(row),
  pings: Number(row.pings),
  lastPingAt: row.last_ping_at,
  lastState: row.last_state,
})

function takeOne(held: Held, row: Row, arrival: Arrival, now: number, pings: KeptPing[], words: Word[]): Taken {
  const rules = rulesOf(row.settings)
  // two processes may differ by some milliseconds: what was stored later is not earlier
  const at = Math.max(now, Math.ceil(held.lastPingAt ?? 0))
  const { fail_keyword } = rules.settings
  const isFailed = fail_keyword !== null && (arrival.state === 'ok' || arrival.state === 'complete') && arrival.output?.includes(fail_keyword)
  const state = isFailed ? 'fail' : arrival.state
  const { durationMs, says } = receive(held.beat, rules, { ...arrival, state }, at, aroundOf(row))
  if (says) words.push({ check: row.check_id, ...says, excerpt: arrival.output?.slice(-1_000) ?? null })
  const number = held.pings + 1
  held.pings = number
  held.lastPingAt = at
  held.lastState = state
  pings.push({
    check_id: row.check_id,
    tenant_id: row.tenant_id,
    number,
    at_ms: at,
    state,
    method: arrival.method,
    run_id: arrival.runId,
    exit_code: arrival.exitCode,
    duration_ms: durationMs,
    output: arrival.output,
    ip: arrival.ip || null,
    is_former_url: row.is_former,
  })
  return { state, at }
}

/** This process's intake. */
export const intakeOf = perServices(services => new PingIntake(services))
