import type { Caller } from '#control-plane/base/caller.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { type Origin, takeGuess } from '#control-plane/identity/sessions/guesses.ts'
import { isPassword } from '#control-plane/identity/users/password.ts'

/** A session guesses for itself alone: what is guessed with a stolen one takes nothing away from the owner's. */
export const sessionOrigin = ({ tokenId }: Pick<Caller, 'tokenId'>): Origin => ({
  place: `session ${tokenId}`,
  isKnown: true,
})

/** Whoever holds a session need not be its person: the password says so. Wrong guesses count like those at the sign-in. */
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
