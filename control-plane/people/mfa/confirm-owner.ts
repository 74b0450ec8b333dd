import { z } from 'zod'
import type { Facts } from '#control-plane/kernel/endpoint.ts'
import { invalid } from '#control-plane/kernel/refusal.ts'
import { confirmPassword } from '#control-plane/people/profile/confirm-password.ts'
import { passesFactor } from './pass.ts'

export const Owner = z.object({
  password: z.string().min(1).max(1_000),
  otp_code: z.string().min(1).max(20).meta({ description: 'Six digits of the authenticator, or one of the recovery codes.' }),
})

/** Password and second factor both, before either is changed. */
export async function confirmOwner(
  { em, services, now, body }: Pick<Facts<unknown, unknown, z.output<typeof Owner>>, 'em' | 'services' | 'now' | 'body'>,
  user: { id: string; email: string },
): Promise<void> {
  const factors = await em.execute<unknown[]>('select 1 from second_factors where user_id = ? and confirmed_at is not null', [user.id])
  if (factors.length === 0) throw invalid({ otp_code: ['There is no second factor.'] }, 'mfa_not_enabled')
  await confirmPassword(em, services, user, body.password, 'password')
  if (!(await passesFactor(services, user.id, body.otp_code, now)))
    throw invalid({ otp_code: ['Is not a code of this moment, nor a recovery code left.'] }, 'wrong_code')
}
