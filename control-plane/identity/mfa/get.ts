import { z } from 'zod'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'

const MfaView = z.object({
  mfa_enabled: z.boolean(),
  enabled_at: z.string().nullable().meta({ format: 'date-time' }),
  recovery_codes_left: z.int(),
})

export const getMfa = endpoint({
  method: 'GET',
  path: '/profile/mfa',
  summary: 'See whether the second factor is on and how many recovery codes are left',
  access: 'session',
  underImpersonation: 'refused',
  returns: ok({ data: MfaView }),

  async handle({ caller, em }) {
    const [factor] = await em.execute<z.output<typeof MfaView>[]>(
      `select confirmed_at is not null as mfa_enabled, ${stampSql('confirmed_at')} as enabled_at, cardinality(recovery_hashes) as recovery_codes_left
       from second_factors where user_id = ? and confirmed_at is not null`,
      [signedIn(caller).id],
    )
    return { data: factor ?? { mfa_enabled: false, enabled_at: null, recovery_codes_left: 0 } }
  },
})
