import { type Expression, type RawBuilder, sql } from 'kysely'
import { type EventName, isPersonal, type Payload } from '#contract/events.ts'
import type { WorkflowInput, WorkflowName } from '#contract/workflows.ts'
import type { OutboxKind } from '#control-plane/base/side-effects.ts'
import { activeSpan } from '#control-plane/base/tracing.ts'
import { columnOf, type Db, type Part, type Row, rows } from '#control-plane/db/queries.ts'

/*
 * The only writer of the outbox: of events, workflow starts, signals and mails. Its three forms:
 *
 * - A request: the handler calls `emit`, `start`, `signal` and `mail` of its `RequestContext`. The unit of work writes
 *   the rows with `writeOutbox` at the end of the transaction.
 * - A job or a loop: `emitEvents(db, [{ tenantId, name, payload }])` for events, `addMail` of `mail.ts` for a mail.
 * - A statement that writes rows of many tenants at once: `insertEventsSql`, `insertWorkflowsSql` and, for mails,
 *   `insertMailsSql` of `mail.ts` return an insert, which the statement has as a part of its `with`:
 *
 *       with closed as (update … returning *),
 *       published as (${insertEventsSql({ name: …, tenant: …, payload: { … }, from: sql`from closed c` })})
 *       select ${wakeSql} from published
 *
 * Names and payloads are typed by `contract/events.ts` in each of them.
 */

/** Wakes the dispatcher at the end of the transaction, from the select list of a statement that inserts. */
export const wakeSql = sql`pg_notify('outbox', '')`

/** Wakes the dispatcher, where the statements that insert did not. */
export const wakeDispatcher = (db: Db): Promise<unknown> => rows(db)`select ${wakeSql}`

/** A row of the outbox. Where its transaction is recorded, its payload is stored with its `traceparent`. */
export interface OutboxEntry {
  tenantId: string
  kind: OutboxKind
  name: string
  payload: object
}

/** An event of a tenant with its payload. */
export type EmittedEvent = {
  [Name in EventName]: { tenantId: string; name: Name; payload: Payload<Name> }
}[EventName]

const insertRows = (entries: readonly OutboxEntry[]) => sql`
  insert into outbox (tenant_id, kind, name, payload, is_personal)
  select r.tenant_id, r.kind, r.name, r.payload, r.is_personal
  from jsonb_to_recordset(${rowsOf(entries)}::jsonb) as r(
    tenant_id uuid, kind text, name text, payload jsonb, is_personal boolean)`

function rowsOf(entries: readonly OutboxEntry[]): string {
  const traceparent = activeSpan()?.traceparent
  return JSON.stringify(
    entries.map(({ tenantId, kind, name, payload }) => ({
      tenant_id: tenantId,
      kind,
      name,
      payload: traceparent === undefined ? payload : { ...payload, traceparent },
      is_personal: kind === 'mail' || isPersonal(name),
    })),
  )
}

/** The payload of a row without the trace that it continues, which is no part of what receivers get. */
export function withoutTrace<Fields extends object>(
  payload: Fields & { traceparent?: unknown },
): Omit<Fields, 'traceparent'> {
  if (!('traceparent' in payload)) return payload
  const { traceparent: _, ...fields } = payload
  return fields
}

/** Inserts rows of the outbox in the transaction of their cause. */
export async function writeOutbox(db: Db, entries: readonly OutboxEntry[]): Promise<void> {
  if (entries.length > 0) await rows(db)`with added as (${insertRows(entries)}) select ${wakeSql}`
}

/** Emits events in the transaction of their cause, for code outside of handlers. */
export const emitEvents = (db: Db, events: readonly EmittedEvent[]): Promise<void> =>
  writeOutbox(
    db,
    events.map(event => ({ kind: 'event', ...event })),
  )

