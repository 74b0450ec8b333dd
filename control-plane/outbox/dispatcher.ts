import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { isMarkedAway } from '#analytics/away.ts'
import { isPersonal } from '#contract/events.ts'
import { isTransient } from '#control-plane/base/away.ts'
import { splitIsolated } from '#control-plane/base/each-isolated.ts'
import type { Listener } from '#control-plane/base/listen.ts'
import { Loop } from '#control-plane/base/loop.ts'
import type { Metrics } from '#control-plane/base/metrics.ts'
import { reasonOf } from '#control-plane/base/quarantine/reason.ts'
import type { OutboxKind } from '#control-plane/base/side-effects.ts'
import { noTracing, type Span, type Tracing, within } from '#control-plane/base/tracing.ts'
import type { Suppression } from '#control-plane/db/model/shapes.ts'
import { wakeSql, withoutTrace } from './emit.ts'

/** An emitted event as listeners receive it. Its id is the same in every delivery. */
export interface OutboxEvent {
  id: string
  tenantId: string
  name: string
  payload: Record<string, unknown>
  createdAt: Date
  /** null: the event is not suppressed. */
  suppression: Suppression | null
}

/** Starts a durable process. One that was started before counts as started. */
export type StartWorkflow = (name: string, id: string, input: unknown) => Promise<void>

/** Signals a workflow. A workflow that has ended ignores it. */
export type SignalWorkflow = (id: string, signal: string) => Promise<void>

/** Kinds of rows that the dispatcher handles, and that may become dead. */
export const deadKinds = ['event', 'workflow', 'signal'] as const satisfies readonly OutboxKind[]

export interface DispatcherOptions {
  platform: Pool
  listener: Pick<Listener, 'on' | 'onMissed'>
  log: Logger
  metrics: Pick<Metrics, 'outboxDepth' | 'outboxAge' | 'outboxHandedOn' | 'processesStarted'>
  /** Without it, workflows wait in the outbox for a process that can start them. */
  startWorkflow?: StartWorkflow
  signalWorkflow?: SignalWorkflow
  /** By default all kinds for which there is a handler. */
  kinds?: readonly Exclude<OutboxKind, 'mail'>[]
  tracing?: Tracing
  /** Rows claimed at a time. */
  batch?: number
  /** Statements that delete old rows of other tables, once an hour. */
  tidy?: readonly string[]
  /** Receive every event, some twice. An event without listeners is done. */
  listeners?: readonly ((event: OutboxEvent) => Promise<void>)[]
}

interface Row {
  id: string
  tenant_id: string
  kind: string
  name: string
  payload: { id?: string; input?: unknown; signal?: string; traceparent?: string } & Record<string, unknown>
  created_at: Date
  attempts: number
  waits: number
  is_personal: boolean
  suppression: Suppression | null
}

const usualBatch = 50
const sweepMs = 2_000
/** The depth is counted for metrics, which are read every 15 s or so. */
const measureMs = 10_000
/** What is kept for a quarter of an hour is kept for little longer. */
const tidyMs = 300_000
const longestWaitS = 30
/** Attempts until a row is dead: some one and a half minutes, in which later events of its monitor wait. */
export const mostAttempts = 8
/** A row claimed so often without an outcome ends the process that handles it. */
const mostClaims = 20

/** A claim ends after so long: rows of a process that died are claimed again. */
const claimS = 30

/** The outcome of handling a row. */
interface Outcome {
  id: string
  /** null: done. */
  error: string | null
  wait_s: number
  /** The receiver was unavailable: it does not count as an attempt. */
  is_unavailable: boolean
  /** No longer retried, unless the operator asks for it. */
  is_dead: boolean
  /** Personal data is removed from its payload. */
  drops_personal_data: boolean
}

/**
 * Deletes handled rows with personal data; others are kept for a while. Not prepared: a plan for an empty outbox would
 * be kept.
 */
