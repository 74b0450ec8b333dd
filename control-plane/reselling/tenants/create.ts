import { z } from 'zod'
import { plans } from '#contract/plans.ts'
import { stamp } from '#contract/time.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { email, language, personName } from '#control-plane/identity/users/input.ts'
import { refuseWeakPassword } from '#control-plane/identity/users/password-policy.ts'
import { addMail } from '#control-plane/outbox/mail.ts'
import { loadTenant } from './find.ts'
import { tenantFields } from './input.ts'
import { makePasswordLink, openAccount } from './open-account.ts'
import { TenantView } from './view.ts'

export const createTenant = endpoint({
  method: 'POST',
  path: '/tenants',
  summary: 'Create a tenant with its first owner',
  description:
    'For operators: an independent team, or with `is_reseller` a reseller. Without a password the owner is ' +
    'mailed a link to set it, valid for three days. The address counts as verified. That of a verified account ' +
    'is refused: such a person joins by invitation.',
  access: 'super-admin',
  body: z.object({
    name: tenantFields.name,
    slug: tenantFields.slug,
    plan: z.enum(plans).optional().meta({ description: 'Left out, no plan binds the tenant: it is unlimited.' }),
    is_reseller: z.boolean().default(false),
    owner: z.object({
      email,
      name: personName.optional().meta({ description: 'By default the part of the address before the @.' }),
      language: language.default('en'),
      password: z
        .string()
        .min(1)
        .max(1_000)
        .nullable()
        .default(null)
        .meta({ description: 'At least 12 characters, hard to guess, not known from a breach.' }),
    }),
  }),
  returns: created({ data: TenantView }),

  async validate({ body, services }) {
    const { name, slug, owner } = body
    if (owner.password !== null)
      await refuseWeakPassword(services, 'owner.password', owner.password, [name, slug, owner.name ?? '', owner.email])
  },

  async handle({ body, services, caller, ip, requestId }) {
    const { platform, config } = services
    const owner = { ...body.owner, name: body.owner.name ?? body.owner.email.split('@')[0]! }
    const actor = { userId: caller.user?.id ?? null, tokenId: caller.tokenId, ip, requestId }
    const { name, slug, plan = 'free', is_reseller: isReseller } = body
    const account = { name, slug, plan, isUnlimited: body.plan === undefined, isReseller, owner }
    const id = await inTransaction(platform, async client => {
      const opened = await openAccount(client, account, actor, [caller.tenant.id])
      if (opened === 'slug_taken') throw invalid({ slug: ['Is already taken.'] }, 'taken')
      if (opened === 'email_taken') throw invalid({ 'owner.email': ['This address has an account already.'] }, 'taken')
      const { tenantId, userId } = opened
      if (owner.password === null) {
        const { url, expiresAt } = await makePasswordLink(client, config.baseUrl, userId)
        await addMail(client, config, {
          tenantId,
          type: 'password_reset',
          recipient: { userId, email: owner.email, name: owner.name, language: owner.language },
          data: { user_name: owner.name, reset_url: url, expires_at: stamp(expiresAt), ip_address: null },
        })
      }
      return tenantId
    })
    return { data: await loadTenant(platform, id) }
  },
})
