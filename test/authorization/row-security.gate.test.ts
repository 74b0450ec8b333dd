import { randomInt, randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anonymous, type Caller } from '#control-plane/base/caller.ts'
import { openOrm } from '#control-plane/db/orm.ts'
import { unitOfWork } from '#control-plane/outbox/unit-of-work.ts'
import { openDatabases } from '#test/support/databases.ts'

/**
 * Row security alone: every statement here is written as if the application had forgotten its tenant filter. Each kind
 * of statement goes through the tables by turns, and at 4,000 through all of them at least three times.
 */
const operations = Number(process.env.ROW_SECURITY_OPERATIONS ?? 4_000)
const atOnce = 64
const poolSize = 8
const rowsEach = 3
const kinds = ['read', 'read', 'read', 'people', 'change', 'take', 'give', 'remove', 'add', 'fail'] as const

let owner: pg.Client
let orm: Awaited<ReturnType<typeof openOrm>>
beforeAll(async () => {
  const databases = await openDatabases('vedette_row_security')
  owner = new pg.Client({ connectionString: databases.ownerUrl })
  await owner.connect()
  orm = await openOrm({ databaseUrl: databases.appUrl, poolSize })
})
afterAll(async () => {
  await orm.close()
  await owner.end()
})

interface Column {
  name: string
  type: string
  length: number | null
}
interface Table {
  name: string
  columns: Column[]
  may: { select: boolean; insert: boolean; update: boolean; delete: boolean }
}
interface Tenant {
  id: string
  /** Its reseller, its own id where it is one. */
  reseller: string | null
}

/** What a reseller reads and writes of its own while it acts in one of its teams. */
const ofTheReseller = new Set(['monitor_templates', 'provisioning_profiles', 'idempotency_keys'])
/** Tables whose rows a reseller reads in all its teams at once, and those it adds rows to there. */
const readInFamily = new Set(['managed_teams', 'tenants', 'tenant_counts'])
const addedInFamily = new Set(['managed_teams', 'audit_entries', 'outbox'])

async function tenantTables(): Promise<Table[]> {
  const { rows } = await owner.query<{ name: string; columns: Column[]; may: Table['may'] }>(`
    select c.relname as name,
      (select jsonb_agg(jsonb_build_object('name', a.column_name, 'type', a.udt_name, 'length',
        a.character_maximum_length))
       from information_schema.columns a where a.table_schema = 'public' and a.table_name = c.relname
         and a.is_nullable = 'NO' and a.column_default is null and a.is_identity = 'NO') as columns,
      jsonb_build_object(
        'select', has_table_privilege('vedette_app', c.oid, 'select'), 'insert',
          has_table_privilege('vedette_app', c.oid, 'insert'),
        'update', has_any_column_privilege('vedette_app', c.oid, 'update'), 'delete',
          has_table_privilege('vedette_app', c.oid, 'delete')) as may
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p')
      and exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id'
        and not a.attisdropped)
    order by c.relname`)
  return rows
}

const valueFor = ({ type, length }: Column): unknown => {
  const words = randomUUID().replaceAll('-', '')
  switch (type) {
    case 'uuid':
      return randomUUID()
    case 'bytea':
      return Buffer.from(words, 'hex')
    case 'int2':
    case 'int4':
    case 'int8':
    case 'numeric':
      return randomInt(30_000)
    case 'bool':
      return false
    case 'timestamptz':
      return new Date()
    case 'date':
      return '2026-01-01'
    case 'inet':
      return '198.51.100.1'
    case 'jsonb':
      return '{}'
    default:
      return type.startsWith('_') ? [] : words.slice(0, length ?? 32)
  }
}

