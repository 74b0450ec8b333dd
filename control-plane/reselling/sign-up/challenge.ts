import { z } from 'zod'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { bare } from '#control-plane/http/reply.ts'
import { Challenge, newChallenge } from '#control-plane/identity/captcha/proof.ts'
import { portalOfRequest } from './find.ts'

export const signUpPurpose = 'sign-up'
export const PortalSlug = z
  .string()
  .max(100)
  .optional()
  .meta({ description: 'The slug of the portal; not needed at the domain of a portal.' })

export const getSignUpChallenge = endpoint({
  method: 'GET',
  path: '/auth/sign-up/challenge',
  operation: 'auth.signUpChallenge',
  summary: 'Get a proof-of-work challenge for a sign-up',
  description:
    'A challenge of ALTCHA, version 2 (PBKDF2): valid for ten minutes and for one sign-up. The more of them a ' +
    'network asks for, the more each costs.',
  tag: 'sign-up',
  access: 'public',
  mayFindNothing: true,
  detached: true,
  query: z.object({ portal: PortalSlug }),
  returns: bare(Challenge),

  async handle({ query, services, host, ip }) {
    await portalOfRequest(services, host, query.portal)
    return newChallenge(services, signUpPurpose, ip)
  },
})
