import { createRequire } from 'node:module'
import type * as Chdb from 'chdb'
import { quote, StatementError } from './parameters.ts'

const { Session, drainPending } = createRequire(import.meta.url)('chdb') as typeof Chdb

export interface Statement {
  sql: string
  database: string
  settings: Record<string, string>
  format: string
  /** Rows to insert, as they came. */
  body?: Buffer
}

export interface Answer {
  bytes: Uint8Array
  rowsRead: number
  bytesRead: number
  rowsWritten: number
  bytesWritten: number
  elapsedMs: number
}

export interface EngineOptions {
  folder: string
  connections: number
  /** Statements that may wait for a connection. */
  waiting: number
  args: readonly string[]
}

interface Connection {
  session: Chdb.Session
  database: string
  settings: Record<string, string>
}

/** One data folder and several connections to it. A connection runs one statement at a time, off the event loop. */
export class Engine {
  readonly #idle: Connection[] = []
  readonly #all: Connection[] = []
  readonly #queue: { wanted: Statement; take: (connection: Connection) => void }[] = []
  readonly #waiting: number
  #running = 0

  constructor({ folder, connections, waiting, args }: EngineOptions) {
    this.#waiting = waiting
    for (let i = 0; i < connections; i++)
      this.#all.push({ session: new Session(folder, { connectionArgs: args }), database: 'default', settings: {} })
    this.#idle.push(...this.#all)
  }

  get load() {
    return { running: this.#running, waiting: this.#queue.length }
  }

  async run(statement: Statement): Promise<Answer> {
    const connection = await this.#take(statement)
    this.#running++
    try {
      return statement.body?.length
        ? await insert(connection, statement, statement.body)
        : await query(connection, statement)
    } finally {
      this.#running--
      this.#giveBack(connection)
    }
  }

  /** Waits for what is running, then closes the folder. */
  async close(): Promise<void> {
    await drainPending()
    for (const { session } of this.#all) session.close()
    await drainPending()
  }

  #take(wanted: Statement): Promise<Connection> {
    const index = this.#idle.findIndex(connection => isPrepared(connection, wanted))
    const [connection] = this.#idle.splice(index === -1 ? 0 : index, 1)
    if (connection) return Promise.resolve(connection)
    if (this.#queue.length >= this.#waiting)
      throw new StatementError(
        202,
        'TOO_MANY_SIMULTANEOUS_QUERIES',
        `Too many simultaneous queries. Maximum: ${this.#all.length + this.#waiting}`,
      )
    return new Promise(resolve => this.#queue.push({ wanted, take: resolve }))
  }

  #giveBack(connection: Connection) {
    const next = this.#queue.shift()
    if (next) next.take(connection)
    else this.#idle.push(connection)
  }
}

const isPrepared = (connection: Connection, { database, settings, body }: Statement) =>
  connection.database === database && (body !== undefined || changesFor(connection, settings).length === 0)

function changesFor(connection: Connection, wanted: Record<string, string>): string[] {
  const names = new Set([...Object.keys(connection.settings), ...Object.keys(wanted)])
  return [...names].flatMap(name => {
    const value = wanted[name]
    if (connection.settings[name] === value) return []
    return value === undefined ? [`SET ${name} = DEFAULT`] : [`SET ${name} = ${quote(value)}`]
  })
}

/** Sets the database and settings of the connection to those of the statement. */
async function prepare(connection: Connection, database: string, settings: Record<string, string>) {
  if (connection.database !== database) {
    await connection.session.queryAsync(`USE \`${database.replace(/[\\`]/g, '\\$&')}\``)
    connection.database = database
  }
  const changes = changesFor(connection, settings)
  if (changes.length === 0) return
  connection.settings = { ...connection.settings, ...settings } // after a failure all of them are set again
  await connection.session.queryAsync(changes.join('; '))
  connection.settings = settings
}

async function query(connection: Connection, { sql, database, settings, format }: Statement): Promise<Answer> {
  const start = performance.now()
  await prepare(connection, database, settings)
  const result = await connection.session.queryAsync(sql, { format })
  return {
    bytes: result.bytes(),
    rowsRead: result.rowsRead,
    bytesRead: result.bytesRead,
    rowsWritten: 0,
    bytesWritten: 0,
    elapsedMs: performance.now() - start,
  }
}

const insertion =
  /^\s*INSERT\s+INTO\s+(?:TABLE\s+)?([\w.`"]+)\s*(?:\(([^)]*)\))?\s*(?:SETTINGS\s+([\s\S]*?))?\s*FORMAT\s+(\w+)\s*;?\s*$/i
const rawFormats = new Set<string>([
  'JSONEachRow',
  'JSONCompactEachRow',
  'CSV',
  'CSVWithNames',
  'TSV',
  'TabSeparated',
  'TSVWithNames',
  'TabSeparatedWithNames',
] satisfies Chdb.RawInsertFormat[])

async function insert(
  connection: Connection,
  { sql, database, settings, format }: Statement,
  body: Buffer,
): Promise<Answer> {
  const [, table, columns, inline, bodyFormat] = insertion.exec(sql) ?? []
  if (!table || !bodyFormat || !rawFormats.has(bodyFormat))
    return query(connection, { sql: `${sql}\n${body.toString('utf8')}`, database, settings, format })
  const start = performance.now()
  await prepare(connection, database, connection.settings)
  const result = await connection.session.insert({
    table: unquote(table),
    ...(columns && { columns: columns.split(',').map(unquote) }),
    values: body,
    format: bodyFormat as Chdb.RawInsertFormat,
    settings: { ...connection.settings, ...settings, ...parseSettings(inline) },
  })
  const elapsedMs = performance.now() - start
  return {
    bytes: Buffer.alloc(0),
    rowsRead: 0,
    bytesRead: 0,
    rowsWritten: result.rowsWritten,
    bytesWritten: result.bytesWritten,
    elapsedMs,
  }
}

const unquote = (name: string) => name.trim().replace(/[`"]/g, '')

const parseSettings = (text: string | undefined): Record<string, string> =>
  Object.fromEntries(
    [...(text ?? '').matchAll(/(\w+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|([\w.+-]+))/g)].map(([, name, quoted, bare]) => [
      name,
      quoted ?? bare ?? '',
    ]),
  )
