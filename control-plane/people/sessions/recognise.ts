import { rateLimits, tooMany } from '#control-plane/kernel/rate.ts'
import { challenge, invalid, Refusal } from '#control-plane/kernel/refusal.ts'
import type { Services } from '#control-plane/kernel/services.ts'
import { passesFactor } from '#control-plane/people/mfa/pass.ts'
import { isPassword } from '#control-plane/people/users/password.ts'

export const badCredentials = () => new Refusal(401, 'bad_credentials', 'These credentials do not match our records.', { headers: challenge() })

/** Guessing at one account from many addresses is bounded too. */
export async function countGuess({ clock, rate }: Pick<Services, 'clock' | 'rate'>, email: string): Promise<void> {
  const counted = await rate.count(`auth:account:${email.toLowerCase()}`, rateLimits.auth, clock.nowMs())
  if (counted.isRefused) throw tooMany(counted)
}

interface Given {
  email: string
  password: string
  otpCode: string | undefined
}

/**
 * Whose address and password these are, with the second factor where there is one. Only who has the password is asked for a code;
 * a wrong code is answered like a wrong password.
 */
export async function recognise(
  services: Pick<Services, 'clock' | 'config' | 'platform' | 'rate'>,
  { email, password, otpCode }: Given,
  now: Date,
): Promise<string> {
  await countGuess(services, email)
  const { rows } = await services.platform.query<{ id: string; password_hash: string | null; has_factor: boolean }>(
    `select u.id, u.password_hash, f.user_id is not null as has_factor
     from users u left join second_factors f on f.user_id = u.id and f.confirmed_at is not null
     where u.email = $1 and not u.is_service`,
    [email],
  )
  const account = rows[0]
  const matches = await isPassword(account?.password_hash ?? null, password)
  if (!matches || !account) throw badCredentials()
  if (!account.has_factor) return account.id
  if (otpCode === undefined) throw invalid({ otp_code: ['This account has a second factor: send its code too.'] }, 'otp_required')
  if (!(await passesFactor(services, account.id, otpCode, now))) throw badCredentials()
  return account.id
}
