import { type RawBuilder, sql } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { isMarkedAway } from '#analytics/away.ts'
import { isTransient } from '#control-plane/base/away.ts'
import type { Listener } from '#control-plane/base/listen.ts'
import { Loop } from '#control-plane/base/loop.ts'
import type { Metrics } from '#control-plane/base/metrics.ts'
import { reasonOf } from '#control-plane/base/quarantine/reason.ts'
import type { Claimed, End } from '#control-plane/base/queue/end.ts'
import { Queue } from '#control-plane/base/queue/queue.ts'
import { type QueueTable, settleIn } from '#control-plane/base/queue/table.ts'
import type { OutboxKind } from '#control-plane/base/side-effects.ts'
import { sqlTextOf } from '#control-plane/base/sql-text.ts'
import { noTracing, type Span, type Tracing, within } from '#control-plane/base/tracing.ts'
import type { Suppression } from '#control-plane/db/model/shapes.ts'
import { rows, type Statement } from '#control-plane/db/queries.ts'
import { withoutTrace } from './emit.ts'

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
  tidy?: readonly Statement<unknown>[]
  /** Receive every event, some twice. An event without listeners is done. */
  listeners?: readonly ((event: OutboxEvent) => Promise<void>)[]
}

/** A row that this process has claimed. `attempts` counts this one. */
interface Row extends Claimed {
  kind: string
  name: string
  payload: { id?: string; input?: unknown; signal?: string; traceparent?: string } & Record<string, unknown>
  created_at: Date
  waits: number
  suppression: Suppression | null
}

const defaultBatch = 50
/** The depth is counted for metrics, which are read every 15 s or so. */
const measureMs = 10_000
/** What is kept for a quarter of an hour is kept for little longer. */
const tidyMs = 300_000
const longestWaitS = 30
/** Attempts until a row is dead: some one and a half minutes, in which later events of its monitor wait. */
export const mostAttempts = 8
/** A row claimed so often without an outcome ends the process that handles it. */
const mostClaims = 20

/** Whether an event has personal data, as `isPersonal` says. `name`: the column with its name. */
export const isPersonalSql = (name: string): RawBuilder<boolean> =>
  sql`(${sql.ref(name)} = 'member.erased' or ${sql.ref(name)} like 'email.%')`

/** Events, workflows and signals. */
export const outboxTable: QueueTable = {
  table: 'outbox',
  id: 'bigint',
  kind: null,
  isOpen: `q.kind <> 'mail' and q.done_at is null`,
  claimS: 30,
}

/** Handled rows with personal data are deleted; others are kept for a while. */
const settling = {
  set: `
    error = g.why,
    waits = case g.how when 'wait' then q.waits + 1 else 0 end,
    dead_at = case g.how when 'dead' then clock_timestamp() end,
    dead_id = case g.how when 'dead' then coalesce(q.dead_id, gen_random_uuid()) when 'done' then null
      else q.dead_id end,
    payload = case when g.how = 'dead' and (q.is_personal or ${sqlTextOf(isPersonalSql('q.name'))}) then '{}'
      else q.payload end`,
  isDeleted: 'q.is_personal',
  isCounted: true,
}

/**
 * Handles the rows that transactions wrote to the outbox. An event is not claimed while an earlier one of its monitor
 * is open. A failed row is tried again after 1, 2, 4 … 30 seconds: without limit while its receiver is unavailable,
 * else until it is dead.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #queue: Queue<Row, 'done'>
  readonly #measuring: Loop
  readonly #tidying: Loop

  constructor(options: DispatcherOptions) {
    this.#options = options
    const { platform, log, startWorkflow, signalWorkflow, batch = defaultBatch } = options
    const kinds = options.kinds ?? [
      'event',
      ...(startWorkflow ? (['workflow'] as const) : []),
      ...(signalWorkflow ? (['signal'] as const) : []),
    ]
    this.#queue = new Queue({
      ...options,
      name: 'outbox',
      notice: 'outbox',
      table: outboxTable,
      pace: { atOnce: 2 * batch, ofKey: 2 * batch, claimed: 2 * batch },
      claim: async most => {
        const { rows } = await platform.query<Row>({
          name: 'outbox-claim',
          text: 'select *, tenant_id as key from claim_outbox($1, $2, $3) order by id',
          values: [kinds, Math.min(most, batch), outboxTable.claimS],
        })
        return rows
      },
      settle: settleIn(platform, outboxTable, settling),
      retryAfter: ({ attempts }) => (attempts >= mostAttempts ? undefined : waitAfter(attempts)),
      handle: row => this.#handle(row),
      onSettled: (row, { how }) =>
        options.metrics.outboxHandedOn.inc({
          kind: row.kind,
          outcome: how === 'done' || how === 'dead' ? how : 'failed',
        }),
    })
    this.#measuring = new Loop({
      everyMs: measureMs,
      round: () => this.#measure(),
      log,
      failure: 'outbox depth read failure',
    })
    this.#tidying = new Loop({ everyMs: tidyMs, round: () => this.#tidy(), log, failure: 'outbox deletion failure' })
  }

  start(): void {
    this.#tidying.start({ atOnce: false })
    this.#measuring.start()
    this.#queue.start()
  }

  async stop(): Promise<void> {
    await Promise.all([this.#tidying.stop(), this.#measuring.stop(), this.#queue.stop()])
  }

  async #handle(row: Row): Promise<End<'done'>> {
    const { id, tenant_id, kind, name, attempts, waits } = row
    try {
      if (attempts > mostClaims) throw new Error('The process ended each time it was handled.')
      await within(this.#beginSpan(row), () => this.#handOn(row))
      return { how: 'done', outcome: 'done' }
    } catch (error) {
      const isUnavailable = isTransient(error)
      const failures = isUnavailable ? waits + 1 : attempts
      const fields = { err: error, outbox_id: id, tenant_id, kind, name, attempts }
      if (!isUnavailable && attempts >= mostAttempts) this.#options.log.error(fields, 'event dead')
      // the first failure and every tenth are logged, as an unavailable Temporal fails every row
      else if (failures % 10 === 1) this.#options.log.warn(fields, 'outbox row retry')
      const why = failureOf(error)
      return isUnavailable ? { how: 'wait', seconds: waitAfter(failures), why } : { how: 'retry', why }
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

  async #handOn(row: Row): Promise<void> {
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
    for (const statement of tidy) if (!this.#tidying.isStopped) await rows(platform, statement)
  }
}

const waitAfter = (failures: number) => Math.min(longestWaitS, 2 ** (failures - 1))

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
