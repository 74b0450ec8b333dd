import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { advisoryLock, queries, stamp } from '#control-plane/db/queries.ts'
import type { GivenRole } from './person.ts'

export const protocols = ['oidc', 'saml'] as const
export type Protocol = (typeof protocols)[number]

/** The stored configuration of a team; the client secret is encrypted. */
export interface ConfigRow {
  protocol: Protocol
  issuer: string
  client_id: string
  client_secret: string | null
  scopes: string[]
  groups_claim: string | null
  role_map: Record<string, GivenRole>
  default_role: GivenRole
  is_jit: boolean
  is_enabled: boolean
  is_enforced: boolean
  break_glass_user_id: string | null
  /** Of a SAML provider: where browsers are sent with a request. */
  sign_in_url: string | null
  /** Of a SAML provider, in PEM. */
  certificates: string[]
  /** The attribute with the address of a person; null: the name id is the address. */
  email_attribute: string | null
}

export const configFields = [
  'protocol',
  'issuer',
  'client_id',
  'client_secret',
  'scopes',
  'groups_claim',
  'role_map',
  'default_role',
  'is_jit',
  'is_enabled',
  'is_enforced',
  'break_glass_user_id',
  'sign_in_url',
  'certificates',
  'email_attribute',
] as const satisfies (keyof ConfigRow)[]

export type StoredConfig = ConfigRow & { updated_at: string }

export async function readConfig(em: EntityManager, tenant: { id: string }): Promise<StoredConfig | null> {
  const row = await queries(em)
    .selectFrom('sso_configs')
    .where('tenant_id', '=', tenant.id)
    .select(['issuer', 'client_id', 'client_secret', 'scopes', 'groups_claim', 'break_glass_user_id'])
    .select(['is_jit', 'is_enabled', 'is_enforced', 'sign_in_url', 'certificates', 'email_attribute'])
    .select(({ ref }) => [
      ref('protocol').$castTo<Protocol>().as('protocol'),
      ref('role_map').$castTo<ConfigRow['role_map']>().as('role_map'),
      ref('default_role').$castTo<GivenRole>().as('default_role'),
      stamp(ref('updated_at')).as('updated_at'),
    ])
    .executeTakeFirst()
  return row ?? null
}

/** As `readConfig`; others who change it wait until this transaction ends. */
export async function lockConfig(em: EntityManager, tenant: { id: string }): Promise<StoredConfig | null> {
  await advisoryLock(em, `sso_configs:${tenant.id}`)
  return readConfig(em, tenant)
}

export async function writeConfig(em: EntityManager, tenant: { id: string }, row: ConfigRow): Promise<void> {
  const { role_map, scopes, certificates } = row
  const values = {
    protocol: row.protocol,
    issuer: row.issuer,
    client_id: row.client_id,
    client_secret: row.client_secret,
    scopes: sql<string[]>`${scopes}::text[]`,
    groups_claim: row.groups_claim,
    role_map: sql<ConfigRow['role_map']>`${JSON.stringify(role_map)}::jsonb`,
    default_role: row.default_role,
    is_jit: row.is_jit,
    is_enabled: row.is_enabled,
    is_enforced: row.is_enforced,
    break_glass_user_id: row.break_glass_user_id,
    sign_in_url: row.sign_in_url,
    certificates: sql<string[]>`${certificates}::text[]`,
    email_attribute: row.email_attribute,
  }
  await queries(em)
    .insertInto('sso_configs')
    .values({ tenant_id: tenant.id, ...values })
    .onConflict(conflict =>
      conflict.column('tenant_id').doUpdateSet({ ...values, updated_at: sql<string>`clock_timestamp()` }),
    )
    .execute()
}
