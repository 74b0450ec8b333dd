import { z } from 'zod'

/** Headers that frame the request: only we set these. */
const framing = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
export const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9a-zA-Z-]{1,100}$/, 'Must be the name of a header.')
const requestHeaderName = headerName.refine(
  name => !framing.has(name.toLowerCase()) && !/^proxy-/i.test(name),
  'This header is set by the check itself.',
)
const printable = /^[\t\x20-\x7e\x80-\xff]*$/
const headerValue = z.string().max(4_096).regex(printable, 'Must be printable Latin text on one line.')
const credential = z.string().max(1_024).regex(printable, 'Must be printable Latin text on one line.')

export const requestHeaders = z
  .record(requestHeaderName, headerValue)
  .default({})
  .refine(headers => Object.keys(headers).length <= 50, 'At most 50 headers.')
  .meta({ description: 'Request headers, at most 50.' })

const Auth = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('basic'),
    username: z
      .string()
      .max(255)
      .regex(/^[^:\p{Cc}]*$/u, 'Must not contain a colon.'),
    password: z
      .string()
      .max(1_024)
      .regex(/^[^\p{Cc}]*$/u),
  }),
  z.object({ type: z.literal('bearer'), token: credential.min(1) }),
])
export type Auth = z.output<typeof Auth>

export const auth = Auth.nullable()
  .default(null)
  .meta({ description: 'Sent to the origin of the monitor only, never to where a redirect leads.' })

export const verifyTls = z
  .boolean()
  .default(true)
  .meta({ description: 'Whether an untrusted certificate is a failure.' })

export const authorizationOf = (auth: Auth) =>
  auth.type === 'bearer'
    ? `Bearer ${auth.token}`
    : `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}`
