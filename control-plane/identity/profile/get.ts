import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { ProfileView, viewProfile } from './view.ts'

export const getProfile = endpoint({
  method: 'GET',
  path: '/profile',
  summary: 'Get your profile and teams',
  description: 'A session that is limited to its team reads that team and its own saved views alone.',
  access: 'session',
  underImpersonation: 'refused',
  returns: ok({ data: ProfileView }),

  handle: async ({ caller, em, services }) => ({ data: await viewProfile(em, services.platform, caller) }),
})
