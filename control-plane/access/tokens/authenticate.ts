import { isIP } from 'node:net'
import { type RawBuilder, sql } from 'kysely'
import type { Pool } from 'pg'
import { type Role, roles, withinRole } from '#contract/scopes.ts'
import { Batch } from '#control-plane/base/batch.ts'
import { authMethods, type Caller, type TenantContext, type TokenKind } from '#control-plane/base/caller.ts'
import { suspended, unauthenticated } from '#control-plane/base/refusal.ts'
import { hashSecretHex, kindOfSecret } from '#control-plane/base/token-secret.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import { type Finding, KnownCallers } from '#control-plane/http/access/known-callers.ts'
import type { AccessLookup, NamedTenant } from '#control-plane/http/access/lookup.ts'
import type { Services } from '#control-plane/http/services.ts'
import { mfaDueSql } from '#control-plane/identity/security-policy/due.ts'
import { resellerJoins, roleCase } from '#control-plane/identity/users/maker-role.ts'
import { type TenantRow, tenantColumns, tenantContext } from '#control-plane/tenancy/tenants/context.ts'
import { isWithin } from './allowed-ips.ts'

type CallerRow = TenantRow &
  Row<
    'tokens',
    | 'scopes'
    | 'allowed_ips'
    | 'is_locked'
    | 'is_browser'
    | 'auth_method'
    | 'user_id'
    | 'impersonated_by'
    | 'impersonating_tenant_id'
  > &
  Row<'users', 'email' | 'is_super_admin' | 'language'> & {
    place: number
    managed: TenantRow | null
    token_id: Row<'tokens'>['id']
    kind: TokenKind
    expires_at: string | null
    reauthenticated_at: string | null
    mfa_due_at: string | null
    user_name: Row<'users'>['name']
    role: Row<'memberships'>['role'] | null
    is_stale: boolean
    is_suspended: boolean
    good_until_ms: number | null
    about: (string | null)[]
    maker_id: Row<'tokens'>['created_by']
    maker_role: Row<'memberships'>['role'] | null
  }

/** The present role of a key's creator in the team: an administrator of its reseller counts as owner. Null: no role. */
const maker = sql`
  left join lateral (
    select g.reseller_id, ${roleCase('k.tenant_id', 'k.created_by', 'r.id')} as role
    from (select 1) one ${resellerJoins('k.tenant_id')}
  ) maker on k.kind = 'svc' and k.created_by is not null`

