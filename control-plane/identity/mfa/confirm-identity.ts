import type { Caller } from '#control-plane/base/caller.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { affected } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { confirmPassword, sessionOrigin } from '#control-plane/identity/profile/confirm-password.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'
import { passesFactor } from './pass.ts'

/** Verifies the caller's password, and the code of a second factor. Returns whether there is a second factor. */
export async function confirmIdentity(
  services: Pick<Services, 'platform' | 'config' | 'log'>,
  caller: Caller,
  given: { password: string; otp_code?: string | undefined },
  now: Date,
): Promise<{ hasFactor: boolean }> {
  const user = signedIn(caller)
  const origin = sessionOrigin(caller)
  await confirmPassword(services, user, given, origin)
  const factors = await affected(services.platform)`
    select 1 from second_factors where user_id = ${user.id} and confirmed_at is not null`
  if (factors === 0) return { hasFactor: false }
  if (given.otp_code === undefined)
    throw invalid({ otp_code: ['Your account has a second factor: send its code too.'] }, 'otp_required')
  if (!(await passesFactor(services, user.id, given.otp_code, { now, origin })))
    throw invalid({ otp_code: ['Is not a code of this moment, nor a recovery code left.'] }, 'wrong_code')
  return { hasFactor: true }
}
