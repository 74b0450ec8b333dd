import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'
import { notify } from '#control-plane/identity/users/notify.ts'
import { confirmOwner, ownerFields } from './confirm-owner.ts'
import { countPasskeys, lockPasskeys } from './limit.ts'
import { findPasskey } from './view.ts'

export const deletePasskey = endpoint({
  method: 'DELETE',
  path: '/profile/passkeys/{passkey}',
  operation: 'profile.passkeys.delete',
  summary: 'Delete one of your passkeys',
  description: 'The last one cannot be deleted by a person without a password, who could not sign in any more.',
  access: 'session',
  rate: 'auth',
  underImpersonation: 'refused',
  needsFreshSession: true,
  body: z.object(ownerFields).default({}),
  returns: noContent,

  async handle(context) {
    const { params, body, caller, em, services, now, audit } = context
    const user = signedIn(caller)
    await confirmOwner(services, caller, body, now)
    await lockPasskeys(em, user.id)
    const passkey = await findPasskey(em, user.id, params.passkey)
    if ((await countPasskeys(em, user.id)) === 1 && !(await hasOtherWayIn(em, user.id)))
      throw invalid({ passkey: ['Is your only way to sign in: set a password first.'] }, 'last_passkey')
    await em.execute('delete from passkeys where id = ? and user_id = ?', [passkey.id, user.id])
    notify(context, 'security_passkey_removed', user)
    audit('passkey.removed', { type: 'user', id: user.id }, { passkey_id: passkey.id })
  },
})

/** Whether the person can sign in without a passkey. */
async function hasOtherWayIn(em: EntityManager, userId: string): Promise<boolean> {
  const users = queries(em).selectFrom('users').where('id', '=', userId).where('password_hash', 'is not', null)
  return (await users.select('id').executeTakeFirst()) !== undefined
}
