import { sql } from 'kysely'
import { z } from 'zod'
import { queries } from '#control-plane/db/queries.ts'
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
  allowsMissingFactor: true,
  underImpersonation: 'refused',
  body: z.object({ name: passkeyName }),
  returns: ok({ data: PasskeyView }),

  async handle({ params, body, caller, em, audit }) {
    const { id: userId } = signedIn(caller)
    const passkey = await findPasskey(em, userId, params.passkey)
    if (passkey.name === body.name) return { data: passkey }
    await queries(em)
      .updateTable('passkeys')
      .set({ name: body.name, updated_at: sql<string>`clock_timestamp()` })
      .where('id', '=', passkey.id)
      .where('user_id', '=', userId)
      .execute()
    // names are personal data, and audit entries cannot be changed
    audit('passkey.renamed', { type: 'user', id: userId }, { passkey_id: passkey.id })
    return { data: await findPasskey(em, userId, passkey.id) }
  },
})
