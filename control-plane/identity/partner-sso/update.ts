import { z } from 'zod'
import { changesOf } from '#control-plane/base/changes.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { endLinkSessions, lockSettings, PartnerSsoView, saveSettings, viewSettings } from './settings.ts'

const Body = z.object({
  enabled: z.boolean().optional(),
  hide_password_login: z
    .boolean()
    .optional()
    .meta({
      description:
        'Refuses sign-in to this team by password, whatever `enabled` is. ' + 'Rotating the secret sets it to false.',
    }),
  auto_register: z
    .boolean()
    .optional()
    .meta({ description: 'A link registers a person whose address has no account, as a member of the team.' }),
  auto_link_existing_users: z
    .boolean()
    .optional()
    .meta({
      description:
        'A link also signs in members of the team whom no link registered, and people whose account is in no ' +
        'team. People of other teams have to be invited first. Off until it is set; the first sso-link sets it.',
    }),
})

export const updatePartnerSso = endpoint({
  method: 'PATCH',
  path: '/reseller/managed-teams/{managed_team}/partner-sso',
  summary: 'Update how people of a team sign in by your links',
  description: 'Disabling it ends the sessions that links opened.',
  access: { reseller: 'sso:write' },
  needsFreshSession: true,
  body: Body,
  returns: ok({ data: PartnerSsoView }),

  async handle({ em, tenant, body, now, audit }) {
    const before = await lockSettings(em, tenant)
    const after = {
      ...before,
      is_enabled: body.enabled ?? before.is_enabled,
      hide_password_login: body.hide_password_login ?? before.hide_password_login,
      auto_register: body.auto_register ?? before.auto_register,
      auto_link_existing_users: body.auto_link_existing_users ?? before.auto_link_existing_users,
    }
    await saveSettings(em, tenant, after, now)
    if (before.is_enabled && !after.is_enabled) await endLinkSessions(em, tenant)
    const names = Object.keys(Body.shape).filter(name => name in body) as (keyof typeof body)[]
    if (names.length > 0) {
      const changes = changesOf(names, viewSettings(before), viewSettings(after))
      audit('partner_sso.updated', { type: 'partner_sso', id: tenant.id }, changes, 'both')
    }
    return { data: viewSettings(after) }
  },
})
