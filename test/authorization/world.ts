import { randomUUID } from 'node:crypto'
import type { Role } from '#contract/scopes.ts'
import type { TokenKind } from '#control-plane/base/caller.ts'
import { mintSecret } from '#control-plane/base/token-secret.ts'
import { app } from '#test/support/app.ts'

const { platform } = app.services

export interface TenantInWorld {
  tenantId: string
  people: Partial<Record<Role, string>>
}
export interface TeamInWorld extends TenantInWorld {
  id: string
}

/** Two resellers and their teams, one of them deleted; an independent tenant; a suspended one; an operator. */
export interface World {
  reseller: TenantInWorld
  rival: TenantInWorld
  team: TeamInWorld
  sister: TeamInWorld
  foreign: TeamInWorld
  deleted: TeamInWorld
  independent: TenantInWorld
  operators: TenantInWorld
  suspended: TenantInWorld
  unknown: string
}

interface Rows {
  tenants: {
    id: string
    name: string
    slug: string
    plan: string
    is_reseller: boolean
    deleted_at: string | null
    suspended_at: string | null
  }[]
  users: { id: string; name: string; email: string; home_tenant_id: string; is_super_admin: boolean }[]
  memberships: { user_id: string; tenant_id: string; role: Role }[]
  managed_teams: { id: string; reseller_id: string; tenant_id: string; label: string; deleted_at: string | null }[]
}

/** A world in four statements. `mark` is in every name, so that a name that leaks is found. */
export async function makeWorld(mark: string = randomUUID().slice(0, 8)): Promise<World> {
  const rows: Rows = { tenants: [], users: [], memberships: [], managed_teams: [] }
  const tenant = (
    name: string,
    roles: readonly Role[],
    { isReseller = false, isSuperAdmin = false, isDeleted = false, isSuspended = false } = {},
  ): TenantInWorld => {
    const tenantId = randomUUID()
    const words = `${name}-${mark}`
    const yesterday = new Date(Date.now() - 86_400_000).toISOString()
    rows.tenants.push({
      id: tenantId,
      name: words,
      slug: `${words}-${tenantId.slice(0, 8)}`,
      plan: 'pro',
      is_reseller: isReseller,
      deleted_at: isDeleted ? yesterday : null,
      suspended_at: isSuspended ? yesterday : null,
    })
    const people = roles.map(role => {
      const id = randomUUID()
      rows.users.push({
        id,
        name: `${role}-of-${words}`,
        email: `${id}@${words}.test`,
        home_tenant_id: tenantId,
        is_super_admin: isSuperAdmin,
      })
      rows.memberships.push({ user_id: id, tenant_id: tenantId, role })
      return [role, id] as const
    })
    return { tenantId, people: Object.fromEntries(people) }
  }
  const team = (name: string, reseller: TenantInWorld, roles: readonly Role[], isDeleted = false): TeamInWorld => {
    const made = tenant(name, roles, { isDeleted })
    const id = randomUUID()
    const deleted_at = isDeleted ? new Date(Date.now() - 86_400_000).toISOString() : null
    rows.managed_teams.push({
      id,
      reseller_id: reseller.tenantId,
      tenant_id: made.tenantId,
      label: `label-${mark}`,
      deleted_at,
    })
    return { id, ...made }
  }
  const reseller = tenant('reseller', ['owner', 'member'], { isReseller: true })
  const rival = tenant('rival', ['owner'], { isReseller: true })
  const world = {
    reseller,
    rival,
    team: team('team', reseller, ['owner', 'admin', 'member', 'viewer']),
    sister: team('sister', reseller, ['owner']),
    foreign: team('foreign', rival, ['owner']),
    deleted: team('deleted', reseller, ['owner'], true),
    independent: tenant('independent', ['owner']),
    operators: tenant('operators', ['owner'], { isSuperAdmin: true }),
    suspended: tenant('suspended', ['owner'], { isSuspended: true }),
    unknown: randomUUID(),
  }
  for (const [table, columns] of [
    [
      'tenants',
      'id uuid, name text, slug text, plan text, is_reseller boolean, deleted_at timestamptz, suspended_at timestamptz',
    ],
    ['users', 'id uuid, name text, email text, home_tenant_id uuid, is_super_admin boolean'],
    ['memberships', 'user_id uuid, tenant_id uuid, role text'],
    ['managed_teams', 'id uuid, reseller_id uuid, tenant_id uuid, label text, deleted_at timestamptz'],
  ] as const) {
    const names = columns.replace(/ \w+(,|$)/g, '$1')
    await platform.query(
      `insert into ${table} (${names}) select ${names} from jsonb_to_recordset($1::jsonb) as r(${columns})`,
      [JSON.stringify(rows[table])],
    )
  }
  return world
}

/** The session of a browser: whether its person has just proved to be present, and whether it is limited to its team. */
export interface BrowserToken {
  isFresh: boolean
  isLocked?: boolean
}

export interface NewToken {
  kind: TokenKind
  tenantId: string
  userId: string | null
  scopes: readonly string[]
  isExpired?: boolean
  isDisabled?: boolean
  name?: string
  impersonator?: { userId: string; tenantId: string }
  createdBy?: string | null
  browser?: BrowserToken | undefined
}

/** Every secret made here, so that a search for them in stores and answers can be complete. */
export const issued: string[] = []

/** The token of a team's directory. */
export async function makeDirectoryToken(tenantId: string): Promise<string> {
  const { plain, hash } = mintSecret('sc')
  issued.push(plain)
  await platform.query('insert into scim_tokens (id, tenant_id, name, hash) values ($1, $2, $3, $4)', [
    randomUUID(),
    tenantId,
    'matrix',
    hash,
  ])
  return plain
}

export async function makeToken({
  kind,
  tenantId,
  userId,
  scopes,
  isExpired = false,
  isDisabled = false,
  name = 'matrix',
  impersonator,
  createdBy = null,
  browser,
}: NewToken): Promise<string> {
  const { plain, hash } = mintSecret(kind)
  issued.push(plain)
  await platform.query(
    `insert into tokens (id, tenant_id, user_id, kind, name, hash, scopes, expires_at, is_active, impersonated_by,
     impersonating_tenant_id, created_by, is_browser, is_locked, reauthenticated_at)
     values ($1, $2, $3, $4, $11, $5, $6, $7, $8, $9, $10, $12, $13, $14, $15)`,
    [
      randomUUID(),
      tenantId,
      userId,
      kind,
      hash,
      scopes,
      new Date(Date.now() + (isExpired ? -1_000 : 900_000)),
      !isDisabled,
      impersonator?.userId ?? null,
      impersonator?.tenantId ?? null,
      name,
      createdBy,
      browser !== undefined,
      browser?.isLocked === true,
      browser?.isFresh ? new Date() : null,
    ],
  )
  return plain
}
