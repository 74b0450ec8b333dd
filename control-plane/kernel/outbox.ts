import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { forgetChanges } from './doors/known-callers.ts'
import { forgetAnswers } from './idempotency.ts'
import type { Listener } from './listen.ts'
import type { Metrics } from './metrics.ts'
import { Rounds } from './rounds.ts'

/** An event that was emitted, as listeners get it. Its id is the same however often it is handed over. */
export interface OutboxEvent {
  id: string
  tenantId: string
  name: string
  payload: Record<string, unknown>
  createdAt: Date
  audience: Audience
  /** Only for those who hear, or do not hear, another event as well: one that tells of many as one. */
  onlyWith: string | null
  onlyWithout: string | null
}

/** Whom an event is for: everybody, the tenant it belongs to and not its reseller, or the reseller alone. */
export type Audience = 'all' | 'team' | 'reseller'

/** Starts a durable process. One that was started before counts as started. */
export type StartWorkflow = (name: string, id: string, input: unknown) => Promise<void>

/** Tells a durable process something. One that is gone need not hear it. */
export type SignalWorkflow = (id: string, signal: string) => Promise<void>

/** Mails are no business of the dispatcher: whoever sends them takes them out himself, and they wait until he does. */
export type OutboxKind = 'event' | 'workflow' | 'signal' | 'mail'

export interface DispatcherOptions {
  platform: Pool
  listener: Pick<Listener, 'on' | 'onMissed'>
  log: Logger
  metrics: Pick<Metrics, 'outboxDepth' | 'outboxAge' | 'outboxHandedOn' | 'processesStarted'>
  /** Left out: workflows wait in the outbox for a process that can start them. */
  startWorkflow?: StartWorkflow
  signalWorkflow?: SignalWorkflow
  /** What to hand on: everything there is a hand for, when left out. */
  kinds?: readonly Exclude<OutboxKind, 'mail'>[]
  /** How many at a time. */
  batch?: number
  /** Who hears events. Each must bear hearing one twice. An event nobody hears is done. */
  hear?: readonly ((event: OutboxEvent) => Promise<void>)[]
}

interface Row {
  id: string
  tenant_id: string
  kind: string
  name: string
  payload: { id?: string; input?: unknown; signal?: string } & Record<string, unknown>
  created_at: Date
  attempts: number
  audience: Audience
  only_with: string | null
  only_without: string | null
}

const usualBatch = 50
const sweepMs = 2_000
const tidyMs = 3_600_000
const longestWaitS = 30

/** A claim is a promise for so long: who dies with it gives it back by doing nothing. */
const claimS = 30

/** What holds personal data leaves as it is handed on; all else stays a while to be looked up. Not prepared: a plan made for an empty outbox would be kept. */
const finish = `
  with outcomes as (
    select * from json_to_recordset($1::json) as r(id bigint, error text, wait_s float8)
  ), gone as (
    delete from outbox o using outcomes r where o.id = r.id and o.is_personal and r.error is null
  )
  update outbox o set
    done_at = case when r.error is null then clock_timestamp() end,
    next_at = case when r.error is null then o.next_at else clock_timestamp() + r.wait_s * interval '1 second' end,
    error = r.error
  from outcomes r
  where o.id = r.id and not (o.is_personal and r.error is null)`

