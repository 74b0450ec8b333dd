import { z } from 'zod'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'
import { passkeyName } from './create.ts'
import { findPasskey, PasskeyView } from './view.ts'

export const updatePasskey = endpoint({
  method: 'PATCH',
  path: '/profile/passkeys/{passkey}',
  operation: 'profile.passkeys.update',
  summary: 'Rename one of your passkeys',
  access: 'session',
  underImpersonation: 'refused',
  body: z.object({ name: passkeyName }),
  returns: ok({ data: PasskeyView }),

  async handle({ params, body, caller, em, audit }) {
    const { id: userId } = signedIn(caller)
    const passkey = await findPasskey(em, userId, params.passkey)
    if (passkey.name === body.name) return { data: passkey }
    await em.execute('update passkeys set name = ?, updated_at = clock_timestamp() where id = ? and user_id = ?', [
      body.name,
      passkey.id,
      userId,
    ])
    // names are personal data, and audit entries cannot be changed
    audit('passkey.renamed', { type: 'user', id: userId }, { passkey_id: passkey.id })
    return { data: await findPasskey(em, userId, passkey.id) }
  },
})