/** Rows in every table that has a tenant, whatever the table means: their references lead nowhere. */
async function seed(tables: readonly Table[]): Promise<Tenant[]> {
  const tenants: Tenant[] = Array.from({ length: 6 }, () => ({ id: randomUUID(), reseller: null }))
  for (let resellers = 0; resellers < 2; resellers++) {
    const reseller = randomUUID()
    tenants.push({ id: reseller, reseller }, ...Array.from({ length: 3 }, () => ({ id: randomUUID(), reseller })))
  }
  await owner.query(`set session_replication_role = replica`)
  // this database is the test's own; the values that a check allows are of no matter here
  const { rows: checks } = await owner.query<{ drop: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop from pg_constraint
     where contype = 'c' and connamespace = 'public'::regnamespace`,
  )
  for (const { drop } of checks) await owner.query(drop)
  for (const { id, reseller } of tenants) {
    await owner.query('insert into tenants (id, name, slug, is_reseller) values ($1, $2, $2, $3)', [
      id,
      `t-${id}`,
      id === reseller,
    ])
    for (const table of tables)
      for (let row = 0; row < rowsEach; row++) {
        if (table.name === 'managed_teams' && (reseller === null || reseller === id)) continue
        const given = table.columns.map(column =>
          column.name === 'tenant_id' ? id : column.name === 'reseller_id' ? (reseller ?? id) : valueFor(column),
        )
        const names = table.columns.map(column => column.name)
        await owner
          .query(
            `insert into ${table.name} (${names.join(', ')})
             values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
            given,
          )
          .catch(error => {
            if (error.code !== '23505') throw error // a table of one row a tenant
          })
      }
    await owner.query(
      `insert into users (id, name, email) select user_id, 'someone', user_id || '@example.test' from memberships
       where tenant_id = $1 on conflict do nothing`,
      [id],
    )
  }
  await owner.query(
    'update tenant_counts c set reseller_id = m.reseller_id from managed_teams m where m.tenant_id = c.tenant_id',
  )
  await owner.query(`set session_replication_role = origin`)
  return tenants
}

/** All rows of all tables as one value a table: what is to be the same afterwards. */
async function fingerprint(tables: readonly { name: string }[]): Promise<Record<string, string>> {
  const prints: Record<string, string> = {}
  for (const { name } of [...tables, { name: 'tenants' }, { name: 'users' }]) {
    const { rows } = await owner.query<{ print: string }>(
      `select count(*) || ' ' || md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as print from ${name} t`,
    )
    prints[name] = rows[0]!.print
  }
  return prints
}

class Undone extends Error {}

