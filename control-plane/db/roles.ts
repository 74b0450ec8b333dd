import pg from 'pg'
import { MigrationFault } from '#contract/migration-fault.ts'

/** A role of the service, as the address it is used by names it. */
export interface Role {
  name: string
  password: string
}

/** The roles as migrations are written; an installation may name its own. */
export const defaultRoles = { app: 'vedette_app', platform: 'vedette_platform' }

/** Needs no quotes anywhere, so that it can stand in any statement. */
const plainName = /^[a-z_][a-z0-9_]{0,62}$/

export function refuseNames(owner: string, { app, platform }: { app: string; platform: string }): void {
  const odd = [app, platform].find(name => !plainName.test(name))
  if (odd !== undefined)
    throw new MigrationFault(
      `"${odd}" cannot name a role`,
      'The names in DATABASE_URL and DATABASE_PLATFORM_URL are made of lower-case letters, digits and underscores.',
      'DATABASE_URL=postgres://vedette_app:…@host/database ' +
        'DATABASE_PLATFORM_URL=postgres://vedette_platform:…@host/database',
    )
  if (new Set([owner, app, platform]).size < 3)
    throw new MigrationFault(
      'three roles are needed, and two of them have one name',
      `DATABASE_OWNER_URL names "${owner}", DATABASE_URL "${app}", DATABASE_PLATFORM_URL "${platform}". ` +
        'The service must not own the tables, or row security would not bind it.',
      'DATABASE_URL=postgres://vedette_app:…@host/database ' +
        'DATABASE_PLATFORM_URL=postgres://vedette_platform:…@host/database',
    )
}

/**
 * Creates a role; one that can sign in already is left as it is. Roles belong to the whole server: the password of a
 * role that another database uses is not changed, as the installation there would not start again.
 */
export async function ensureRole(client: pg.Client, ownerUrl: string, role: Role): Promise<void> {
  if (!(await findRole(client, role.name)) && (await createRole(client, role))) return
  const found = await findRole(client, role.name)
  if (found?.is_powerful)
    throw new MigrationFault(
      `the role "${role.name}" may see past row security`,
      'It is a superuser or has BYPASSRLS. The service must be bound by row security.',
      `alter role ${role.name} nosuperuser nobypassrls;      as a superuser of PostgreSQL`,
    )
  if (await canSignIn(ownerUrl, role)) return
  const others = await databasesOf(client, role.name)
  if (others.length > 0)
    throw new MigrationFault(
      `the role "${role.name}" belongs to another installation`,
      `The database "${others.join('", "')}" on this server uses it too, with another password: ` +
        'roles belong to the whole server.',
      `name roles of your own, for example DATABASE_URL=postgres://${ownName(ownerUrl, 'app')}:…@… ` +
        `DATABASE_PLATFORM_URL=postgres://${ownName(ownerUrl, 'platform')}:…@…`,
    )
  await setPassword(client, role)
}

/** Role names that carry the database's, so that two databases on one server never share a role. */
export function ownName(url: string, use: 'app' | 'platform'): string {
  const database = decodeURIComponent(new URL(url).pathname.slice(1))
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .slice(0, 50)
  return `${/^[a-z_]/.test(database) ? '' : '_'}${database || 'vedette'}_${use}`
}

async function findRole(client: pg.Client, name: string): Promise<{ is_powerful: boolean } | undefined> {
  const { rows } = await client.query<{ is_powerful: boolean }>(
    'select rolsuper or rolbypassrls as is_powerful from pg_roles where rolname = $1',
    [name],
  )
  return rows[0]
}

/** False where another process created it in the same moment. */
async function createRole(client: pg.Client, { name, password }: Role): Promise<boolean> {
  try {
    await client.query(
      `create role ${name} login nosuperuser nobypassrls nocreatedb nocreaterole
       password ${client.escapeLiteral(password)}`,
    )
    return true
  } catch (error) {
    if (codeOf(error) === '42710' || codeOf(error) === '23505') return false
    throw forbidden(
      error,
      `the role "${name}" cannot be made`,
      `create role ${name} login password '…';      as a superuser, with the password of the address that names it`,
    )
  }
}

async function setPassword(client: pg.Client, { name, password }: Role): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await client.query(`alter role ${name} with login password ${client.escapeLiteral(password)}`)
      return
    } catch (error) {
      if (attempt < 5 && /concurrently updated/.test(String(error))) continue
      throw forbidden(
        error,
        `the password of the role "${name}" cannot be set`,
        `alter role ${name} with login password '…';      ` +
          'as a superuser, with the password of the address that names it',
      )
    }
  }
}

async function canSignIn(ownerUrl: string, { name, password }: Role): Promise<boolean> {
  const url = new URL(ownerUrl)
  url.username = name
  url.password = encodeURIComponent(password)
  const client = new pg.Client({ connectionString: url.href })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    if (codeOf(error) === '42501') return true // who it is was accepted, but not yet let into this database
    if (codeOf(error)?.startsWith('28')) return false
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}

/** Other databases in which something was granted to the role. */
async function databasesOf(client: pg.Client, name: string): Promise<string[]> {
  const { rows } = await client.query<{ datname: string }>(
    `select distinct d.datname from pg_shdepend s join pg_database d on d.oid = s.dbid
      join pg_roles r on r.oid = s.refobjid
     where s.refclassid = 'pg_authid'::regclass and r.rolname = $1 and d.datname <> current_database() order by 1`,
    [name],
  )
  return rows.map(row => row.datname)
}

/** A schema gives its rights to the roles that were named when it was made. */
export async function refuseOtherRoles(client: pg.Client, roles: { app: string; platform: string }): Promise<void> {
  for (const [use, name] of Object.entries(roles)) {
    const { rows } = await client.query<{ may: boolean; others: string[] }>(
      `select has_table_privilege($1, 'tenants', 'select') as may,
              array(select distinct grantee::text from information_schema.role_table_grants
                    where table_name = 'tenants' and grantee not in (current_user, 'PUBLIC') order by 1) as others`,
      [name],
    )
    const [{ may, others } = { may: true, others: [] }] = rows
    if (may) continue
    throw new MigrationFault(
      `the role "${name}" has no rights here`,
      `This database was made for the roles ${others.map(other => `"${other}"`).join(' and ')}.`,
      `name these in ${use === 'app' ? 'DATABASE_URL' : 'DATABASE_PLATFORM_URL'}`,
    )
  }
}

const codeOf = (error: unknown) => (error as { code?: string }).code

const forbidden = (error: unknown, what: string, fix: string) =>
  codeOf(error) === '42501'
    ? new MigrationFault(
        what,
        `The role of DATABASE_OWNER_URL may not do that: ${(error as Error).message}.`,
        fix,
        'then run vedette migrate again',
      )
    : error

/** The fault for any missing right of the owner of the tables. It names all that the owner needs. */
export function missingRight(error: unknown, ownerUrl: string): MigrationFault | undefined {
  if (codeOf(error) !== '42501') return
  const { username, pathname } = new URL(ownerUrl)
  const database = decodeURIComponent(pathname.slice(1))
  return new MigrationFault(
    'the schema cannot be made',
    `The role of DATABASE_OWNER_URL, "${decodeURIComponent(username)}", may not do that: ` +
      `${(error as Error).message}. It must own the database.`,
    `alter database "${database}" owner to "${decodeURIComponent(username)}";      as a superuser of PostgreSQL`,
    'then run vedette migrate again',
  )
}
