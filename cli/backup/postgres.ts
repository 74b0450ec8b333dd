import { StringDecoder } from 'node:string_decoder'
import pg from 'pg'
import { StartFault } from '#cli/fault.ts'
import { readHeads, verifyTrails } from '#control-plane/tenancy/audit-log/verify.ts'
import type { Manifest, StoredFile } from './format.ts'

type Dump = Manifest['postgres']
type Table = Dump['tables'][number]

/** Rows of a fetch, and of an insert. */
const batch = 1_000
/** Bytes of an insert, as rows may be large. */
const batchBytes = 4_000_000

const ours = `c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations'`

/**
 * Tables with their columns. Left out are those with numbers of transactions, which mean something in one cluster only:
 * they hold notices of the last minutes, which nothing reads after a restore.
 */
const tablesQuery = `
  select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns,
    array_agg(format_type(a.atttypid, a.atttypmod) order by a.attnum) as types
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where ${ours} and a.attgenerated = '' and not exists (
    select 1 from pg_attribute x
    where x.attrelid = c.oid and x.attnum > 0 and x.atttypid = any('{xid8,pg_snapshot}'::regtype[]))
  group by c.relname order by c.relname`

const sequencesQuery = `
  select c.relname as table, a.attname as column, s.last_value::text as value
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attidentity <> ''
  join pg_sequences s on format('%I.%I', s.schemaname, s.sequencename)::regclass
    = pg_get_serial_sequence(c.oid::regclass::text, a.attname)::regclass
  where ${ours} order by 1, 2`

const appliedQuery = `select name from schema_migrations where name not like 'rights of %' order by name`

/** Texts of values must not depend on the settings of a role or a server. */
const plainTexts = `set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
  set local bytea_output = 'hex'; set local extra_float_digits = 1; set local idle_in_transaction_session_timeout = 0;
  set local statement_timeout = 0; set local lock_timeout = 0`

const quoted = (names: readonly string[]) => names.map(name => `"${name}"`)

/**
 * Reads every table at one moment, in one transaction of the platform role, which reaches all rows and locks none.
 * `write` gets one file a table: a line a row, each an array of texts and nulls.
 */
export async function dumpPostgres(
  { platformUrl, ownerUrl }: { platformUrl: string; ownerUrl: string },
  write: (name: string, source: AsyncIterable<string>) => Promise<StoredFile>,
): Promise<Dump> {
  return withClient(platformUrl, async client => {
    await client.query('begin isolation level repeatable read read only')
    await client.query(plainTexts)
    const { rows: migrations } = await client.query<{ name: string }>(appliedQuery)
    const { rows: found } = await client.query<Pick<Table, 'name' | 'columns'>>(tablesQuery)
    const tables: Table[] = []
    for (const { name, columns } of found) {
      const counter = { rows: 0 }
      const stored = await write(`postgres/${name}.jsonl.gz`, readTable(client, name, columns, counter))
      tables.push({ name, columns, rows: counter.rows, ...stored })
    }
    const { trails, links, faults } = await verifyTrails(client)
    if (faults.length > 0)
      throw new StartFault(
        'failed',
        `${faults.length} faults in the audit trails`,
        'Entries were edited, deleted or added outside of the service.',
        'vedette audit verify',
      )
    const { heads } = await readHeads(client, new Date(0))
    const { rows: about } = await client.query<{ version: string }>(
      `select current_setting('server_version') as version`,
    )
    await client.query('commit')
    // sequences heed no snapshot: read last, they are beyond every row that was read
    const sequences = await withClient(ownerUrl, owner => owner.query<Dump['sequences'][number]>(sequencesQuery))
    return {
      version: about[0]?.version ?? '',
      migrations: migrations.map(({ name }) => name),
      tables,
      sequences: sequences.rows,
      audit: { trails, links, heads },
    }
  })
}