test('statements without any filter, by many tenants at once, among failing ones: no foreign row is read or written', {
  timeout: 600_000,
}, async () => {
  const tables = await tenantTables()
  expect(tables.map(table => table.name)).toEqual(
    expect.arrayContaining(['monitors', 'checks', 'tokens', 'audit_entries', 'monitor_templates']),
  )
  // row security alone: as if the role might change every column of what it may change at all
  for (const { name, may } of tables) if (may.update) await owner.query(`grant update on ${name} to vedette_app`)
  const tenants = await seed(tables)
  const before = await fingerprint(tables)
  for (const { name } of tables) expect(before[name], `${name} is empty`).not.toMatch(/^0 /)

  const violations: string[] = []
  const counts: Record<string, number> = {}
  let rowsSeen = 0
  const any = <Item>(items: readonly Item[]): Item => items[randomInt(items.length)]!
  const turns: Record<string, number> = {}
  const next = <Item>(kind: string, items: readonly Item[]): Item => {
    turns[kind] = (turns[kind] ?? -1) + 1
    return items[turns[kind] % items.length]!
  }
  const mayChange = tables.filter(table => table.may.update)
  const mayRemove = tables.filter(table => table.may.delete)
  const mayAdd = tables.filter(table => table.may.insert)
  const mayRead = tables.filter(table => table.may.select)

  let left = operations
  async function one(): Promise<void> {
    const acting = any(tenants)
    const isSomebody = randomInt(20) > 0
    const isReseller = acting.reseller !== null && randomInt(2) === 0
    const context = {
      tenantId: isSomebody ? acting.id : null,
      resellerId: isSomebody && isReseller ? acting.reseller : null,
    }
    const family = new Set(
      tenants
        .filter(tenant => tenant.reseller !== null && tenant.reseller === context.resellerId)
        .map(tenant => tenant.id),
    )
    const isOwn = (table: string, id: string) =>
      id === context.tenantId ||
      (readInFamily.has(table) && family.has(id)) ||
      (ofTheReseller.has(table) && id === context.resellerId)
    const strangers = (table: string) =>
      tenants.filter(
        ({ id }) =>
          id !== acting.id &&
          !(addedInFamily.has(table) && family.has(id)) &&
          !(ofTheReseller.has(table) && id === context.resellerId),
      )
    const hold = (what: string, table: string, rows: { tenant_id: string }[]) => {
      rowsSeen += rows.length
      for (const row of rows)
        if (!isOwn(table, row.tenant_id)) violations.push(`${what} ${table}: a row of another tenant`)
    }
    const kind = next('all', kinds)
    counts[kind] = (counts[kind] ?? 0) + 1
    const caller: Caller = anonymous
    const work = unitOfWork(orm.em, { ...context, caller, ip: '', requestId: '', now: new Date() }, async em => {
      switch (kind) {
        case 'read': {
          const { name } = next(kind, mayRead)
          return hold(kind, name, await em.execute(`select tenant_id from ${name}`))
        }
        case 'people':
          hold(
            kind,
            'memberships',
            await em.execute('select m.tenant_id from users u join memberships m on m.user_id = u.id'),
          )
          return hold(kind, 'tenants', await em.execute('select id as tenant_id from tenants'))
        case 'change': {
          const { name } = next(kind, mayChange)
          return hold(kind, name, await em.execute(`update ${name} set tenant_id = tenant_id returning tenant_id`))
        }
        case 'take': {
          const { name } = next(kind, mayChange)
          const taken = await em.execute(`update ${name} set tenant_id = ? where tenant_id = ? returning tenant_id`, [
            acting.id,
            any(strangers(name)).id,
          ])
          if (taken.length > 0) violations.push(`take ${name}: ${taken.length} rows`)
          return
        }
        case 'give': {
          const { name } = next(kind, mayChange)
          const given = await em.execute(`update ${name} set tenant_id = ? returning tenant_id`, [
            any(strangers(name)).id,
          ])
          if (given.length > 0) violations.push(`give ${name}: ${given.length} rows`)
          return
        }
        case 'remove': {
          const { name } = next(kind, mayRemove)
          hold(kind, name, await em.execute(`delete from ${name} returning tenant_id`))
          throw new Undone()
        }
        case 'add': {
          const { name, columns } = next(kind, mayAdd)
          const stranger = any(strangers(name)).id
          const values = columns.map(column =>
            column.name === 'tenant_id' || column.name === 'reseller_id' ? stranger : valueFor(column),
          )
          await em.execute(
            `insert into ${name} (${columns.map(column => column.name).join(', ')})
             values (${columns.map(() => '?').join(', ')})`,
            values.map(value => (Array.isArray(value) ? '{}' : value)),
          )
          violations.push(`add ${name}: a row for another tenant`)
          throw new Undone()
        }
        case 'fail':
          hold('read', 'monitors', await em.execute('select tenant_id from monitors'))
          await em.execute(
            any([
              'select 1 / 0',
              'select nothing from nowhere',
              `select 'x'::uuid`,
              'select set_config(null, null, null)::int',
            ]),
          )
      }
    })
    await work.catch(error => {
      if (error instanceof Undone) return
      const text = String(error)
      // two that take whole tables in another order: the database ends one of them, and there is one more to do
      if (text.includes('deadlock detected')) left++
      else if (kind === 'give' || kind === 'add' || kind === 'take') {
        if (!/row-level security|violates|permission denied/.test(text))
          violations.push(`${kind}: ${text.slice(0, 200)}`)
      } else if (kind === 'remove' || kind === 'change') {
        if (!/row-level security|foreign key|permission denied/.test(text))
          violations.push(`${kind}: ${text.slice(0, 200)}`)
      } else if (kind !== 'fail') violations.push(`${kind}: ${text.slice(0, 200)}`)
    })
  }

  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) await one()
    }),
  )
  console.log(
    `${operations} operations of ${tenants.length} tenants on ${tables.length} tables, ${atOnce} at once on ${poolSize} connections: ${rowsSeen} rows, ${JSON.stringify(counts)}, violations ${violations.length}`,
  )
  expect(violations.slice(0, 20)).toEqual([])
  expect(rowsSeen).toBeGreaterThan(operations / 10)
  for (const kind of ['take', 'give', 'remove', 'add']) expect(counts[kind]).toBeGreaterThanOrEqual(3 * tables.length)
  expect(await fingerprint(tables)).toEqual(before)
})
