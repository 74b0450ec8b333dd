import type { Answer, CallerUnderTest } from '#test/support/app.ts'
import { app, given } from '#test/support/app.ts'
import { Authenticator, type Deviation } from './authenticator.ts'

export const { origin } = new URL(app.services.config.baseUrl)
/** What a browser says of a call by a page of ours. */
export const fromOurPage = { headers: { 'Sec-Fetch-Site': 'same-origin' } }

/** Makes a passkey for a person whose browser session is fresh. */
export async function register(
  browser: CallerUnderTest,
  {
    authenticator = new Authenticator(origin),
    deviation = {},
    ...more
  }: {
    authenticator?: Authenticator
    deviation?: Deviation
    name?: string
  } = {},
): Promise<{ authenticator: Authenticator; answer: Answer }> {
  const { body } = await browser.post('/profile/passkeys/options')
  const credential = authenticator.create(body.data, deviation)
  return { authenticator, answer: await browser.post('/profile/passkeys', { credential, ...more }) }
}

/** A challenge for anybody's passkey. */
export async function aChallenge(): Promise<{ challenge: string }> {
  return (await given.stranger().post('/auth/passkeys/options')).body.data
}

export const verify = (credential: unknown, more: Record<string, unknown> = {}) =>
  given.stranger().post('/auth/passkeys/verify', { credential, ...more }, fromOurPage)

export const signInBy = async (
  authenticator: Authenticator,
  deviation: Deviation = {},
  more: Record<string, unknown> = {},
) => verify(authenticator.get(await aChallenge(), deviation), more)