/**
 * Hands on what transactions left in the outbox. Any number of processes may do so at once: each row is claimed by one.
 * What fails is tried again after 1, 2, 4 … 30 seconds, for as long as it takes.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #kinds: readonly Exclude<OutboxKind, 'mail'>[]
  readonly #rounds: Rounds
  #tidying: NodeJS.Timeout | undefined

  constructor(options: DispatcherOptions) {
    this.#options = options
    this.#kinds = options.kinds ?? [
      'event',
      ...(options.startWorkflow ? (['workflow'] as const) : []),
      ...(options.signalWorkflow ? (['signal'] as const) : []),
    ]
    this.#rounds = new Rounds({
      notice: 'outbox',
      listener: options.listener,
      everyMs: sweepMs,
      round: () => this.#round(),
      onFailure: error => options.log.warn({ err: error }, 'the outbox could not be read; trying on'),
    })
  }

  start(): void {
    this.#tidying = setInterval(() => this.#tidy(), tidyMs)
    this.#rounds.start()
  }

  async stop(): Promise<void> {
    clearInterval(this.#tidying)
    await this.#rounds.stop()
  }

  async #round(): Promise<void> {
    // until nothing is left: what waited for an earlier one may have its turn now
    for (let handed = 1; handed > 0 && !this.#rounds.isStopped; ) handed = await this.#handOn()
    await this.#measure()
  }

  async #handOn(): Promise<number> {
    const { platform } = this.#options
    const { rows } = await platform.query<Row>('select * from claim_outbox($1, $2, $3)', [this.#kinds, this.#options.batch ?? usualBatch, claimS])
    if (rows.length === 0) return 0
    rows.sort((a, b) => Number(a.id) - Number(b.id))
    const outcomes = await Promise.all(
      rows.map(async row => {
        const error = await this.#handOnOne(row)
        return { id: row.id, error, wait_s: Math.min(longestWaitS, 2 ** (row.attempts - 1)) }
      }),
    )
    await platform.query(finish, [JSON.stringify(outcomes)])
    return rows.length
  }

  /** null, or why it failed. */
  async #handOnOne(row: Row): Promise<string | null> {
    const { startWorkflow, signalWorkflow, hear = [], log, metrics } = this.#options
    try {
      if (row.kind === 'workflow') {
        await startWorkflow?.(row.name, row.payload.id ?? `outbox-${row.id}`, row.payload.input)
        metrics.processesStarted.inc({ process: row.name })
      } else if (row.kind === 'signal') await signalWorkflow?.(row.payload.id ?? '', row.payload.signal ?? row.name)
      else {
        const event = {
          id: row.id,
          tenantId: row.tenant_id,
          name: row.name,
          payload: row.payload,
          createdAt: row.created_at,
          audience: row.audience,
          onlyWith: row.only_with,
          onlyWithout: row.only_without,
        }
        for (const listener of hear) await listener(event)
      }
      metrics.outboxHandedOn.inc({ kind: row.kind, outcome: 'done' })
      return null
    } catch (error) {
      metrics.outboxHandedOn.inc({ kind: row.kind, outcome: 'failed' })
      // one line when it begins to fail, then every tenth: a Temporal that is away says so often enough
      if (row.attempts % 10 === 1) log.warn({ err: error, outbox_id: row.id, kind: row.kind, name: row.name, attempts: row.attempts }, 'an outbox row waits')
      return error instanceof Error ? error.message.slice(0, 500) : 'failed'
    }
  }

  async #measure(): Promise<void> {
    const { platform, metrics } = this.#options
    const { rows } = await platform.query<{ depth: number; age: number }>(
      `select count(*)::int as depth, coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as age from outbox where done_at is null and kind <> 'mail'`,
    )
    metrics.outboxDepth.set(rows[0]?.depth ?? 0)
    metrics.outboxAge.set(rows[0]?.age ?? 0)
  }

  #tidy(): void {
    const { platform, log } = this.#options
    tidyOutbox(platform, { isStopped: () => this.#rounds.isStopped })
      .then(() => platform.query(forgetAnswers))
      .then(() => platform.query(forgetChanges))
      .catch(error => log.warn({ err: error }, 'what is old could not be deleted'))
  }
}

/** What others had claimed before that and will not finish; what had failed is tried again as well. */
export async function giveBackOutbox(platform: Pool, olderThanMs: number): Promise<void> {
  await platform.query(
    `with given as (
       update outbox set next_at = clock_timestamp() where done_at is null and kind <> 'mail' and attempts > 0
         and next_at between clock_timestamp() and clock_timestamp() + interval '${claimS} seconds' - $1 * interval '1 millisecond' returning 1)
     select pg_notify('outbox', '') from (select 1 from given limit 1) g`,
    [olderThanMs],
  )
}

/** What was handed on a week ago serves nobody any more, nor do answers that are no longer given again. A batch at a time, each short. */
export async function tidyOutbox(platform: Pool, { batch = 10_000, isStopped = (): boolean => false } = {}): Promise<void> {
  const text = `delete from outbox where id in (select id from outbox where done_at < clock_timestamp() - interval '7 days' limit $1)`
  for (let deleted: number | null = batch; deleted === batch && !isStopped(); ) deleted = (await platform.query(text, [batch])).rowCount
}
