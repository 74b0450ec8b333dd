import { z } from 'zod'
import { queries, stamp, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'

const MfaView = z.object({
  mfa_enabled: z.boolean(),
  enabled_at: z.string().nullable().meta({ format: 'date-time' }),
  recovery_codes_left: z.int(),
  passkeys: z.int().meta({ description: 'How many passkeys you have. Each signs in without password and code.' }),
})

export const getMfa = endpoint({
  method: 'GET',
  path: '/profile/mfa',
  summary: 'Get the state of your second factor',
  description: 'With the number of recovery codes.',
  access: 'session',
  allowsMissingFactor: true,
  underImpersonation: 'refused',
  returns: ok({ data: MfaView }),

  async handle({ caller, em }) {
    const { id } = signedIn(caller)
    const factor = await queries(em)
      .selectFrom('second_factors as f')
      .where('f.user_id', '=', id)
      .where('f.confirmed_at', 'is not', null)
      .select(({ ref, fn }) => [
        stamp(ref('f.confirmed_at')).as('enabled_at'),
        fn<number>('cardinality', ['f.recovery_hashes']).as('recovery_codes_left'),
      ])
      .executeTakeFirst()
    const { total: passkeys } = await queries(em)
      .selectFrom('passkeys')
      .where('user_id', '=', id)
      .select(total)
      .executeTakeFirstOrThrow()
    const state = factor ?? { enabled_at: null, recovery_codes_left: 0 }
    return { data: { mfa_enabled: factor !== undefined, ...state, passkeys } }
  },
})