/** The lateral part returns one row and uses an index for each token, so the cost does not grow with the tables. */
const find = (name: string, managed: RawBuilder<unknown>, managedId: RawBuilder<unknown>, joins: RawBuilder<unknown>) =>
  prepared(
    name,
    (
      hashes: readonly string[],
      tenants: readonly (string | null)[],
      teams: readonly (string | null)[],
    ) => sql<CallerRow>`
  select i.place::int as place, r.* from unnest(${hashes}::text[], ${tenants}::uuid[], ${teams}::uuid[])
    with ordinality as i(hash, tenant_id, team_id, place)
  cross join lateral (
    select ${managed} as managed, k.id as token_id, k.kind, k.scopes, k.expires_at, k.allowed_ips, k.is_locked,
      k.is_browser, k.auth_method, k.reauthenticated_at, ${mfaDueSql} as mfa_due_at,
      k.impersonated_by, k.impersonating_tenant_id,
           u.id as user_id, u.name as user_name, u.email, m.role, u.is_super_admin, u.language,
             t.suspended_at is not null as is_suspended,
           (k.last_used_at is null or k.last_used_at < clock_timestamp() - interval '1 minute') as is_stale,
           extract(epoch from least(k.expires_at, k.dies_at,
             k.last_used_at + interval '1 minute'))::float8 * 1000 as good_until_ms,
           case when k.kind = 'svc' then k.created_by end as maker_id, maker.role as maker_role,
           array(select identity_key(id) from unnest(array[k.id, k.tenant_id, k.user_id, k.impersonated_by,
             k.impersonating_tenant_id,
             case when k.kind = 'svc' then k.created_by end, maker.reseller_id, ${managedId}]) id)::text[] as about,
           ${tenantColumns('t')}
    from tokens k
    join tenants t on t.id = k.tenant_id
    left join users u on u.id = k.user_id
    left join memberships m on m.user_id = k.user_id and m.tenant_id = k.tenant_id and m.disabled_at is null
    left join security_policies p on p.tenant_id = k.tenant_id
    ${maker}
    ${joins}
    where k.hash = decode(i.hash, 'hex') and k.is_active and t.deleted_at is null
      and (k.expires_at is null or k.expires_at > clock_timestamp())
      and (k.dies_at is null or k.dies_at > clock_timestamp())
      and (k.user_id is null or u.is_super_admin or m.role is not null
        and (k.kind <> 'rk' or m.role in ('owner', 'admin')))
      and (k.kind <> 'svc' or k.created_by is null or maker.role is not null)
      and (k.kind <> 'ik' or exists (
        select 1 from managed_teams g
        join tenants r on r.id = g.reseller_id and r.is_reseller and r.deleted_at is null and r.suspended_at is null
        join memberships p on p.tenant_id = r.id and p.user_id = k.impersonated_by
          and p.disabled_at is null and p.role in ('owner', 'admin')
        where g.tenant_id = k.tenant_id and g.reseller_id = k.impersonating_tenant_id and g.deleted_at is null))
    limit 1
  ) r`,
  )

const plain = find('authenticate', sql`null`, sql`null`, sql``)
const naming = find(
  'authenticate-naming',
  sql`case when x.id is not null then (select to_jsonb(r) from (select ${tenantColumns('x')}) r) end`,
  sql`x.id`,
  sql`left join managed_teams g on g.id = coalesce(i.team_id, (select own.id from managed_teams own
     where own.tenant_id = i.tenant_id))
       and g.reseller_id = k.tenant_id and g.deleted_at is null
     left join tenants x on x.id = g.tenant_id and x.deleted_at is null`,
)

/** Session tokens expire thirty days after their last use, and at `dies_at`. Use is stored at most once a minute. */
const touch = prepared(
  'touch-token',
  (tokenId: string, ip: string | null) => sql`
    update tokens set last_used_at = clock_timestamp(), last_used_ip = ${ip}::inet,
      expires_at = case when kind = 'ss' then least(clock_timestamp() + interval '30 days', dies_at) else expires_at end
    where id = ${tokenId} and (last_used_at is null or last_used_at < clock_timestamp() - interval '1 minute')`,
)

interface Question {
  hash: string
  named: NamedTenant
}

/** Looks up all callers of one tick in one query, with the tenant or team that they name. */
async function recognise(platform: Pool, questions: readonly Question[]): Promise<(CallerRow | undefined)[]> {
  const names = questions.some(({ named }) => named.tenantId !== undefined || named.teamId !== undefined)
  const statement = (names ? naming : plain)(
    questions.map(({ hash }) => hash),
    questions.map(({ named }) => named.tenantId ?? null),
    questions.map(({ named }) => named.teamId ?? null),
  )
  const found: (CallerRow | undefined)[] = questions.map(() => undefined)
  for (const row of await rows(platform, statement)) found[row.place - 1] = row
  return found
}

/**
 * Finds the caller of a bearer token in the database on every request; 401 for a token that is unknown, disabled,
 * expired, without its creator or used from a forbidden address. Reseller and impersonation tokens work only while
 * their creator administers the reseller; a team's key may do at most what its creator may do there.
 */
