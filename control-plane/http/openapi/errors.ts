import { z } from 'zod'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import { ErrorBody } from '#control-plane/http/reply.ts'
import { ScimError, scimMedia } from '#control-plane/http/scim-error.ts'

export const rateHeaders = z.object({
  'X-RateLimit-Limit': z
    .string()
    .meta({ header: { id: 'X-RateLimit-Limit' }, description: 'Requests allowed in 60 seconds' }),
  'X-RateLimit-Remaining': z
    .string()
    .meta({ header: { id: 'X-RateLimit-Remaining' }, description: 'Requests left at this moment' }),
})
const retryHeaders = rateHeaders.extend({
  'Retry-After': z
    .string()
    .meta({ header: { id: 'Retry-After' }, description: 'Seconds until one more request is allowed' }),
})
const challengeHeaders = z.object({
  'WWW-Authenticate': z.string().meta({
    header: { id: 'WWW-Authenticate' },
    description: 'What is asked for, and why the token was refused (RFC 6750)',
  }),
})

const reply = (id: string, description: string, headers?: z.ZodObject): ZodOpenApiResponseObject => ({
  id,
  description,
  content: { 'application/json': { schema: ErrorBody } },
  ...(headers && { headers }),
})

/** All refusals of SCIM are of one format. */
const scimReply = (id: string, description: string, headers?: z.ZodObject): ZodOpenApiResponseObject => ({
  ...reply(id, description, headers),
  content: { [scimMedia]: { schema: ScimError } },
})

/** The refusals of SCIM by status. */
export const scimErrorReplies = {
  '400': scimReply('ScimInvalid', 'Not understood, or not allowed in this state: `scimType` says why'),
  '401': scimReply('ScimUnauthenticated', 'Missing or invalid token', challengeHeaders),
  '403': scimReply('ScimForbidden', 'The person is protected, the team suspended, or the plan has no single sign-on'),
  '404': scimReply('ScimNotFound', 'Not found'),
  '409': scimReply('ScimConflict', 'The user name or the address is taken'),
  '412': scimReply('ScimChanged', 'Changed since it was read'),
  '429': scimReply('ScimTooManyRequests', 'Rate limit exceeded', retryHeaders),
  '503': scimReply('ScimUnavailable', 'A store is not reachable at the moment; try again'),
  '4XX': scimReply('ScimRefused', 'Body too large (413), content type that is not taken (415)'),
} satisfies Record<string, ZodOpenApiResponseObject>

/** The refusals that operations share, each described once. */
export const errorReplies = {
  refused: reply(
    'Refused',
    'Malformed (400), body too large (413), content type that is not taken (415), address and headers over 16 KB (431)',
  ),
  unauthenticated: reply('Unauthenticated', 'Missing or invalid token', challengeHeaders),
  noAccount: reply('NoSuchAccount', 'These credentials match no account', challengeHeaders),
  forbidden: reply('Forbidden', 'Insufficient permission, or not in the plan: code `not_in_plan`'),
  notFound: reply('NotFound', 'Not found'),
  done: reply('Done', 'Happened already, and happens once'),
  changed: reply('Changed', 'Changed since it was read'),
  invalid: reply('Invalid', 'Validation failed'),
  tooMany: reply('TooManyRequests', 'Rate limit exceeded', retryHeaders),
  unavailable: reply('Unavailable', 'A store is not reachable at the moment; try again'),
  notModified: { id: 'NotModified', description: 'Not modified' },
} satisfies Record<string, ZodOpenApiResponseObject>
