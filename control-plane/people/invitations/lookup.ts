import { z } from 'zod'
import { roles } from '#contract/scopes.ts'
import { stamp } from '#contract/time.ts'
import { endpoint } from '#control-plane/kernel/endpoint.ts'
import { ok } from '#control-plane/kernel/reply.ts'
import { openInvitation } from './open.ts'
import { InvitationToken } from './secret.ts'

export const lookUpInvitation = endpoint({
  method: 'POST',
  path: '/invitations/lookup',
  summary: 'See what an invitation is to, by its token',
  description:
    'Tells the team, the role, who invited, the address invited, and whether that address has an account: then its password is asked, else a new one is set.',
  access: 'public',
  rate: 'auth',
  detached: true,
  body: z.object({ token: InvitationToken }),
  returns: ok({
    data: z.object({
      team_name: z.string(),
      email: z.string(),
      role: z.enum(roles),
      invited_by_name: z.string().nullable().meta({ description: 'null where a program invited, or the person is gone.' }),
      expires_at: z.string().meta({ format: 'date-time' }),
      has_account: z.boolean(),
    }),
  }),

  async handle({ body, services }) {
    const { tenant, email, role, expiresAt, invitedBy } = await openInvitation(services.platform, body.token)
    const { rows } = await services.platform.query<{ has_account: boolean; invited_by_name: string | null }>(
      `select exists (select 1 from users where email = $1) as has_account, (select name from users where id = $2 and not is_service) as invited_by_name`,
      [email, invitedBy],
    )
    return { data: { team_name: tenant.name, email, role, expires_at: stamp(expiresAt), ...rows[0]! } }
  },
})
