import type { EntityManager, InferKyselyDB } from '@mikro-orm/postgresql'
import {
  type CompiledQuery,
  createQueryId,
  type DatabaseConnection,
  type Driver,
  type Expression,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type RawBuilder,
  type RawNode,
  type Selectable,
  sql,
} from 'kysely'
import pg, { type ClientBase, type Pool } from 'pg'
import { sqlTextOf } from '#control-plane/base/sql-text.ts'
import type { entities } from './model/index.ts'

/** Every table with its columns, as the entities say. */
export type Database = InferKyselyDB<(typeof entities)[number]>

/** Columns of a table as a statement returns them, for what is written in SQL. */
export type Row<
  Table extends keyof Database,
  Column extends keyof Selectable<Database[Table]> = keyof Selectable<Database[Table]>,
> = Pick<Selectable<Database[Table]>, Column>

/**
 * Queries that the compiler checks against the entities: in the transaction of a request (`em`), in a transaction of a
 * job (a client), or each on its own (the pool). Rows are the same in all three: moments are text with microseconds, as
 * `stamp` gives them to the wire.
 */
export function queries(db: Db): Kysely<Database> {
  if ('getKysely' in db) return db.getKysely<Database>()
  const known = builders.get(db)
  if (known) return known
  const made = new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new ClientDriver(db),
      createIntrospector: introspected => new PostgresIntrospector(introspected),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  builders.set(db, made)
  return made
}

/** What statements are sent over: a request's transaction, a job's transaction, or the pool, each on its own. */
export type Db = EntityManager | Pool | ClientBase

/**
 * Rows of a statement that SQL says better than a query built here. Values stand in its template and are sent apart
 * from its text; parts of other statements are `sql`. A statement that is made elsewhere is the second parameter.
 *
 *     const [row] = await rows(db)<Row<'tokens', 'id'>>`select id from tokens where hash = ${hash} for update`
 *     const [row] = await rows(db, findToken(hash))
 */
export function rows(db: Db): <Result>(...template: Template) => Promise<Result[]>
export function rows<Result>(db: Db, statement: Statement<Result>): Promise<Result[]>
export function rows(db: Db, statement?: Statement<unknown>) {
  const read = async (sent: Statement<unknown>) => (await sent.execute(queries(db))).rows
  return statement ? read(statement) : (...template: Template) => read(sql(...template))
}

/** How many rows a statement found or changed. */
export function affected(db: Db): (...template: Template) => Promise<number>
export function affected(db: Db, statement: Statement<unknown>): Promise<number>
export function affected(db: Db, statement?: Statement<unknown>) {
  const count = async (sent: Statement<unknown>) => {
    const { rows, numAffectedRows } = await sent.execute(queries(db))
    return Number(numAffectedRows ?? rows.length)
  }
  return statement ? count(statement) : (...template: Template) => count(sql(...template))
}

/** How many rows there are: what follows `select count(*)`, as in ``countRows(db)`from monitors where …` ``. */
export const countRows =
  (db: Db) =>
  async (...template: Template): Promise<number> =>
    (await rows(db)<{ n: number }>`select count(*)::int as n ${sql(...template)}`)[0]!.n

type Template = [text: TemplateStringsArray, ...values: unknown[]]

/** What is sent: a template, or a prepared statement with its values. */
export type Statement<Result> = Pick<RawBuilder<Result>, 'execute'>

/**
 * A statement that is sent often: its text is made once, and each connection parses it once, under its name. The
 * template has its parameters as values only, as it sees none of them.
 *
 *     const find = prepared('find-token', (hash: Buffer) => sql<…>`select id from tokens where hash = ${hash}`)
 *     const [row] = await rows(db, find(hash))
 *
 * With `timeoutMs` it has a timeout of its own. Without a name it is parsed and planned each time, so that no plan is
 * kept that was made while its table was nearly empty.
 */
export function prepared<Values extends readonly unknown[], Result>(
  name: string | null,
  template: (...values: Values) => RawBuilder<Result>,
  { timeoutMs }: { timeoutMs?: number } = {},
): (...values: Values) => Statement<Result> {
  const make = () => {
    const places = Array.from({ length: template.length }, (_, index) => new Place(index))
    return new PostgresQueryCompiler().compileQuery(
      template(...(places as unknown as Values)).toOperationNode() as RawNode,
      createQueryId(),
    )
  }
  let made: CompiledQuery | undefined
  return (...values) => ({
    execute: executor => {
      made ??= make()
      const parameters = made.parameters.map(value => (value instanceof Place ? values[value.index] : value))
      // Kysely hands its text to pg as it is, and pg takes the text with its name and timeout as one object
      const text: Named = {
        text: made.sql,
        ...(name !== null && { name }),
        ...(timeoutMs && { query_timeout: timeoutMs }),
      }
      return executor.getExecutor().executeQuery<Result>({ ...made, sql: text as unknown as string, parameters })
    },
  })
}

