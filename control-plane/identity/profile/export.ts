import { sql } from 'kysely'
import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { type Place, partsOf } from '#control-plane/identity/person-data/places.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'
import { ProfileView, viewProfile } from './view.ts'

const mostRows = 10_000
const Rows = z.array(z.record(z.string(), z.unknown()))

export function exportProfile(places: readonly Place[]) {
  const exported = partsOf(places)
  return endpoint({
    method: 'GET',
    path: '/profile/export',
    operation: 'profile.export',
    summary: 'Export your personal data',
    description:
      'Your profile, teams, keys and sessions without secrets, invitations, contact methods, calls and turns on ' +
      'call, what you wrote, and your actions from the audit log. ' +
      `At most ${mostRows} entries of each kind, newest first.`,
    access: 'session',
    rate: 'auth',
    reads: false,
    underImpersonation: 'refused',
    returns: ok({
      data: z.object({
        exported_at: z.string().meta({ format: 'date-time' }),
        profile: ProfileView,
        ...Object.fromEntries(Object.keys(exported).map(part => [part, Rows])),
      }),
    }),

    async handle({ caller, em, services, now, audit }) {
      const { id } = signedIn(caller)
      audit('profile.exported', { type: 'user', id })
      // of one person in all tenants, for that person only, newest first and without secrets
      const parts: Record<string, z.output<typeof Rows>> = {}
      for (const [part, statement] of Object.entries(exported))
        parts[part] = await rows(services.platform)`${statement(id)} limit ${sql.lit(mostRows)}`
      return {
        data: { exported_at: stamp(now), profile: await viewProfile(em, services.platform, caller), ...parts },
      }
    },
  })
}
