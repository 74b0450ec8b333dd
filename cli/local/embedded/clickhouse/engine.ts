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

interface Lane {
  session: Chdb.Session
  database: string
  settings: Record<string, string>
}

/** One data folder and several connections to it. A connection runs one statement at a time, off the event loop. */
export class Engine {
  readonly #idle: Lane[] = []
  readonly #all: Lane[] = []
  readonly #queue: { wanted: Statement; take: (lane: Lane) => void }[] = []
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
    const lane = await this.#take(statement)
    this.#running++
    try {
      return statement.body?.length ? await insert(lane, statement, statement.body) : await query(lane, statement)
    } finally {
      this.#running--
      this.#giveBack(lane)
    }
  }

  /** Waits for what is running, then closes the folder. */
  async close(): Promise<void> {
    await drainPending()
    for (const { session } of this.#all) session.close()
    await drainPending()
  }

  #take(wanted: Statement): Promise<Lane> {
    const index = this.#idle.findIndex(lane => isPrepared(lane, wanted))
    const [lane] = this.#idle.splice(index === -1 ? 0 : index, 1)
    if (lane) return Promise.resolve(lane)
    if (this.#queue.length >= this.#waiting)
      throw new StatementError(
        202,
        'TOO_MANY_SIMULTANEOUS_QUERIES',
        `Too many simultaneous queries. Maximum: ${this.#all.length + this.#waiting}`,
      )
    return new Promise(resolve => this.#queue.push({ wanted, take: resolve }))
  }

  #giveBack(lane: Lane) {
    const next = this.#queue.shift()
    if (next) next.take(lane)
    else this.#idle.push(lane)
  }
}

const isPrepared = (lane: Lane, { database, settings, body }: Statement) =>
  lane.database === database && (body !== undefined || changesFor(lane, settings).length === 0)

function changesFor(lane: Lane, wanted: Record<string, string>): string[] {
  const names = new Set([...Object.keys(lane.settings), ...Object.keys(wanted)])
  return [...names].flatMap(name => {
    const value = wanted[name]
    if (lane.settings[name] === value) return []
    return value === undefined ? [`SET ${name} = DEFAULT`] : [`SET ${name} = ${quote(value)}`]
  })
}

/** Database and settings belong to the connection, so a connection is brought to what the statement asks for before it runs. */
async function prepare(lane: Lane, database: string, settings: Record<string, string>) {
  if (lane.database !== database) {
    await lane.session.queryAsync(`USE \`${database.replace(/[\\`]/g, '\\$&')}\``)
    lane.database = database
  }
  const changes = changesFor(lane, settings)
  if (changes.length === 0) return
  lane.settings = { ...lane.settings, ...settings } // should one fail, all of them are set again
  await lane.session.queryAsync(changes.join('; '))
  lane.settings = settings
}

async function query(lane: Lane, { sql, database, settings, format }: Statement): Promise<Answer> {
  const start = performance.now()
  await prepare(lane, database, settings)
  const result = await lane.session.queryAsync(sql, { format })
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

async function insert(lane: Lane, { sql, database, settings, format }: Statement, body: Buffer): Promise<Answer> {
  const [, table, columns, inline, bodyFormat] = insertion.exec(sql) ?? []
  if (!table || !bodyFormat || !rawFormats.has(bodyFormat))
    return query(lane, { sql: `${sql}\n${body.toString('utf8')}`, database, settings, format })
  const start = performance.now()
  await prepare(lane, database, lane.settings)
  const result = await lane.session.insert({
    table: unquote(table),
    ...(columns && { columns: columns.split(',').map(unquote) }),
    values: body,
    format: bodyFormat as Chdb.RawInsertFormat,
    settings: { ...lane.settings, ...settings, ...parseSettings(inline) },
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
