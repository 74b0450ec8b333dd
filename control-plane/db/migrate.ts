import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import pg from 'pg'
import { changedMigration, MigrationFault, unknownMigration } from '#contract/migration-fault.ts'
import { TimeoutClient } from '#control-plane/base/db-timeouts.ts'
import { baseline } from './baseline/index.ts'
import { rights, rightsOf, rightsOfFunctions } from './rights.ts'
import { defaultRoles, ensureRole, missingRight, refuseNames, refuseOtherRoles } from './roles.ts'

export interface Stores {
  ownerUrl: string
  appPassword: string
  platformPassword: string
  /** The names of the two roles, where they are not the usual ones. */
  appRole?: string
  platformRole?: string
  /** What is applied, in order; the baseline and the files of `migrations/`. */
  migrations?: Migration[]
  /** Whether the roles get their rights. Not yet, where the schema is that of an earlier version. Default: true. */
  withRights?: boolean
}

export interface Migration {
  name: string
  sql: string
}

/** The baseline, then a file for each change since: `migrations/0002-what-it-does.sql`, numbered without a gap. */
export function readMigrations(folder = join(import.meta.dirname, 'migrations')): Migration[] {
  const files = existsSync(folder)
    ? readdirSync(folder)
        .filter(file => file.endsWith('.sql'))
        .sort()
    : []
  return [
    { name: '0001-baseline', sql: baseline() },
    ...files.map(file => ({ name: basename(file, '.sql'), sql: readFileSync(join(folder, file), 'utf8') })),
  ]
}

/**
 * Creates the two service roles and brings the schema up to date, as the owner, in one transaction. Safe to run again
 * and by several processes at once. Returns the names of the migrations it applied. Rights are not migrations: the
 * rights of a table are set again when its line changed.
 */
export async function migrate({
  ownerUrl,
  appPassword,
  platformPassword,
  migrations = readMigrations(),
  withRights = true,
  ...names
}: Stores): Promise<string[]> {
  const roles = { app: names.appRole ?? defaultRoles.app, platform: names.platformRole ?? defaultRoles.platform }
  refuseNames(decodeURIComponent(new URL(ownerUrl).username), roles)
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    // two processes may start at once: the second waits here and finds the work done
    await client.query(`select pg_advisory_lock(hashtext('vedette-migrate'))`)
    const known = await readApplied(client)
    refuseChanged(migrations, known)
    await ensureRole(client, ownerUrl, { name: roles.app, password: appPassword })
    await ensureRole(client, ownerUrl, { name: roles.platform, password: platformPassword })
    if (known.has('rights of tenants')) await refuseOtherRoles(client, roles)
    await client.query('begin')
    await client.query(
      `revoke create on schema public from public; grant usage on schema public to ${roles.app}, ${roles.platform}`,
    )
    // a temporary table would stand before the real one of its name
    await client.query(
      `do $$ begin execute format('revoke temporary on database %I from public', current_database()); end $$`,
    )
    await client.query(
      `create table if not exists schema_migrations (
        name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    )
    // for GET /platform/info
    await client.query(`grant select on schema_migrations to ${roles.platform}`)
    const apply = async (name: string, text: string, sql = text) => {
      const checksum = checksumOf(text)
      if (known.get(name) === checksum) return false
      await client.query(sql)
      await client.query(
        `insert into schema_migrations (name, checksum) values ($1, $2)
         on conflict (name) do update set checksum = excluded.checksum, applied_at = now()`,
        [name, checksum],
      )
      return true
    }
    const applied: string[] = []
    for (const { name, sql } of migrations) if (await apply(name, sql)) applied.push(name)
    if (withRights) {
      for (const table of Object.keys(rights) as (keyof typeof rights)[])
        await apply(`rights of ${table}`, rightsOf(table), rightsOf(table, roles))
      await apply('rights of functions', rightsOfFunctions(), rightsOfFunctions(roles))
    }
    await client.query('commit')
    return applied
  } catch (error) {
    throw missingRight(error, ownerUrl) ?? error
  } finally {
    await client.end()
  }
}

/** The checksum of each migration, and of each table's rights, that was applied. */
async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  const { rows: columns } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = to_regclass('public.schema_migrations') and attnum > 0`,
  )
  if (columns.length === 0) return new Map()
  if (!columns.some(({ name }) => name === 'checksum'))
    throw new MigrationFault(
      'this database was made by a version from before the first release',
      'Its migrations were replaced by one baseline, and nothing leads from the one to the other.',
      'mv .data .data.old && npm start      begins with empty stores',
      'or make a new database, and name it in DATABASE_URL, DATABASE_PLATFORM_URL and DATABASE_OWNER_URL',
    )
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  )
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
}

function refuseChanged(migrations: Migration[], applied: Map<string, string>): void {
  for (const { name, sql } of migrations) {
    const checksum = applied.get(name)
    if (checksum !== undefined && checksum !== checksumOf(sql)) throw changedMigration('PostgreSQL', name)
  }
  const unknown = [...applied.keys()].find(
    name => !name.startsWith('rights of ') && !migrations.some(migration => migration.name === name),
  )
  if (unknown) throw unknownMigration('PostgreSQL', unknown)
}

const checksumOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** The start refuses a service role that could see past row security. */
export async function refusePowerfulRole(url: string): Promise<void> {
  const client = new TimeoutClient({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ role: string; is_powerful: boolean; owned: string }>(`
      select current_user as role,
             (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as is_powerful,
             (select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace
              where n.nspname = 'public' and c.relkind = 'r' and pg_get_userbyid(c.relowner) = current_user) as owned`)
    const found = rows[0]
    if (found && (found.is_powerful || Number(found.owned) > 0))
      throw new Error(
        `The database role "${found.role}" is an owner, a superuser or may bypass row security. ` +
          'Give the service the roles that "vedette migrate" makes.',
      )
  } finally {
    await client.end()
  }
}
