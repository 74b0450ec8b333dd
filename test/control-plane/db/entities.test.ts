import type { MikroORM } from '@mikro-orm/postgresql'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOrm } from '#control-plane/db/orm.ts'
import { type Databases, openDatabases } from '#test/support/databases.ts'

/** Tables without a key, which an entity needs: triggers write them, and two statements read them. */
const withoutKey = ['count_deltas', 'identity_changes']

interface Column {
  type: string
  isNullable: boolean
  isPrimary: boolean
  hasDefault: boolean
}

let stores: Databases
let orm: MikroORM
let owner: pg.Client
beforeAll(async () => {
  stores = await openDatabases('vedette_entities')
  orm = await openOrm({ databaseUrl: stores.appUrl, poolSize: 1 })
  owner = new pg.Client({ connectionString: stores.ownerUrl })
  await owner.connect()
})
afterAll(() => Promise.all([orm?.close(), owner?.end()]))

const shortType = (type: string) =>
  type
    .replace('character varying', 'varchar')
    .replace('timestamp with time zone', 'timestamptz')
    .replace(/^character\(/, 'char(')
    .replace(/^integer/, 'int')

async function columnsInDatabase(): Promise<Record<string, Record<string, Column>>> {
  const { rows } = await owner.query<{ table: string; name: string } & Column>(
    `
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      not a.attnotnull as "isNullable",
           coalesce(a.attnum = any(k.conkey), false) as "isPrimary", a.atthasdef or a.attidentity <> '' as "hasDefault"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all($1)`,
    [['schema_migrations', ...withoutKey]],
  )
  return group(rows.map(({ table, name, type, ...rest }) => [table, name, { type: shortType(type), ...rest }]))
}

function columnsOfEntities(): Record<string, Record<string, Column>> {
  return group(
    [...orm.getMetadata().getAll().values()].flatMap(({ tableName, props }) =>
      props.map(
        ({ fieldNames, columnTypes, nullable, primary, default: value, defaultRaw, autoincrement, generated }) => [
          tableName,
          fieldNames[0]!,
          {
            type: columnTypes[0]!.replace('bigserial', 'bigint'),
            isNullable: Boolean(nullable),
            isPrimary: Boolean(primary),
            hasDefault:
              value !== undefined || defaultRaw !== undefined || Boolean(autoincrement) || generated !== undefined,
          },
        ],
      ),
    ),
  )
}

function group(columns: [table: string, name: string, column: Column][]): Record<string, Record<string, Column>> {
  const tables: Record<string, Record<string, Column>> = {}
  for (const [table, name, column] of columns) tables[table] = { ...tables[table], [name]: column }
  return tables
}

test('entities have the columns of the database: names, types, nullability, keys, defaults', async () => {
  expect(columnsOfEntities()).toEqual(await columnsInDatabase())
})