const finish = `
  with outcomes as (
    select * from json_to_recordset($1::json) as r(id bigint, error text, wait_s float8, is_unavailable boolean,
      is_dead boolean, drops_personal_data boolean)
  ), gone as (
    delete from outbox o using outcomes r where o.id = r.id and o.is_personal and r.error is null
  )
  update outbox o set
    done_at = case when r.error is null or r.is_dead then clock_timestamp() end,
    dead_at = case when r.is_dead then clock_timestamp() end,
    dead_id = case when r.is_dead then coalesce(o.dead_id, gen_random_uuid())
      when r.error is not null then o.dead_id end,
    payload = case when r.is_dead and r.drops_personal_data then '{}' else o.payload end,
    attempts = case when r.is_unavailable then greatest(0, o.attempts - 1) else o.attempts end,
    waits = case when r.is_unavailable then o.waits + 1 else 0 end,
    next_at = case when r.error is null then o.next_at else clock_timestamp() + r.wait_s * interval '1 second' end,
    error = r.error
  from outcomes r
  where o.id = r.id and not (o.is_personal and r.error is null)`

/**
 * Handles the rows that transactions wrote to the outbox. Any number of processes may do so at once: each row is
 * claimed by one. A failed row is tried again after 1, 2, 4 … 30 seconds: without limit while its receiver is
 * unavailable, else until it is dead.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #kinds: readonly Exclude<OutboxKind, 'mail'>[]
  readonly #loop: Loop
  readonly #tidying: Loop
  #measuredAt = Number.NEGATIVE_INFINITY

  constructor(options: DispatcherOptions) {
    this.#options = options
    this.#kinds = options.kinds ?? [
      'event',
      ...(options.startWorkflow ? (['workflow'] as const) : []),
      ...(options.signalWorkflow ? (['signal'] as const) : []),
    ]
    const { log, listener } = options
    this.#loop = new Loop({
      everyMs: sweepMs,
      round: () => this.#round(),
      log,
      failure: 'outbox read failure',
      wake: { listener, notice: 'outbox' },
    })
    this.#tidying = new Loop({ everyMs: tidyMs, round: () => this.#tidy(), log, failure: 'outbox deletion failure' })
  }

  start(): void {
    this.#tidying.start({ atOnce: false })
    this.#loop.start()
  }

  async stop(): Promise<void> {
    await Promise.all([this.#tidying.stop(), this.#loop.stop()])
  }

  async #round(): Promise<void> {
    // until nothing is left: a row that was queued behind an earlier one may be due now
    for (let handled = 1; handled > 0 && !this.#loop.isStopped; ) handled = await this.#handleBatch()
    const now = performance.now()
    if (now - this.#measuredAt < measureMs) return
    this.#measuredAt = now
    await this.#measure()
  }

  async #handleBatch(): Promise<number> {
    const { platform, log } = this.#options
    const { rows } = await platform.query<Row>({
      name: 'outbox-claim',
      text: 'select * from claim_outbox($1, $2, $3)',
      values: [this.#kinds, this.#options.batch ?? usualBatch, claimS],
    })
    if (rows.length === 0) return 0
    rows.sort((a, b) => Number(a.id) - Number(b.id))
    const outcomes = await Promise.all(rows.map(row => this.#handleOne(row)))
    const write = (some: readonly Outcome[]) => platform.query(finish, [JSON.stringify(some)])
    // the database may refuse one outcome: the other rows must not be handled again for that
    await splitIsolated(outcomes, write, ({ id }, error) =>
      log.error({ err: error, outbox_id: id }, 'outbox outcome refused'),
    )
    return rows.length
  }

  async #handleOne(row: Row): Promise<Outcome> {
    const { log, metrics } = this.#options
    const { id, kind, name, attempts, waits } = row
    const outcome = {
      id,
      error: null,
      wait_s: 0,
      is_unavailable: false,
      is_dead: false,
      drops_personal_data: row.is_personal || isPersonal(name),
    }
    try {
      if (attempts > mostClaims) throw new Error('The process ended each time it was handled.')
      await within(this.#beginSpan(row), () => this.#handle(row))
      metrics.outboxHandedOn.inc({ kind, outcome: 'done' })
      return outcome
    } catch (error) {
      const isUnavailable = isTransient(error)
      const isDead = !isUnavailable && attempts >= mostAttempts
      const failures = isUnavailable ? waits + 1 : attempts
      metrics.outboxHandedOn.inc({ kind, outcome: isDead ? 'dead' : 'failed' })
      const fields = { err: error, outbox_id: id, tenant_id: row.tenant_id, kind, name, attempts }
      if (isDead) log.error(fields, 'event dead')
      // the first failure and every tenth are logged, as an unavailable Temporal fails every row
      else if (failures % 10 === 1) log.warn(fields, 'outbox row retry')
      const wait_s = Math.min(longestWaitS, 2 ** (failures - 1))
      return { ...outcome, error: failureOf(error), wait_s, is_unavailable: isUnavailable, is_dead: isDead }
    }
  }

  /** A part of the trace whose transaction wrote the row. */
  #beginSpan({ kind, name, payload, tenant_id, attempts }: Row): Span | undefined {
    const { tracing = noTracing } = this.#options
    return tracing.begin({
      name: `dispatch ${kind} ${name}`,
      kind: 'consumer',
      stored: payload.traceparent,
      attributes: {
        'vedette.outbox.kind': kind,
        'vedette.outbox.name': name,
        'vedette.outbox.attempt': attempts,
        'vedette.team.id': tenant_id,
      },
    })
  }

  async #handle(row: Row): Promise<void> {
    const { startWorkflow, signalWorkflow, listeners = [], metrics } = this.#options
    if (row.kind === 'workflow') {
      await startWorkflow?.(row.name, row.payload.id ?? `outbox-${row.id}`, row.payload.input)
      metrics.processesStarted.inc({ process: row.name })
    } else if (row.kind === 'signal') await signalWorkflow?.(row.payload.id ?? '', row.payload.signal ?? row.name)
    else {
      const event = {
        id: row.id,
        tenantId: row.tenant_id,
        name: row.name,
        payload: withoutTrace(row.payload),
        createdAt: row.created_at,
        suppression: row.suppression,
      }
      for (const listener of listeners) await listener(event)
    }
  }

  async #measure(): Promise<void> {
    const { platform, metrics } = this.#options
    const { rows } = await platform.query<{ depth: number; age: number }>(
      `select count(*)::int as depth,
         coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as age
       from outbox where done_at is null and kind <> 'mail'`,
    )
    metrics.outboxDepth.set(rows[0]?.depth ?? 0)
    metrics.outboxAge.set(rows[0]?.age ?? 0)
  }

  async #tidy(): Promise<void> {
    const { platform, tidy = [] } = this.#options
    await deleteOldOutboxRows(platform, { isStopped: () => this.#tidying.isStopped })
    for (const statement of tidy) if (!this.#tidying.isStopped) await platform.query(statement)
  }
}

/** Releases claims of processes that have ended. Failed rows are tried again too. */
export async function releaseOutboxClaims(platform: Pool, olderThanMs: number): Promise<void> {
  await platform.query(
    `with given as (
       update outbox set next_at = clock_timestamp() where done_at is null and kind <> 'mail' and attempts > 0
         and next_at between clock_timestamp()
         and clock_timestamp() + interval '${claimS} seconds' - $1 * interval '1 millisecond' returning 1)
     select ${wakeSql} from (select 1 from given limit 1) g`,
    [olderThanMs],
  )
}

/** The reason of a failure, without stored data. */
const failureOf = (error: unknown) =>
  isMarkedAway(error) ? (error as Error).message.replaceAll('\0', '').slice(0, 500).toWellFormed() : reasonOf(error)

/** As long as the log of notifications is kept. */
const deadDays = 90

/** Deletes rows handled a week ago, in short batches. */
export async function deleteOldOutboxRows(
  platform: Pool,
  { batch = 10_000, isStopped = (): boolean => false } = {},
): Promise<void> {
  const text = `delete from outbox
    where id in (select id from outbox where done_at < clock_timestamp() - interval '7 days'
    and (dead_at is null or dead_at < clock_timestamp() - interval '${deadDays} days') limit $1)`
  for (let deleted: number | null = batch; deleted === batch && !isStopped(); )
    deleted = (await platform.query(text, [batch])).rowCount
}