/** What pg is given as the text of a prepared statement. */
interface Named {
  text: string
  name?: string
  query_timeout?: number
}

class Place {
  readonly index: number

  constructor(index: number) {
    this.index = index
  }
}

/** A part of many statements, with no values of its own: its text is made once. */
export const fixed = <Result>(part: RawBuilder<Result>): RawBuilder<Result> => sql.raw(sqlTextOf(part))

/** A row with some of its moments as `Date`s, which lose microseconds. */
export function withDates<Result extends object, Column extends keyof Result>(row: Result, ...columns: Column[]) {
  const dates = columns.map(column => [column, row[column] === null ? null : new Date(row[column] as string)])
  return { ...row, ...Object.fromEntries(dates) } as Omit<Result, Column> & {
    [Key in Column]: Date | Extract<Result[Key], null>
  }
}

/** Whether a statement failed as a value is there already that may be there once. */
export const isTaken = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '23505'

/** Waits until no other transaction holds the lock of this name and number, and holds it until this one ends. */
export const advisoryLock = (db: Db, name: string, number = 0): Promise<unknown> =>
  rows(db)`select pg_advisory_xact_lock(hashtextextended(${name}, ${number}))`

/**
 * A moment as the wire has it, with microseconds; in JavaScript a `Date` would lose three digits. In SQL the column is
 * named: `stamp('t.at')`.
 */
export const stamp = <Moment extends string | null>(column: Expression<Moment> | string): RawBuilder<Moment> =>
  sql<Moment>`to_char(${columnOf(column)} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** A part of a statement: a column by its name, or an expression. */
export type Part = string | Expression<unknown>

/** A column by its name, or an expression as it is. */
export const columnOf = (column: Part): Expression<unknown> => (typeof column === 'string' ? sql.ref(column) : column)

/** The number of rows, as a number: no list of ours has more than a number can count. */
export const total = sql<number>`count(*)::int`.as('total')

/** Any of a list of ids, also of none: `where('id', '=', among(ids))`. */
export const among = (ids: readonly string[]): RawBuilder<string> => sql<string>`any(${[...ids]}::uuid[])`

/** The same for texts, such as the values of a filter: `in` fails on an empty list. */
export const amongTexts = <Text extends string>(values: readonly Text[]): RawBuilder<Text> =>
  sql<Text>`any(${[...values]}::text[])`

/** A value for a column of type jsonb. A list given as it is would become an array of PostgreSQL. */
export const json = <Value>(value: Value): RawBuilder<Value> => sql<Value>`${JSON.stringify(value)}::jsonb`

const builders = new WeakMap<Pool | ClientBase, Kysely<Database>>()

/**
 * Dates and moments stay text, as the entity manager has them; pg alone would make a `Date` of them and lose
 * microseconds.
 */
const types = new pg.TypeOverrides()
const textArray: number = 1009
for (const oid of [1082, 1114, 1184, 1186]) types.setTypeParser(oid, text => text)
for (const oid of [1182, 1115, 1185, 1187])
  types.setTypeParser(oid, pg.types.getTypeParser(textArray as Parameters<typeof pg.types.getTypeParser>[0]))

/** Sends built queries over a pool or a client. Transactions are begun by the owner of the pool, not here. */
class ClientDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(client: Pool | ClientBase) {
    this.#connection = {
      async executeQuery<Result>(statement: CompiledQuery): Promise<QueryResult<Result>> {
        const text = statement.sql as string | Named
        const question = typeof text === 'string' ? { text } : text
        const { rows, rowCount } = await client.query({ ...question, values: [...statement.parameters], types })
        return { rows: rows as Result[], numAffectedRows: BigInt(rowCount ?? 0) }
      },
      streamQuery: refuse,
    }
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }
  beginTransaction = refuse
  commitTransaction = refuse
  rollbackTransaction = refuse
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}

function refuse(): never {
  throw new Error('Queries run in the transaction of the client they are given.')
}
