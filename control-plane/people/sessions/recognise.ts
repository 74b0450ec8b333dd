import { rateLimits, tooMany } from '#control-plane/kernel/rate.ts'
import { invalid, Refusal } from '#control-plane/kernel/refusal.ts'
import type { Services } from '#control-plane/kernel/services.ts'
import { passesFactor } from '#control-plane/people/mfa/pass.ts'
import { firstOfPassword } from '#control-plane/people/users/password.ts'

export const badCredentials = () => new Refusal(401, 'bad_credentials', 'These credentials do not match our records.')

/** Guessing at one account from many addresses is bounded too. */
export async function countGuess({ clock, rate }: Pick<Services, 'clock' | 'rate'>, email: string): Promise<void> {
  const counted = await rate.count(`auth:account:${email.toLowerCase()}`, rateLimits.auth, clock.nowMs())
  if (counted.isRefused) throw tooMany(counted)
}

interface Given {
  email: string
  password: string
  otpCode: string | undefined
  /** The team to enter, where it is named. */
  tenantId?: string | undefined
  /** Only the account that has proven the address. */
  isVerifiedOnly?: boolean
}

interface Account {
  id: string
  password_hash: string | null
  has_factor: boolean
}

/** The account that has proven the address comes first; of those that have not, each is of one team. */
const find = `
  select u.id, u.password_hash, f.user_id is not null as has_factor
  from users u left join second_factors f on f.user_id = u.id and f.confirmed_at is not null
  where u.email = $1 and not u.is_service and (u.email_verified_at is not null or not $3
    and ($2::uuid is null or exists (select 1 from memberships m where m.user_id = u.id and m.tenant_id = $2)))
  order by u.email_verified_at is null, u.created_at desc limit 2`

type Known = Pick<Services, 'clock' | 'config' | 'platform' | 'rate'>

/**
 * Whose address and password these are, with the second factor where there is one. Only who has the password is asked for a code;
 * a wrong code is answered like a wrong password.
 */
export async function recognise(services: Known, given: Given, now: Date): Promise<string> {
  const userId = await identify(services, given, now)
  if (userId === null) throw badCredentials()
  return userId
}

/** The same, and null for a password that is nobody's of this address. */
export async function identify(services: Known, given: Given, now: Date): Promise<string | null> {
  const { email, password, otpCode, tenantId = null, isVerifiedOnly = false } = given
  await countGuess(services, email)
  const { rows } = await services.platform.query<Account>(find, [email, tenantId, isVerifiedOnly])
  const account = await firstOfPassword([rows[0], rows[1]], password)
  if (!account) return null
  if (!account.has_factor) return account.id
  if (otpCode === undefined) throw invalid({ otp_code: ['This account has a second factor: send its code too.'] }, 'otp_required')
  if (!(await passesFactor(services, account.id, otpCode, now))) throw badCredentials()
  return account.id
}
