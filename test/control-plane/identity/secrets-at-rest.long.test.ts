import { generate } from 'otplib'
import { expect, test } from 'vitest'
import { app, given } from '#test/support/app.ts'
import { findInStores } from './erasure/dump.ts'
import { mailsOf, tokenIn } from './mails.ts'
import { anAddress, another, aPerson, password, signIn } from './people.ts'

test('no store contains a readable password, token, mailed link, recovery code or authenticator secret', async () => {
  const person = await aPerson()
  const invited = await person.post(
    '/invitations',
    { email: anAddress() },
    { headers: { 'Idempotency-Key': `invite-${person.userId}` } },
  )
  const resent = await person.post(`/invitations/${invited.body.data.id}/resend`)
  const accepted = await given
    .stranger()
    .post('/invitations/accept', { token: resent.body.plain_text_token, name: 'Nia New', password })
  const session = await signIn(person.email)
  const started = await person.post('/profile/mfa', { password })
  const code = await generate({
    secret: started.body.data.secret,
    epoch: Math.floor(app.services.clock.nowMs() / 1_000),
  })
  const { body } = await person.post('/profile/mfa/confirm', { code })
  await person.post('/profile/password', { current_password: password, password: another })
  await person.post('/profile/email', { email: anAddress(), password: another, otp_code: body.data.recovery_codes[0] })
  await given.stranger().post('/auth/password/forgot', { email: person.email })
  const links = (await mailsOf(person))
    .flatMap(({ data }) => [data.accept_url, data.confirm_url, data.reset_url, data.revert_url])
    .filter(Boolean)
    .map(tokenIn)
  expect(links).toHaveLength(5)
  const secrets = [
    ...links,
    password,
    another,
    invited.body.plain_text_token,
    resent.body.plain_text_token,
    accepted.body.token,
    session.body.token,
    started.body.data.secret,
    ...body.data.recovery_codes,
    ...body.data.recovery_codes.map((text: string) => text.replaceAll('-', '')),
  ]
  expect(secrets.every(secret => typeof secret === 'string' && secret.length >= 16)).toBe(true)
  expect(secrets).toHaveLength(32)
  expect(await findInStores(secrets)).toEqual([])
})