/** Inserts a mail as `addMail` has encrypted it; a trigger of the table wakes the mail worker. Returns its row's id. */
export async function insertMail(db: Db, mail: Omit<OutboxEntry, 'kind'>): Promise<string> {
  const [row] = await rows(db)<Row<'outbox', 'id'>>`${insertRows([{ kind: 'mail', ...mail }])} returning id`
  return row!.id
}

/** A part of a statement for each field of an object: those that it must have, and those that it may have. */
export type FieldsSql<Fields> = { [Key in keyof Fields]: Part }

/** A JSON object of these fields. */
export const objectSql = <Fields>(fields: FieldsSql<Fields>): RawBuilder<object> =>
  sql`jsonb_build_object(${sql.join(
    Object.entries<Part>(fields).flatMap(([name, part]) => [sql.lit(name), columnOf(part)]),
  )})`

/** A row of the outbox as SQL. */
interface RowSql {
  kind: OutboxKind
  tenant: Part
  name: Part
  payload: Part
  suppression?: Part | undefined
  /** The `traceparent` that the row continues; null where nothing is recorded. */
  trace?: Part | undefined
  /** The rest of the statement: `from`, joins, `where`, `order by`, `limit`. */
  from: Expression<unknown>
}

/** Inserts into the outbox one row for each row of `from`, and returns the ids and payloads. */
export function insertOutboxSql({ kind, tenant, name, payload, suppression, trace, from }: RowSql) {
  const more = trace && sql` || jsonb_strip_nulls(jsonb_build_object('traceparent', ${columnOf(trace)}))`
  const [column, value] =
    kind === 'mail'
      ? [sql`, is_personal`, sql`, true`]
      : suppression
        ? [sql`, suppression`, sql`, ${columnOf(suppression)}`]
        : []
  return sql<Row<'outbox', 'id' | 'payload'>>`
    insert into outbox (tenant_id, kind, name, payload${column ?? sql``})
    select ${columnOf(tenant)}, ${sql.lit(kind)}, ${columnOf(name)},
      ${columnOf(payload)}${more ?? sql``}${value ?? sql``}
    ${from}
    returning id, payload`
}

/**
 * Events that a statement emits. With `nameSql` in place of `name`, the names that it can have are given as the type
 * argument. With `rest`, an object with further fields of the payload, `payload` may lack them.
 */
type EventsSql<Name extends EventName> = Pick<RowSql, 'tenant' | 'trace' | 'from'> & {
  /** `suppressionSql`; without it nothing suppresses the event. */
  suppression?: Part
} & ({ name: Name; nameSql?: undefined } | { name?: undefined; nameSql: Part }) &
  ({ payload: FieldsSql<Payload<Name>>; rest?: undefined } | { payload: FieldsSql<Partial<Payload<Name>>>; rest: Part })

/** Emits one event for each row of `from`, and returns `id` and `payload` of the rows of the outbox. */
export const insertEventsSql = <Name extends EventName>({ name, nameSql, rest, payload, ...row }: EventsSql<Name>) =>
  insertOutboxSql({
    ...row,
    kind: 'event',
    name: nameSql ?? sql.lit(name),
    payload: rest ? sql`${columnOf(rest)} || ${objectSql<object>(payload)}` : objectSql<object>(payload),
  })

/** Workflows that a statement starts. */
interface WorkflowsSql<Name extends WorkflowName> extends Pick<RowSql, 'tenant' | 'from'> {
  workflow: Name
  id: Part
  input: FieldsSql<WorkflowInput<Name>>
}

/** Starts one workflow for each row of `from`, and returns the ids of the rows of the outbox. */
export const insertWorkflowsSql = <Name extends WorkflowName>({ workflow, id, input, ...row }: WorkflowsSql<Name>) =>
  insertOutboxSql({
    ...row,
    kind: 'workflow',
    name: sql.lit(workflow),
    payload: objectSql<{ id: string; input: object }>({ id, input: objectSql(input) }),
  })
