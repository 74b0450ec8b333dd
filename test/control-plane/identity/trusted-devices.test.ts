import { describe, expect, test } from 'vitest'
import { app } from '#test/support/app.ts'
import { codeOf, guarded } from './mfa/factor.ts'
import { another, aPerson, lastAudit, password } from './people.ts'
import { CookieJar } from './sessions/browser.ts'

const { platform } = app.services

/** A person with a second factor, and a browser that it is not asked for in. */
async function trusting() {
  const { person, secret, recovery } = await guarded(await aPerson())
  const browser = new CookieJar()
  const answer = await browser.logIn(person.email, { otp_code: await codeOf(secret), remember_device: true })
  expect(answer.status, answer.text).toBe(200)
  return { person, secret, recovery, browser, answer }
}

/** The same cookies without the session, in another browser. */
function copyOf(browser: CookieJar): CookieJar {
  const copy = new CookieJar()
  const secret = browser.cookies.get('vedette-device')
  if (secret) copy.cookies.set('vedette-device', secret)
  return copy
}

describe('a trusted device', () => {
  test('replaces the code at sign-in, and never the password', async () => {
    const { person, browser, answer } = await trusting()
    const cookie = answer.headers.getSetCookie().find(value => value.startsWith('vedette-device=')) ?? ''
    expect(cookie).toMatch(/^vedette-device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Expires=/)
    const days = (Date.parse(cookie.split('Expires=')[1]!) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(29.9)
    expect(days).toBeLessThanOrEqual(30)
    expect((await new CookieJar().logIn(person.email)).body.code).toBe('otp_required')
    expect((await copyOf(browser).logIn(person.email)).status).toBe(200)
    expect((await copyOf(browser).logIn(person.email, { password: another })).status).toBe(401)
    const program = await browser.post('/auth/token', { email: person.email, password, device_name: 'x' })
    expect(program.body.code).toBe('otp_required')
    const { data } = (await browser.get('/profile/trusted-devices')).body
    expect(data).toMatchObject([{ name: expect.stringContaining('Firefox'), last_used_ip: expect.any(String) }])
    const { rows } = await platform.query('select row_to_json(d)::text as text from trusted_devices d')
    for (const { text } of rows) expect(text).not.toContain(browser.cookies.get('vedette-device'))
  })

  test('is of one person, and of no one without a code', async () => {
    const { browser } = await trusting()
    const { person: other } = await guarded(await aPerson())
    expect((await copyOf(browser).logIn(other.email)).body.code).toBe('otp_required')
    const plain = new CookieJar()
    await plain.logIn((await aPerson()).email, { remember_device: true })
    expect(plain.cookies.has('vedette-device')).toBe(false)
    const forged = new CookieJar()
    forged.cookies.set('vedette-device', 'x'.repeat(43))
    expect((await forged.logIn(other.email)).body.code).toBe('otp_required')
  })

  test('is set again by a sign-in with a code, and a wrong code is not replaced by it', async () => {
    const { person, browser, recovery } = await trusting()
    const before = browser.cookies.get('vedette-device')
    expect((await browser.logIn(person.email, { otp_code: '000000' })).status).toBe(401)
    await browser.logIn(person.email, { otp_code: recovery[0], remember_device: true })
    expect(browser.cookies.get('vedette-device')).not.toBe(before)
    const { data } = (await browser.get('/profile/trusted-devices')).body
    expect(data).toHaveLength(2)
  })

  test('ends with the password, with the second factor, after thirty days, and when it is deleted', async () => {
    const ways: Record<string, (of: Awaited<ReturnType<typeof trusting>>) => Promise<unknown>> = {
      password: ({ browser }) =>
        browser.post('/profile/password', { current_password: password, password: another }).then(() => undefined),
      reset: ({ person }) => platform.query(`update users set password_hash = 'x' where id = $1`, [person.userId]),
      factor: ({ browser, recovery }) => browser.delete('/profile/mfa', { password, otp_code: recovery[0] }),
      'reset factor': ({ person }) => platform.query('delete from second_factors where user_id = $1', [person.userId]),
      all: ({ person }) => person.delete('/profile/trusted-devices'),
    }
    for (const [name, end] of Object.entries(ways)) {
      const found = await trusting()
      await end(found)
      const { rows } = await platform.query('select 1 from trusted_devices where user_id = $1', [found.person.userId])
      expect(rows, name).toEqual([])
    }
    const { person, browser } = await trusting()
    await platform.query('update trusted_devices set expires_at = now() where user_id = $1', [person.userId])
    expect((await copyOf(browser).logIn(person.email)).body.code).toBe('otp_required')
    expect((await person.get('/profile/trusted-devices')).body.data).toEqual([])
  })

  test('is deleted by its id, by its person alone', async () => {
    const { person, browser } = await trusting()
    const [{ id }] = (await person.get('/profile/trusted-devices')).body.data
    const stranger = await aPerson()
    expect((await stranger.delete(`/profile/trusted-devices/${id}`)).status).toBe(404)
    expect((await stranger.delete('/profile/trusted-devices')).body.data).toEqual({ deleted: 0 })
    expect((await person.delete(`/profile/trusted-devices/${id}`)).status).toBe(204)
    expect((await person.delete(`/profile/trusted-devices/${id}`)).status).toBe(404)
    expect((await copyOf(browser).logIn(person.email)).body.code).toBe('otp_required')
    expect((await lastAudit(person.tenantId, 'trusted_device.deleted'))?.user_id).toBe(person.userId)
  })

  test('of a person is one of twenty at most: the oldest gives way', async () => {
    const { person, browser, recovery } = await trusting()
    await platform.query(
      `insert into trusted_devices (id, user_id, secret_hash, name, created_at, expires_at)
       select gen_random_uuid(), $1, sha256(n::text::bytea || $2), 'older', now() - n * interval '1 hour',
         now() + interval '1 day' from generate_series(1, 19) n`,
      [person.userId, Buffer.from(person.userId ?? '')],
    )
    expect((await person.get('/profile/trusted-devices')).body.data).toHaveLength(20)
    await browser.logIn(person.email, { otp_code: recovery[0], remember_device: true })
    expect((await person.get('/profile/trusted-devices')).body.data).toHaveLength(20)
    const { rows } = await platform.query(
      `select count(*)::int as n from trusted_devices where user_id = $1 and created_at < now() - interval '18.5 hours'`,
      [person.userId],
    )
    expect(rows[0].n).toBe(0)
  })
})
