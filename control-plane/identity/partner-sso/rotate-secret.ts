import { z } from 'zod'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { encryptPartnerSecret, newSecret } from './secret.ts'
import { endLinkSessions, lockSettings, PartnerSsoView, saveSettings, viewSettings } from './settings.ts'

export const rotatePartnerSecret = endpoint({
  method: 'POST',
  path: '/reseller/managed-teams/{managed_team}/partner-sso/rotate-secret',
  summary: 'Rotate the secret that signs links of a team',
  description:
    'It is shown once. ' +
    'Links of the former secret end at once, and so do the sessions that links opened. Sets `hide_password_login` to ' +
    'false, so that people can sign in while your system has the former secret. The key of HS256 is the text ' +
    'as it is shown.',
  access: { reseller: 'sso:write' },
  needsFreshSession: true,
  returns: ok({
    data: PartnerSsoView.pick({ enabled: true, has_shared_secret: true }),
    shared_secret: z.string(),
  }),

  async handle({ em, tenant, services, now, audit }) {
    const before = await lockSettings(em, tenant)
    const secret = newSecret()
    const encrypted = encryptPartnerSecret(services.config, tenant.id, secret)
    await saveSettings(em, tenant, { secret: encrypted, hide_password_login: false }, now)
    await endLinkSessions(em, tenant)
    const changes = before.hide_password_login ? { hide_password_login: { before: true, after: false } } : undefined
    audit('partner_sso.secret_rotated', { type: 'partner_sso', id: tenant.id }, changes, 'both')
    const { enabled } = viewSettings(before)
    return { data: { enabled, has_shared_secret: true }, shared_secret: secret }
  },
})
