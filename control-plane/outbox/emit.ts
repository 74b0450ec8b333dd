import { sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { type EventName, isPersonal, type Payload } from '#contract/events.ts'
import type { WorkflowInput, WorkflowName } from '#contract/workflows.ts'
import type { OutboxKind } from '#control-plane/base/side-effects.ts'
import { activeSpan } from '#control-plane/base/tracing.ts'
import { type Db, type Row, rows } from '#control-plane/db/queries.ts'

/*
 * The only writer of the outbox: of events, workflow starts, signals and mails. Its three forms:
 *
 * - A request: the handler calls `emit`, `start`, `signal` and `mail` of its `RequestContext`. The unit of work writes
 *   the rows with `writeOutbox` at the end of the transaction.
 * - A job or a loop: `emitEvents(db, [{ tenantId, name, payload }])` for events, `addMail` of `mail.ts` for a mail.
 * - A statement that writes rows of many tenants at once: `insertEventsSql`, `insertWorkflowsSql` and, for mails,
 *   `insertMailsSql` of `mail.ts` return the text of an insert, which the statement has as a part of its `with`:
 *
 *       with closed as (update … returning *),
 *       published as (${insertEventsSql({ name: …, tenant: …, payload: { … }, from: 'from closed c' })})
 *       select ${wakeSql} from published
 *
 *   Such a text is built once, when its module is loaded.
 *
 * Names and payloads are typed by `contract/events.ts` in each of them.
 */

/** SQL that wakes the dispatcher at the end of the transaction, for the select list of a statement that inserts. */
export const wakeSql = `pg_notify('outbox', '')`

/** Wakes the dispatcher, where the statements that insert did not. */
export const wakeDispatcher = (db: Pool | PoolClient): Promise<unknown> => db.query(`select ${wakeSql}`)

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
  if (entries.length > 0) await rows(db, sql`with added as (${insertRows(entries)}) select ${sql.raw(wakeSql)}`)
}

/** Emits events in the transaction of their cause, for code outside of handlers. */
export const emitEvents = (db: Db, events: readonly EmittedEvent[]): Promise<void> =>
  writeOutbox(
    db,
    events.map(event => ({ kind: 'event', ...event })),
  )

/** Inserts a mail as `addMail` has encrypted it; a trigger of the table wakes the mail worker. Returns its row's id. */
export async function insertMail(db: Db, mail: Omit<OutboxEntry, 'kind'>): Promise<string> {
  const [row] = await rows<Row<'outbox', 'id'>>(db, sql`${insertRows([{ kind: 'mail', ...mail }])} returning id`)
  return row!.id
}

/** An SQL expression for each field of an object: those that it must have, and those that it may have. */
export type FieldsSql<Fields> = { [Key in keyof Fields]: string }

/** SQL for a JSON object of these fields. */
export const objectSql = <Fields>(fields: FieldsSql<Fields>): string =>
  `jsonb_build_object(${Object.entries(fields)
    .map(([name, expression]) => `'${name}', ${expression}`)
    .join(', ')})`

/** A row of the outbox as SQL: each part an expression, besides `from`. */
interface RowSql {
  kind: OutboxKind
  tenant: string
  name: string
  payload: string
  suppression?: string | undefined
  /** The `traceparent` that the row continues; null where nothing is recorded. */
  trace?: string | undefined
  /** The rest of the statement: `from`, joins, `where`, `order by`, `limit`. */
  from: string
}

/** SQL that inserts into the outbox one row for each row of `from`, and returns the ids and payloads. */
export const insertOutboxSql = ({ kind, tenant, name, payload, suppression, trace, from }: RowSql): string => {
  const whole = trace ? `${payload} || jsonb_strip_nulls(jsonb_build_object('traceparent', ${trace}))` : payload
  const more = kind === 'mail' ? { is_personal: 'true' } : suppression === undefined ? {} : { suppression }
  const columns = ['tenant_id', 'kind', 'name', 'payload', ...Object.keys(more)].join(', ')
  return `insert into outbox (${columns})
    select ${[tenant, `'${kind}'`, name, whole, ...Object.values(more)].join(', ')}
    ${from}
    returning id, payload`
}

/**
 * Events that a statement emits: each part an expression, besides `name` and `from`. With `nameSql`, an expression for
 * the name, the names that it can have are given as the type argument. With `rest`, an expression for an object with
 * further fields of the payload, `payload` may lack them.
 */
type EventsSql<Name extends EventName> = Pick<RowSql, 'tenant' | 'trace' | 'from'> & {
  /** `suppressionSql`; without it nothing suppresses the event. */
  suppression?: string
} & ({ name: Name; nameSql?: undefined } | { name?: undefined; nameSql: string }) &
  (
    | { payload: FieldsSql<Payload<Name>>; rest?: undefined }
    | { payload: FieldsSql<Partial<Payload<Name>>>; rest: string }
  )

/** SQL that emits one event for each row of `from`, and returns `id` and `payload` of the rows of the outbox. */
export const insertEventsSql = <Name extends EventName>(parts: EventsSql<Name>): string =>
  insertOutboxSql({
    kind: 'event',
    tenant: parts.tenant,
    name: parts.nameSql ?? `'${parts.name}'`,
    payload: parts.rest === undefined ? objectSql(parts.payload) : `${parts.rest} || ${objectSql(parts.payload)}`,
    suppression: parts.suppression,
    trace: parts.trace,
    from: parts.from,
  })

/** Workflows that a statement starts: `id` and the fields of the input are expressions. */
interface WorkflowsSql<Name extends WorkflowName> extends Pick<RowSql, 'tenant' | 'from'> {
  workflow: Name
  id: string
  input: FieldsSql<WorkflowInput<Name>>
}

/** SQL that starts one workflow for each row of `from`, and returns the ids of the rows of the outbox. */
export const insertWorkflowsSql = <Name extends WorkflowName>(parts: WorkflowsSql<Name>): string =>
  insertOutboxSql({
    kind: 'workflow',
    tenant: parts.tenant,
    name: `'${parts.workflow}'`,
    payload: objectSql<{ id: string; input: object }>({ id: parts.id, input: objectSql(parts.input) }),
    from: parts.from,
  })
