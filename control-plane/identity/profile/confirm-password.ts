import type { Caller } from '#control-plane/base/caller.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { type Origin, takeGuess } from '#control-plane/identity/sessions/guesses.ts'
import { isPassword } from '#control-plane/identity/users/password.ts'

/** Guesses are counted by session: wrong ones in a stolen session do not lock out the owner. */
export const sessionOrigin = ({ tokenId }: Pick<Caller, 'tokenId'>): Origin => ({
  place: `session ${tokenId}`,
  isKnown: true,
})

/** Verifies the password of a session's user, since a session may be stolen. Wrong guesses count as at sign-in. */
export async function confirmPassword(
  { platform }: Pick<Services, 'platform'>,
  user: { id: string; email: string },
  given: { password: string; field?: string },
  origin: Origin,
): Promise<void> {
  const { password, field = 'password' } = given
  const guess = await takeGuess(platform, 'password', user.email, origin)
  const users = queries(platform).selectFrom('users').where('id', '=', user.id)
  const stored = await users.select('password_hash').executeTakeFirst()
  if (!(await isPassword(stored?.password_hash ?? null, password)))
    throw invalid({ [field]: ['Is not your password.'] }, 'wrong_password')
  await guess.right()
}
