import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetQuery, partOf } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'
import { PasskeyView, selectPasskeys } from './view.ts'

export const listPasskeys = endpoint({
  method: 'GET',
  path: '/profile/passkeys',
  operation: 'profile.passkeys.list',
  summary: 'List your passkeys, the oldest first',
  access: 'session',
  underImpersonation: 'refused',
  query: offsetQuery(),
  returns: offsetPage(PasskeyView),

  handle: async ({ caller, em, query, url }) =>
    partOf(await selectPasskeys(em, signedIn(caller).id).execute(), query, url),
})
