import { z } from 'zod'
import { roles } from '#contract/scopes.ts'
import { stamp } from '#contract/time.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { verifiedAccountOf } from '#control-plane/identity/address-proof/lock.ts'
import { mustUseProvider } from '#control-plane/identity/sso/enforce.ts'
import { ssoLoginUrl } from '#control-plane/identity/sso/origin.ts'
import { openInvitation } from './open.ts'
import { InvitationToken } from './secret.ts'

export const lookUpInvitation = endpoint({
  method: 'POST',
  path: '/invitations/lookup',
  summary: 'Get an invitation by its token',
  description:
    'The team, role, inviter and invited address; for the mailed token also whether the address has an ' +
    'account, whose password is then needed; else a new one is set. A team that is entered at its own provider alone ' +
    'has `sign_in_url`: to sign in there accepts the invitation.',
  access: 'public',
  rate: 'auth',
  detached: true,
  body: z.object({ token: InvitationToken }),
  returns: ok({
    data: z.object({
      team_name: z.string(),
      email: z.string(),
      role: z.enum(roles),
      invited_by_name: z
        .string()
        .nullable()
        .meta({ description: 'null for an invitation by a program or a deleted person.' }),
      expires_at: z.string().meta({ format: 'date-time' }),
      sign_in_url: z.url().nullable().meta({
        description: 'Where the invitation is accepted in place of this, at the provider of the team; else null.',
      }),
      has_account: z.boolean().nullable().meta({ description: 'Null for the token that the inviter was shown.' }),
    }),
  }),

  async handle({ body, services }) {
    const { tenant, email, role, expiresAt, invitedBy, isProven } = await openInvitation(services.platform, body.token)
    const people = queries(services.platform).selectFrom('users').where('is_service', '=', false).select('name')
    const inviter = invitedBy === null ? undefined : await people.where('id', '=', invitedBy).executeTakeFirst()
    const hasAccount = isProven ? (await verifiedAccountOf(services.platform, email)) !== null : null
    const invitation = {
      team_name: tenant.name,
      invited_by_name: inviter?.name ?? null,
      email,
      role,
      expires_at: stamp(expiresAt),
    }
    const isElsewhere = await mustUseProvider(services.platform, tenant.id, null)
    const signInUrl = isElsewhere ? await ssoLoginUrl(services, tenant) : null
    return { data: { ...invitation, sign_in_url: signInUrl, has_account: hasAccount } }
  },
})
