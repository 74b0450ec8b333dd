import { z } from 'zod'
import { endpoint } from '#control-plane/kernel/endpoint.ts'
import { ok } from '#control-plane/kernel/reply.ts'
import { signedIn } from '#control-plane/people/sessions/signed-in.ts'
import { language, personName, timezone } from '#control-plane/people/users/input.ts'
import { ProfileView, viewProfile } from './view.ts'

const fields = ['name', 'language', 'timezone'] as const
type Fields = Record<(typeof fields)[number], string>

export const updateProfile = endpoint({
  method: 'PATCH',
  path: '/profile',
  summary: 'Change your name, language or time zone',
  access: 'session',
  underImpersonation: 'refused',
  body: z.object({ name: personName, language, timezone }).partial(),
  returns: ok({ data: ProfileView }),

  async handle({ body, caller, em, services, audit }) {
    const { id } = signedIn(caller)
    const [before] = await em.execute<Fields[]>('select name, language, timezone from users where id = ? for update', [id])
    const changed = fields.filter(field => body[field] !== undefined && body[field] !== before?.[field])
    if (changed.length > 0) {
      const after = { ...before, ...body }
      await em.execute('update users set name = ?, language = ?, timezone = ?, updated_at = now() where id = ?', [
        after.name,
        after.language,
        after.timezone,
        id,
      ])
      // what somebody is or was called is not kept in a trail that cannot forget
      audit('profile.updated', { type: 'user', id }, { fields: changed })
    }
    return { data: await viewProfile(em, services.platform, id) }
  },
})
