import { z } from 'zod'
import { endpoint } from '#control-plane/kernel/endpoint.ts'
import { invalid } from '#control-plane/kernel/refusal.ts'
import { ok } from '#control-plane/kernel/reply.ts'
import { leaverOf } from './link.ts'

export const leaveDigest = endpoint({
  method: 'POST',
  path: '/digest/unsubscribe',
  summary: 'Get no more digests, by the link of one, without signing in',
  description: 'What mail programs call for `List-Unsubscribe` (RFC 8058). A body is ignored; the same link works again and changes nothing more.',
  access: 'public',
  detached: true,
  query: z.object({ token: z.string().max(200) }),
  returns: ok({ message: z.string() }),

  async handle({ query, services }) {
    const userId = leaverOf(services.config, query.token)
    if (userId === null) throw invalid({ token: ['This link is not one of ours.'] })
    await services.platform.query(`update users set digest = 'off', digest_at = null, updated_at = now() where id = $1 and digest <> 'off'`, [userId])
    return { message: 'You will get no more digests.' }
  },
})
