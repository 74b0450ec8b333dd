import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Pool } from 'pg'

/**
 * Tables of tenants, those that others refer to first, as the catalogue has them: a table made tomorrow is planted,
 * too.
 */
interface Table {
  name: string
  columns: Column[]
  references: Map<string, { table: string; column: string }>
}

interface Column {
  name: string
  type: string
  length: number | null
  isNullable: boolean
  hasDefault: boolean
}

/**
 * Everything a tenant has: a row in each table that belongs to tenants or hangs from one that does, the marker in
 * every text of it.
 */
export async function plant(
  owner: Pool,
  tenant: { id: string; resellerId: string; marker: string },
): Promise<{ teamId: string; tables: string[] }> {
  const tables = await readTables(owner)
  const planted = new Map<string, Record<string, unknown>>()
  for (const table of tables) planted.set(table.name, await plantRow(owner, table, planted, tenant))
  return { teamId: String(planted.get('managed_teams')?.id), tables: [...planted.keys()] }
}

async function plantRow(
  owner: Pool,
  table: Table,
  planted: ReadonlyMap<string, Record<string, unknown>>,
  tenant: { id: string; resellerId: string; marker: string },
): Promise<Record<string, unknown>> {
  const row: Record<string, unknown> = {}
  for (const column of table.columns) {
    const reference = table.references.get(column.name)
    if (table.name === 'tenants' && column.name === 'id') row.id = tenant.id
    else if (column.name === 'reseller_id') row.reseller_id = tenant.resellerId
    else if (column.name === 'tenant_id') row.tenant_id = tenant.id
    else if (reference) {
      const value = reference.table === table.name ? undefined : planted.get(reference.table)?.[reference.column]
      if (value !== undefined) row[column.name] = value
    } else {
      const value = markedValue(column, tenant.marker)
      if (value !== undefined) row[column.name] = value
    }
  }
  for (let attempt = 0; ; attempt++) {
    const names = Object.keys(row)
    try {
      const { rows } = await owner.query(
        `insert into ${table.name} (${names.map(name => `"${name}"`).join(', ')})
         values (${names.map((_, index) => `$${index + 1}`).join(', ')}) returning *`,
        Object.values(row),
      )
      return rows[0]
    } catch (error) {
      // a trigger was there before
      const [made] = isTaken(error)
        ? (await owner.query(`select * from ${table.name} where tenant_id = $1`, [tenant.id])).rows
        : []
      if (made) return made
      if (attempt > 20 || !(await yieldTo(owner, error, table, row)))
        throw new Error(`${table.name}: ${error}`, { cause: error })
    }
  }
}

const isTaken = (error: unknown) => error instanceof Error && 'code' in error && error.code === '23505'

/**
 * A rule of the table wins over the marker: what it refuses is left to its default, to nothing, or to a word the rule
 * names.
 */
async function yieldTo(owner: Pool, error: unknown, table: Table, row: Record<string, unknown>): Promise<boolean> {
  const { code, constraint } = error as { code?: string; constraint?: string }
  if (code !== '23514' || !constraint) return false
  const { rows } = await owner.query<{ columns: string[]; definition: string }>(
    `select array_agg(a.attname::text) as columns, pg_get_constraintdef(c.oid) as definition
     from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
     where c.conname = $1 and c.conrelid = $2::regclass group by c.oid`,
    [constraint, table.name],
  )
  for (const name of rows[0]?.columns ?? []) {
    const column = table.columns.find(known => known.name === name)
    const word = /'([^']+)'::/.exec(rows[0]?.definition ?? '')?.[1]
    // a pattern is no word
    if (word && !word.startsWith('^') && column && /char|text/.test(column.type)) {
      if (row[name] === word) continue
      row[name] = word
      return true
    }
    if (column?.hasDefault) delete row[name]
    else row[name] = null
  }
  return rows.length > 0
}

function markedValue({ name, type, length, hasDefault }: Column, marker: string): unknown {
  switch (type) {
    case 'text':
    case 'citext':
    case 'character varying':
      return marker.slice(0, length ?? undefined)
    case 'text[]':
    case 'character varying[]':
      return [marker]
    case 'jsonb':
    case 'json':
      return JSON.stringify({ marker })
    case 'uuid':
      return hasDefault ? undefined : randomUUID()
    case 'uuid[]':
      return hasDefault ? undefined : []
    case 'bytea':
      // as long as a hash, which is what such columns hold
      return Buffer.concat([Buffer.from(marker), randomBytes(32)]).subarray(0, 32)
    case 'inet':
      return '192.0.2.1'
    case 'boolean':
      return hasDefault ? undefined : true
    case 'date':
    case 'timestamp with time zone':
      return hasDefault ? undefined : new Date()
    default:
      if (hasDefault) return undefined
      return name === 'id' ? randomInt(1, 2 ** 31) : 1
  }
}