export function authenticate({
  accessPool,
  platform,
}: Pick<Services, 'accessPool' | 'platform'>): AccessLookup['authenticate'] {
  const batch = new Batch<Question, CallerRow | undefined>(questions => recognise(accessPool, questions))
  const known = new KnownCallers(accessPool)
  const read = async (question: Question, bearer: string, ip: string): Promise<Finding> => {
    const row = await batch.add(question)
    if (!row || row.kind !== kindOfSecret(bearer)) throw unauthenticated()
    if (row.is_suspended) throw suspended()
    const isAllowed = row.allowed_ips === null || isWithin(ip, row.allowed_ips)
    // the request does not wait for this write; if it fails, the next use writes again
    if (row.is_stale && isAllowed) rows(platform, touch(row.token_id, isIP(ip) ? ip : null)).catch(() => undefined)
    return findingOf(row, question.named)
  }
  return async (bearer, ip, named = {}, beforeAsking = () => undefined) => {
    const hash = hashSecretHex(bearer)
    const key = named.tenantId
      ? `${hash} tenant ${named.tenantId}`
      : named.teamId
        ? `${hash} team ${named.teamId}`
        : hash
    if (!known.has(key)) {
      if (!isWellFormed(bearer)) throw unauthenticated()
      beforeAsking()
    }
    const finding = (await known.find(key)) ?? (await known.read(key, () => read({ hash, named }, bearer, ip)))
    if (finding.allowedIps && !isWithin(ip, finding.allowedIps)) throw unauthenticated()
    return finding.recognised
  }
}

/**
 * Whether the text can be a bearer token, without the database. Secrets of agents, servers and directories have own
 * endpoints.
 */
function isWellFormed(bearer: string): boolean {
  const kind = kindOfSecret(bearer)
  return kind !== null && kind !== 'ag' && kind !== 'am' && kind !== 'sc'
}

function findingOf(row: CallerRow, named: NamedTenant): Finding {
  const isAnswered = row.managed !== null || (named.tenantId === undefined && named.teamId === undefined)
  return {
    recognised: Object.freeze({ caller: callerOf(row), managed: row.managed && frozenTenant(row.managed) }),
    allowedIps: row.allowed_ips,
    goodUntilMs: row.is_stale || !isAnswered ? 0 : (row.good_until_ms ?? 0),
    about: row.about,
  }
}

/** Frozen, because all requests of one caller share it. */
const frozenTenant = (row: TenantRow): TenantContext =>
  Object.freeze({ ...tenantContext(row), featureOverrides: Object.freeze(row.feature_overrides) })

const dateOf = (moment: string | null) => (moment === null ? null : new Date(moment))

const callerOf = (row: CallerRow): Caller =>
  Object.freeze({
    tokenId: row.token_id,
    impersonator:
      row.impersonated_by && row.impersonating_tenant_id
        ? { userId: row.impersonated_by, tenantId: row.impersonating_tenant_id }
        : null,
    kind: row.kind,
    maker: row.maker_id,
    scopes: scopesOf(row),
    expiresAt: dateOf(row.expires_at),
    isLocked: row.is_locked,
    isByCookie: row.is_browser,
    authMethod: authMethods.find(method => method === row.auth_method) ?? null,
    mfaDueAt: dateOf(row.mfa_due_at),
    reauthenticatedAt: dateOf(row.reauthenticated_at),
    tenant: frozenTenant(row),
    user:
      row.user_id === null
        ? null
        : Object.freeze({
            id: row.user_id,
            name: row.user_name,
            email: row.email,
            role: roleOf(row.role),
            isSuperAdmin: row.is_super_admin,
            language: row.language,
          }),
  })

/** Scopes of a person's token, and of a team's key that a person created, are limited by that person's role. */
function scopesOf({ kind, scopes, role, is_super_admin, maker_role }: CallerRow): string[] {
  if (kind === 'sk' && !is_super_admin) return withinRole(roleOf(role), scopes)
  return kind === 'svc' && maker_role !== null ? withinRole(roleOf(maker_role), scopes) : scopes
}

const roleOf = (text: string | null): Role => roles.find(role => role === text) ?? 'viewer'
