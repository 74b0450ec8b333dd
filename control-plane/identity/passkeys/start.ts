import { z } from 'zod'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { brandOfTenant } from '#control-plane/identity/pages/brand.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'
import { confirmOwner, ownerFields } from './confirm-owner.ts'
import { refuseMorePasskeys } from './limit.ts'
import { RegistrationOptions, registrationOptions } from './options.ts'
import { relyingPartyOf } from './relying-party.ts'

export const startPasskey = endpoint({
  method: 'POST',
  path: '/profile/passkeys/options',
  operation: 'profile.passkeys.start',
  summary: 'Create the options of a new passkey for the browser',
  description:
    'The answer of `navigator.credentials.create` goes to POST /profile/passkeys within five minutes. It must come ' +
    'from a page of this service.',
  access: 'session',
  allowsMissingFactor: true,
  rate: 'auth',
  underImpersonation: 'refused',
  needsFreshSession: true,
  body: z.object(ownerFields),
  returns: ok({ data: RegistrationOptions }),

  async handle({ body, caller, tenant, em, services, now, host }) {
    const user = signedIn(caller)
    await confirmOwner(services, caller, body, now)
    await refuseMorePasskeys(em, user.id)
    const party = relyingPartyOf(services, host)
    const existing = await queries(em)
      .selectFrom('passkeys')
      .where('user_id', '=', user.id)
      .where('rp_id', '=', party.id)
      .select(['credential_id', 'transports'])
      .execute()
    const known = existing.map(({ credential_id, transports }) => ({
      id: Buffer.from(credential_id).toString('base64url'),
      transports,
    }))
    const { name } = await brandOfTenant(services, tenant.id)
    return { data: await registrationOptions(services.platform, { id: party.id, name }, user, known) }
  },
})
