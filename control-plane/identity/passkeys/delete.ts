import type { EntityManager } from '@mikro-orm/postgresql'
import type { Pool } from 'pg'
import { z } from 'zod'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { teamsOf } from '#control-plane/identity/profile/view.ts'
import { isPasswordHidden } from '#control-plane/identity/sessions/password-login.ts'
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
  description: 'The last one cannot be deleted by a person who has no password, or whose teams hide the password.',
  access: 'session',
  allowsMissingFactor: true,
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
    if ((await countPasskeys(em, user.id)) === 1 && !(await hasOtherWayIn(em, services.platform, user.id)))
      throw invalid({ passkey: ['Is your only way to sign in.'] }, 'last_passkey')
    await queries(em).deleteFrom('passkeys').where('id', '=', passkey.id).where('user_id', '=', user.id).execute()
    notify(context, 'security_passkey_removed', user)
    audit('passkey.removed', { type: 'user', id: user.id }, { passkey_id: passkey.id })
  },
})

/** Whether the person can enter a team with a password. */
async function hasOtherWayIn(em: EntityManager, platform: Pool, userId: string): Promise<boolean> {
  const users = queries(em).selectFrom('users').where('id', '=', userId).where('password_hash', 'is not', null)
  if ((await users.select('id').executeTakeFirst()) === undefined) return false
  for (const { tenant_id } of await teamsOf(platform, userId))
    if (!(await isPasswordHidden(platform, tenant_id, userId))) return true
  return false
}
