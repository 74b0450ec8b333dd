import type { DatabaseSync } from 'node:sqlite'
import { SourceError } from '#importers/source.ts'

const limits = { rows: 20_001, related: 200_000, text: 70_000, characters: 67_108_864 }

export interface TableRow {
  table: string
  row: Record<string, unknown>
}

/** The columns that are read, of those that this version of the file has. */
const wanted = {
  monitor: [
    'id',
    'name',
    'active',
    'type',
    'url',
    'hostname',
    'port',
    'interval',
    'retry_interval',
    'maxretries',
    'timeout',
    'keyword',
    'invert_keyword',
    'ignore_tls',
    'upside_down',
    'maxredirects',
    'accepted_statuscodes_json',
    'dns_resolve_type',
    'dns_resolve_server',
    'push_token',
    'method',
    'body',
    'headers',
    'basic_auth_user',
    'basic_auth_pass',
    'auth_method',
    'json_path',
    'json_path_operator',
    'expected_value',
    'parent',
    'description',
    'expiry_notification',
    'database_connection_string',
    'ping_count',
    'http_body_encoding',
    'bearer_token',
    'ip_family',
  ],
  tag: ['id', 'name'],
  monitor_tag: ['monitor_id', 'tag_id', 'value'],
  notification: ['id', 'name', 'active', 'config'],
  status_page: ['id', 'slug', 'title'],
  maintenance: ['id', 'title', 'strategy', 'active'],
  heartbeat: ['monitor_id', 'important', 'status', 'msg', 'time'],
} as const

/** Of other columns of a monitor only the names are read, of those that are set; a version has a hundred at most. */
const mostOthers = 300

/** Of the heartbeats only those that changed a status are read. */
const only: Partial<Record<string, string>> = { heartbeat: 'where "important" = 1' }

/**
 * The rows of an Uptime Kuma database. Only a program may call it. The file comes from outside: it is opened read-only,
 * only plain tables are read, never views, virtual tables or generated columns, and of each only named columns, cut,
 * and so many rows.
 */
export function readDatabase(path: string): TableRow[] {
  // loaded here: a process that only names the source does not need it
  const sqlite = process.getBuiltinModule('node:sqlite')
  try {
    const database = new sqlite.DatabaseSync(path, {
      readOnly: true,
      allowExtension: false,
      enableDoubleQuotedStringLiterals: false,
    })
    database.exec('pragma trusted_schema = off')
    database.exec('pragma cell_size_check = on')
    database.exec('pragma mmap_size = 0')
    database.exec('pragma query_only = on')
    // a sort goes to memory, which is bounded: there is no right to write a file
    database.exec('pragma temp_store = memory')
    return [...rowsOf(database)]
  } catch (error) {
    if (error instanceof SourceError) throw error
    const isDamaged = /malformed|not a database|corrupt/i.test(error instanceof Error ? error.message : '')
    throw new SourceError(isDamaged ? 'The database is damaged.' : 'The database cannot be read.')
  }
}

const noDatabaseOfKuma = (why: string) => new SourceError(`The file is no database of Uptime Kuma: ${why}.`)

function* rowsOf(database: DatabaseSync): Generator<TableRow> {
  let left = limits.characters
  const counted = (table: string, row: Record<string, unknown>): TableRow => {
    for (const value of Object.values(row)) left -= typeof value === 'string' ? value.length : 8
    if (left < 0) throw new SourceError('The file holds more text than is read of one source.')
    return { table, row }
  }
  const schema = database.prepare('select type, sql from sqlite_schema where name = ?')
  for (const [table, columns] of Object.entries(wanted)) {
    const found = schema.get(table)
    if (found === undefined) {
      if (table === 'monitor') throw noDatabaseOfKuma('it has no monitors')
      continue
    }
    if (found.type !== 'table' || /^\s*create\s+virtual/i.test(String(found.sql)))
      throw noDatabaseOfKuma('its tables are not plain ones')
    const stored = database
      .prepare(`pragma table_xinfo("${table}")`)
      .all()
      .filter(({ hidden }) => hidden === 0)
    const plain = new Set(stored.map(({ name }) => String(name)))
    const read = columns.filter(column => plain.has(column))
    if (read.length === 0 || (table === 'heartbeat' && !plain.has('important'))) continue
    const most = table === 'monitor_tag' || table === 'heartbeat' ? limits.related : limits.rows
    const list = read.map(
      column =>
        `case typeof("${column}") when 'blob' then null when 'text' then substr("${column}", 1, ${limits.text})
         else "${column}" end as "${column}"`,
    )
    // not ordered: an order could use an index over an expression of the file's own making
    const rows = database.prepare(
      `select ${list.join(', ')} from "${table}" not indexed ${only[table] ?? ''} limit ${most}`,
    )
    rows.setReadBigInts(false)
    for (const row of rows.iterate()) yield counted(table, row)
    if (table === 'monitor' && plain.has('id'))
      for (const row of othersIn(database, stored, new Set(columns))) yield counted('monitor_other', row)
    if (table === 'heartbeat' && ['monitor_id', 'time'].every(column => read.some(name => name === column)))
      for (const row of database.prepare(spans).iterate()) yield counted('heartbeat_span', row)
  }
}

/** The names of further columns that are set in a monitor: one is set if it is not its default. */
function* othersIn(
  database: DatabaseSync,
  stored: readonly Record<string, unknown>[],
  known: ReadonlySet<string>,
): Generator<Record<string, unknown>> {
  const others = stored.filter(({ name }) => /^\w{1,60}$/.test(String(name)) && !known.has(String(name)))
  for (const { name, dflt_value } of others.slice(0, mostOthers)) {
    const rows = database.prepare(`
      select id from "monitor" not indexed
      where "${name}" is not null and cast("${name}" as text) not in ('', '[]', '{}', ?) limit ${limits.rows}`)
    for (const { id } of rows.iterate(literalOf(dflt_value))) yield { id, name }
  }
}

/** A default as SQL has it, as a text; one that is an expression is none. */
const literalOf = (written: unknown): string =>
  typeof written === 'string' ? (/^'((?:[^']|'')*)'$/.exec(written)?.[1]?.replaceAll("''", "'") ?? written) : ''

/** Since when and until when each monitor has heartbeats. */
const spans = `
  select monitor_id, substr(min(time), 1, 40) as first, substr(max(time), 1, 40) as last from "heartbeat" not indexed
  where typeof(time) = 'text' and time glob '[12][0-9][0-9][0-9]-*' group by monitor_id limit ${limits.rows}`