async function readTables(owner: Pool): Promise<Table[]> {
  const { rows: columns } = await owner.query<Column & { table: string }>(`
    select c.relname as table, a.attname as name, regexp_replace(format_type(a.atttypid, null), '"', '', 'g') as type,
           case when a.atttypid = 'varchar'::regtype and a.atttypmod > 4 then a.atttypmod - 4 end as length,
           not a.attnotnull as "isNullable", a.atthasdef as "hasDefault"
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attidentity = ''
      and a.attgenerated = ''
    order by c.relname, a.attnum`)
  const { rows: references } = await owner.query<{
    table: string
    column: string
    other: string
    otherColumn: string
  }>(`
    select c.conrelid::regclass::text as table, a.attname as column, c.confrelid::regclass::text as other,
      b.attname as "otherColumn"
    from pg_constraint c
    cross join lateral unnest(c.conkey, c.confkey) as k(own, foreign_key)
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.own
    join pg_attribute b on b.attrelid = c.confrelid and b.attnum = k.foreign_key
    where c.contype = 'f'`)
  const tables = new Map<string, Table>()
  for (const { table, ...column } of columns) {
    const found: Table = tables.get(table) ?? { name: table, columns: [], references: new Map() }
    found.columns.push(column)
    tables.set(table, found)
  }
  for (const { table, column, other, otherColumn } of references)
    tables.get(table)?.references.set(column, { table: other, column: otherColumn })

  const belongs = (table: Table, seen: readonly string[] = []): boolean =>
    table.name === 'tenants' ||
    table.columns.some(({ name }) => name === 'tenant_id') ||
    [...table.references.values()].some(
      ({ table: other }) =>
        !seen.includes(other) && other !== table.name && belongs(tables.get(other)!, [...seen, table.name]),
    )
  const wanted = [...tables.values()].filter(table => table.name !== 'purged_tenants' && belongs(table))
  const sorted: Table[] = []
  const add = (table: Table, under: readonly string[]) => {
    if (sorted.includes(table) || under.includes(table.name)) return
    for (const { table: other } of table.references.values()) {
      const before = wanted.find(({ name }) => name === other)
      if (before) add(before, [...under, table.name])
    }
    sorted.push(table)
  }
  // first, as a composite foreign key stands in the place of the plain one to it
  const tenants = wanted.filter(({ name }) => name === 'tenants')
  for (const table of [...tenants, ...wanted]) add(table, [])
  return sorted
}

/** Every row of every table of PostgreSQL as text: what a dump would hold. */
export async function dump(owner: Pool): Promise<{ table: string; row: string }[]> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind = 'r' order by 1`,
  )
  const lines: { table: string; row: string }[] = []
  for (const { name } of tables) {
    const { rows } = await owner.query<{ row: string }>(`select t::text as row from ${name} t order by 1`)
    lines.push(...rows.map(({ row }) => ({ table: name, row })))
  }
  return lines
}

/** A row in each table of ClickHouse that has tenants, the marker in every text of it. Answers the tables. */
export async function plantResults(clickhouse: ClickHouseClient, tenantId: string, marker: string): Promise<string[]> {
  const tables = await resultTables(clickhouse)
  for (const [table, columns] of tables) {
    const texts = columns.filter(({ type }) => /^(LowCardinality\()?String/.test(type))
    const ids = columns.filter(({ type, name }) => type === 'UUID' && name !== 'tenant_id')
    const times = columns.filter(({ type }) => /^Date/.test(type))
    await clickhouse.command({
      query: `INSERT INTO ${table} (${['tenant_id', ...[...texts, ...ids, ...times].map(({ name }) => name)].join(', ')})
        SELECT {tenant: UUID}${', {marker: String}'.repeat(texts.length)}${', generateUUIDv4(1)'.repeat(ids.length)}${', now()'.repeat(times.length)}`,
      query_params: { tenant: tenantId, marker },
    })
  }
  return [...tables.keys()]
}

export async function resultTables(
  clickhouse: ClickHouseClient,
): Promise<Map<string, { name: string; type: string }[]>> {
  const answer = await clickhouse.query({
    query: `SELECT table, name, type FROM system.columns WHERE database = currentDatabase()
      AND default_kind NOT IN ('MATERIALIZED', 'ALIAS')
      AND table IN (SELECT table FROM system.columns WHERE database = currentDatabase() AND name = 'tenant_id')
      AND table IN (SELECT name FROM system.tables WHERE database = currentDatabase()
        AND engine LIKE '%MergeTree') AND table != 'purged_tenants'`,
    format: 'JSONEachRow',
  })
  const rows = await answer.json<{ table: string; name: string; type: string }>()
  return new Map([...Map.groupBy(rows, ({ table }) => table)])
}

/** Every row of a tenant in ClickHouse, as text. */
export async function resultsOf(clickhouse: ClickHouseClient, tenantId: string): Promise<string[]> {
  const lines: string[] = []
  for (const table of (await resultTables(clickhouse)).keys()) {
    const answer = await clickhouse.query({
      query: `SELECT * FROM ${table} WHERE tenant_id = {tenant: UUID} ORDER BY ALL`,
      query_params: { tenant: tenantId },
      format: 'JSONCompactEachRow',
    })
    lines.push(
      ...(await answer.text())
        .split('\n')
        .filter(Boolean)
        .map(line => `${table} ${line}`),
    )
  }
  return lines
}
