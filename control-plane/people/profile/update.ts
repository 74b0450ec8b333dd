import { z } from 'zod'
import { endpoint } from '#control-plane/kernel/endpoint.ts'
import { ok } from '#control-plane/kernel/reply.ts'
import { type Frequency, frequencies, nextMorning } from '#control-plane/people/digest/morning.ts'
import { signedIn } from '#control-plane/people/sessions/signed-in.ts'
import { language, personName, timezone } from '#control-plane/people/users/input.ts'
import { ProfileView, viewProfile } from './view.ts'

const fields = ['name', 'language', 'timezone', 'digest'] as const
interface Fields {
  name: string
  language: string
  timezone: string
  digest: Frequency
}

export const updateProfile = endpoint({
  method: 'PATCH',
  path: '/profile',
  summary: 'Change your name, language, time zone or digest',
  description: 'The digest is mailed at seven in the morning where you are: every day, or on Mondays. It is off unless you want it.',
  access: 'session',
  underImpersonation: 'refused',
  body: z.object({ name: personName, language, timezone, digest: z.enum(frequencies) }).partial(),
  returns: ok({ data: ProfileView }),

  async handle({ body, caller, em, services, now, audit }) {
    const { id } = signedIn(caller)
    const [before] = await em.execute<Fields[]>('select name, language, timezone, digest from users where id = ? for update', [id])
    const changed = fields.filter(field => body[field] !== undefined && body[field] !== before?.[field])
    if (changed.length > 0) {
      const after = { ...before!, ...body }
      const isDueAnew = changed.includes('timezone') || changed.includes('digest')
      await em.execute(
        `update users set name = ?, language = ?, timezone = ?, digest = ?, digest_at = case when ? then ?::timestamptz else digest_at end, updated_at = now() where id = ?`,
        [
          after.name,
          after.language,
          after.timezone,
          after.digest,
          isDueAnew,
          after.digest === 'off' ? null : nextMorning(now, after.timezone, after.digest),
          id,
        ],
      )
      // what somebody is or was called is not kept in a trail that cannot forget
      audit('profile.updated', { type: 'user', id }, { fields: changed })
    }
    return { data: await viewProfile(em, services.platform, id) }
  },
})
