import { invalid } from '#control-plane/kernel/refusal.ts'
import type { Services } from '#control-plane/kernel/services.ts'
import { countGuess } from '#control-plane/people/sessions/recognise.ts'
import { isPassword } from '#control-plane/people/users/password.ts'

/** Whoever holds a session need not be its person: the password says so. Guesses count like those at the sign-in. */
export async function confirmPassword(
  services: Pick<Services, 'clock' | 'rate' | 'platform'>,
  user: { id: string; email: string },
  password: string,
  field: string,
): Promise<void> {
  await countGuess(services, user.email)
  const { rows } = await services.platform.query<{ password_hash: string | null }>('select password_hash from users where id = $1', [user.id])
  if (!(await isPassword(rows[0]?.password_hash ?? null, password))) throw invalid({ [field]: ['Is not your password.'] }, 'wrong_password')
}
