import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { line } from '#contract/line.ts'
import type { TenantContext } from '#control-plane/base/caller.ts'
import { changesOf } from '#control-plane/base/changes.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { verifiedAccountOf } from '#control-plane/identity/address-proof/lock.ts'
import { originOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { encryptPartnerSecret, newSecret, openSecret } from './secret.ts'
import { lockSettings, readSettings, saveSettings, viewSettings } from './settings.ts'
import { linkEmail, linkLifeS, redirectTo, signLink } from './token.ts'

export const createSsoLink = endpoint({
  method: 'POST',
  path: '/reseller/managed-teams/{managed_team}/sso-link',
  summary: 'Create a link by which a person signs in to a team',
  description:
    'It works once, for 300 seconds, and opens a session of eight hours that is limited to this team. The first call ' +
    'configures Partner SSO: it makes a shared secret and enables links, auto-register and linking of accounts, ' +
    'except what was set before. While Partner SSO is disabled it is refused (422, `sso_disabled`).',
  access: { reseller: 'sso:write' },
  body: z.object({
    user_email: linkEmail,
    user_name: line(255).optional().meta({
      description: 'The name of a new account; by default the part of the address before the @.',
    }),
    redirect_to: redirectTo.optional().meta({ description: 'Where the person arrives: a path of the dashboard.' }),
  }),
  returns: ok({
    data: z
      .object({
        sso_url: z.url(),
        expires_in_seconds: z.int(),
        user_email: z.email(),
        user_exists: z
          .boolean()
          .meta({ description: 'Whether a member of the team has this address, or any account has proven it.' }),
      })
      .meta({ id: 'SsoLink' }),
  }),

  async handle(context) {
    const { em, tenant, body, services, now, audit } = context
    const secret = await usableSecret(context)
    const { user_email: email, user_name: name, redirect_to } = body
    const token = await signLink(secret, tenant, { email, name, redirect_to }, now)
    const origin = await originOf(services.platform, services.config, tenant.id)
    const memberId = await memberOf(em, tenant, email)
    audit('sso_link.created', { type: 'partner_sso', id: tenant.id }, { user_email: email, user_id: memberId }, 'both')
    return {
      data: {
        sso_url: `${origin}/sso/partner?${new URLSearchParams({ token, tenant: tenant.slug })}`,
        expires_in_seconds: linkLifeS,
        user_email: email,
        user_exists: memberId !== null || (await verifiedAccountOf(services.platform, email)) !== null,
      },
    }
  },
})

type LinkContext = Pick<RequestContext, 'em' | 'tenant' | 'services' | 'now' | 'audit'>

/** The secret of the team; what is not set yet is set now. */
async function usableSecret({ em, tenant, services, now, audit }: LinkContext): Promise<string> {
  const { is_enabled, secret: encrypted } = await readSettings(em, tenant)
  if (is_enabled && encrypted !== null) return openSecret(services.config, tenant.id, encrypted)
  const before = await lockSettings(em, tenant)
  if (before.is_enabled === false)
    throw invalid({ managed_team: ['Partner SSO of this team is disabled: enable it first.'] }, 'sso_disabled')
  const secret = before.secret === null ? newSecret() : openSecret(services.config, tenant.id, before.secret)
  const after = {
    ...before,
    is_enabled: true,
    secret: before.secret ?? encryptPartnerSecret(services.config, tenant.id, secret),
    auto_register: before.auto_register ?? true,
    auto_link_existing_users: before.auto_link_existing_users ?? true,
  }
  await saveSettings(em, tenant, after, now)
  const [was, is] = [viewSettings(before), viewSettings(after)]
  const names = (Object.keys(is) as (keyof typeof is)[]).filter(name => was[name] !== is[name])
  audit('partner_sso.updated', { type: 'partner_sso', id: tenant.id }, changesOf(names, was, is), 'both')
  return secret
}

async function memberOf(em: EntityManager, tenant: TenantContext, email: string): Promise<string | null> {
  const member = await queries(em)
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.tenant_id', '=', tenant.id)
    .where('u.email', '=', email)
    .where('u.is_service', '=', false)
    .orderBy('u.email_verified_at')
    .select('u.id')
    .limit(1)
    .executeTakeFirst()
  return member?.id ?? null
}
