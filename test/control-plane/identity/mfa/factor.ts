import { generate } from 'otplib'
import { type PersonUnderTest, password } from '#test/control-plane/identity/people.ts'
import { app } from '#test/support/app.ts'

const { clock } = app.services

/** The code of an authenticator, by default of this moment. */
export const codeOf = (secret: string, steps = 0) =>
  generate({ secret, epoch: Math.floor(clock.nowMs() / 1_000) + steps * 30 })

/** A person whose second factor is on; the code of the moment before is spent. */
export async function guarded(person: PersonUnderTest) {
  const { body } = await person.post('/profile/mfa', { password })
  const secret: string = body.data.secret
  const confirmed = await person.post('/profile/mfa/confirm', { code: await codeOf(secret, -1) })
  if (confirmed.status !== 200) throw new Error(confirmed.text)
  return { person, secret, recovery: confirmed.body.data.recovery_codes as string[] }
}
