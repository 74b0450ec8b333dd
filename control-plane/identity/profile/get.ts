import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'
import { ProfileView, viewProfile } from './view.ts'

export const getProfile = endpoint({
  method: 'GET',
  path: '/profile',
  summary: 'Get your profile and teams',
  access: 'session',
  underImpersonation: 'refused',
  returns: ok({ data: ProfileView }),

  handle: async ({ caller, em, services }) => ({ data: await viewProfile(em, services.platform, signedIn(caller).id) }),
})
