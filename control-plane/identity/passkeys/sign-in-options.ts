import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { SignInOptions, signInOptions } from './options.ts'
import { relyingPartyOf } from './relying-party.ts'

export const startSignIn = endpoint({
  method: 'POST',
  path: '/auth/passkeys/options',
  operation: 'auth.passkeys.start',
  summary: 'Create the options of a sign-in by passkey',
  description:
    'For the browser. ' +
    'They name no person. The answer of `navigator.credentials.get` goes to POST /auth/passkeys/verify within five ' +
    'minutes, once. It must come from a page of this service.',
  access: 'public',
  rate: 'auth',
  detached: true,
  returns: ok({ data: SignInOptions }),

  handle: async ({ services, host }) => ({
    data: await signInOptions(services.platform, relyingPartyOf(services, host)),
  }),
})
