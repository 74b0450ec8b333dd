import { isDeepStrictEqual } from 'node:util'
import type { EntityManager } from '@mikro-orm/postgresql'
import { invalid } from '#control-plane/base/refusal.ts'
import { mask } from '#control-plane/base/secrets.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mailPolicyChange } from '#control-plane/identity/security-policy/mail.ts'
import { originOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { mayChange, refuseWithoutFeature, requireOwner } from './access.ts'
import { draftConfig } from './draft.ts'
import { endOtherSessions, endProviderSessions } from './enforce.ts'
import { ConfigChanges } from './input.ts'
import { type ConfigRow, configFields, lockConfig, readConfig, writeConfig } from './row.ts'
import { SsoConfigView, viewConfig } from './view.ts'

export const updateSsoConfig = endpoint({
  method: 'PATCH',
  path: '/sso/config',
  summary: 'Set or update the single sign-on of a team',
  description:
    'Only what is sent changes. ' +
    'For owners alone. The first call needs `issuer` and `client_id`. Needs the plan feature `sso`. When `issuer` or ' +
    '`client_id` changes, the stored client secret is deleted unless it is sent again. People sign in once a domain ' +
    'of their addresses is verified. Disabling it, and another issuer or protocol, end the sessions that the ' +
    'provider opened, but the caller’s.',
  access: mayChange,
  needsOwnSession: true,
  underImpersonation: 'refused',
  needsFreshSession: true,
  body: ConfigChanges,
  returns: ok({ data: SsoConfigView }),

  async handle(context) {
    const { em, tenant, body, services, caller, audit } = context
    requireOwner(caller)
    await refuseWithoutFeature(em, tenant)
    const before = await lockConfig(em, tenant)
    const { config: keys, guard } = services
    const after = draftConfig({
      baseUrl: keys.baseUrl,
      tenantId: tenant.id,
      changes: body,
      stored: before,
      keys,
      guard,
    })
    if (after.break_glass_user_id !== (before?.break_glass_user_id ?? null))
      await refuseStranger(em, tenant, after.break_glass_user_id)
    if (after.is_enforced) await refuseLockout(em, tenant, after)
    const changed = configFields.filter(name => !isDeepStrictEqual(before?.[name] ?? null, after[name]))
    if (changed.length > 0) {
      await writeConfig(em, tenant, after)
      if (after.is_enforced && !before?.is_enforced) await endOtherSessions(em, tenant, after.break_glass_user_id)
      if (before && isTrustedLess(before, after)) await endProviderSessions(em, tenant, caller.tokenId)
      const changes = Object.fromEntries(
        changed.map(name => [name, { before: auditValue(before, name), after: auditValue(after, name) }]),
      )
      audit('sso_config.updated', { type: 'tenant', id: tenant.id }, changes)
      await mailPolicyChange(context, { change: changeOf(before, after) })
    }
    const row = await readConfig(em, tenant)
    if (!row) throw new Error('The configuration just written was not found.')
    return { data: viewConfig(tenant, row, await originOf(services.platform, keys, tenant.id)) }
  },
})

/** Whether the provider that opened the sessions of the team is not the one that is asked now. */
const isTrustedLess = (before: ConfigRow, after: ConfigRow): boolean =>
  (before.is_enabled && !after.is_enabled) || before.issuer !== after.issuer || before.protocol !== after.protocol

const changeOf = (before: ConfigRow | null, after: ConfigRow) => {
  if (after.is_enforced === (before?.is_enforced ?? false)) return 'sso_changed'
  return after.is_enforced ? 'sso_enforced' : 'sso_optional'
}

/** The value for the audit trail, without the secret. */
const auditValue = (row: ConfigRow | null, name: keyof ConfigRow) =>
  name === 'client_secret' && row?.client_secret ? mask : (row?.[name] ?? null)

/** A person of another team and one who does not exist are refused alike. */
async function refuseStranger(em: EntityManager, tenant: { id: string }, userId: string | null): Promise<void> {
  if (userId === null) return
  const member = await queries(em)
    .selectFrom('memberships')
    .where('tenant_id', '=', tenant.id)
    .where('user_id', '=', userId)
    .select('user_id')
    .executeTakeFirst()
  if (!member) throw invalid({ break_glass_user_id: [ownerNeeded] })
}

const ownerNeeded = 'Must be an owner of this team who has a password.'

/** Without a verified domain no one could sign in, and without an owner with a password no one could mend it. */
async function refuseLockout(
  em: EntityManager,
  tenant: { id: string },
  { break_glass_user_id }: Pick<ConfigRow, 'break_glass_user_id'>,
): Promise<void> {
  const domain = await queries(em)
    .selectFrom('sso_domains')
    .where('tenant_id', '=', tenant.id)
    .where('verified_at', 'is not', null)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  if (!domain) throw invalid({ is_enforced: ['Needs a verified domain: see /sso/domains.'] }, 'domain_needed')
  const owner = await queries(em)
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.tenant_id', '=', tenant.id)
    .where('m.user_id', '=', break_glass_user_id)
    .where('m.role', '=', 'owner')
    .where('u.is_service', '=', false)
    .where('u.password_hash', 'is not', null)
    .select('u.id')
    .executeTakeFirst()
  if (!owner) throw invalid({ break_glass_user_id: [ownerNeeded] })
}