async function* readTable(
  client: pg.PoolClient,
  name: string,
  columns: readonly string[],
  counter: { rows: number },
): AsyncGenerator<string> {
  const texts = quoted(columns).map(column => `${column}::text`)
  // an array, as a function may have fewer arguments than a table columns
  await client.query(
    `declare rows_of_backup no scroll cursor for
     select to_json(array[${texts.join(', ')}])::text as line from "${name}"`,
  )
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${batch} from rows_of_backup`)
    if (rows.length === 0) break
    counter.rows += rows.length
    yield `${rows.map(({ line }) => line).join('\n')}\n`
  }
  await client.query('close rows_of_backup')
}

/** Refuses a database that holds an installation, or a schema other than the backup's. */
export async function refuseFilledPostgres(
  { ownerUrl, platformUrl }: { ownerUrl: string; platformUrl: string },
  migrations: readonly string[],
): Promise<void> {
  const state = await withClient(ownerUrl, async client => {
    const { rows } = await client.query<{ has: boolean }>(`select to_regclass('public.tenants') is not null as has`)
    if (!rows[0]?.has) return 'new'
    const { rowCount } = await client.query(`select from schema_migrations where name = 'rights of tenants'`)
    return rowCount === 0 ? 'without rights' : 'complete'
  })
  if (state === 'new') return
  // a restore that was interrupted has left the tables to their owner alone
  await withClient(state === 'complete' ? platformUrl : ownerUrl, async client => {
    const { rows: filled } = await client.query<{ is_filled: boolean }>(
      `select exists (select from tenants) or exists (select from users) or exists (select from agents) as is_filled`,
    )
    const { host, pathname } = new URL(ownerUrl)
    if (filled[0]?.is_filled)
      throw new StartFault(
        'config',
        `the database ${host}${pathname} is not empty`,
        'A restore never replaces rows.',
        'create database vedette_restored owner vedette_owner;      and name it in the three addresses',
        'or, with embedded stores: vedette restore BACKUP --data NEW_FOLDER',
      )
    const { rows: known } = await client.query<{ name: string }>(appliedQuery)
    if (known.map(({ name }) => name).join() !== migrations.join())
      throw new StartFault(
        'config',
        `the database ${host}${pathname} has the schema of another version`,
        'Rows are restored into the schema that they had, and then brought up to date.',
        'take a database without tables: the restore makes them',
      )
  })
}

/**
 * Writes all rows, as the owner, in one transaction: all of them or none. Triggers do not run meanwhile, as what they
 * would do was done before; foreign keys are made again afterwards, which verifies them.
 */
export async function loadPostgres(
  ownerUrl: string,
  { tables, sequences }: Pick<Dump, 'tables' | 'sequences'>,
  read: (file: StoredFile) => AsyncIterable<Buffer>,
): Promise<void> {
  await withClient(ownerUrl, async client => {
    await client.query('begin')
    await client.query(plainTexts)
    const { rows: found } = await client.query<{ name: string; columns: string[]; types: string[] }>(tablesQuery)
    const typesOf = new Map(
      found.map(({ name, columns, types }) => [name, new Map(columns.map((column, at) => [column, types[at] ?? '']))]),
    )
    const { rows: all } = await client.query<{ name: string; is_forced: boolean }>(
      `select c.relname as name, c.relforcerowsecurity as is_forced from pg_class c where ${ours} order by 1`,
    )
    const forced = all.filter(({ is_forced }) => is_forced)
    const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
      `select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
       from pg_constraint k join pg_class c on c.oid = k.conrelid where ${ours} and k.contype = 'f' order by 1, 2`,
    )
    for (const { table, name } of keys) await client.query(`alter table "${table}" drop constraint "${name}"`)
    for (const { name } of all) await client.query(`alter table "${name}" disable trigger user`)
    for (const { name } of forced) await client.query(`alter table "${name}" no force row level security`)
    await client.query(`truncate ${quoted(all.map(({ name }) => name)).join(', ')}`)
    for (const table of tables) await loadTable(client, table, typesOf.get(table.name) ?? new Map(), read(table))
    for (const { table, column, value } of sequences)
      if (value !== null)
        await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [`public.${table}`, column, value])
    for (const { name } of forced) await client.query(`alter table "${name}" force row level security`)
    for (const { name } of all) await client.query(`alter table "${name}" enable trigger user`)
    for (const { table, name, definition } of keys)
      await client.query(`alter table "${table}" add constraint "${name}" ${definition}`)
    await client.query('commit')
    await client.query('analyze')
  })
}

async function loadTable(
  client: pg.PoolClient,
  table: Table,
  types: ReadonlyMap<string, string>,
  source: AsyncIterable<Buffer>,
): Promise<void> {
  const { name, columns, rows } = table
  const unknown = columns.find(column => !types.has(column))
  if (unknown !== undefined) throw damaged(name, `Its column ${unknown} is not known.`)
  const values = columns.map((column, at) => `(r ->> ${at})::${types.get(column)}`)
  const insert = `insert into "${name}" (${quoted(columns).join(', ')}) overriding system value
    select ${values.join(', ')} from json_array_elements($1::json) r`
  let waiting: string[] = []
  let bytes = 0
  let loaded = 0
  const flush = async () => {
    if (waiting.length > 0) loaded += (await client.query(insert, [`[${waiting.join(',')}]`])).rowCount ?? 0
    waiting = []
    bytes = 0
  }
  for await (const line of linesOf(source)) {
    waiting.push(line)
    bytes += line.length
    if (waiting.length >= batch || bytes >= batchBytes) await flush()
  }
  await flush()
  if (loaded !== rows) throw damaged(name, `It has ${loaded} rows instead of ${rows}.`)
}

/** `readline` would also split at characters that a text may have. */
async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let left = ''
  for await (const bytes of source) {
    const lines = (left + decoder.write(bytes)).split('\n')
    left = lines.pop() ?? ''
    yield* lines
  }
  if (left !== '') throw new Error('The last line was cut off.')
}

const damaged = (table: string, why: string) =>
  new StartFault('failed', `the table ${table} cannot be restored`, why, 'take another backup')

/** What differs from the manifest: rows of tables, links of the audit trails. Empty where all is as it was. */
export async function comparePostgres(platformUrl: string, { tables, audit }: Dump): Promise<string[]> {
  return withClient(platformUrl, async client => {
    const differences: string[] = []
    for (const { name, rows } of tables) {
      const { rows: counted } = await client.query<{ n: number }>(`select count(*)::float8 as n from "${name}"`)
      if (counted[0]?.n !== rows) differences.push(`${name} has ${counted[0]?.n} rows instead of ${rows}`)
    }
    const { trails, links, faults } = await verifyTrails(client, { heads: audit.heads })
    if (faults.length > 0) differences.push(`${faults.length} faults in the audit trails`)
    if (trails !== audit.trails || links !== audit.links)
      differences.push(`${links} links of ${trails} audit trails instead of ${audit.links} of ${audit.trails}`)
    return differences
  })
}

async function withClient<T>(url: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  pool.on('error', () => {})
  try {
    const client = await pool.connect()
    // not used again: it may be in the middle of a transaction
    return await work(client).finally(() => client.release(true))
  } finally {
    await pool.end()
  }
}
