import { generate } from 'otplib'
import { describe, expect, test } from 'vitest'
import { another, aPerson, lastAudit, password } from '#test/control-plane/identity/people.ts'
import { app } from '#test/support/app.ts'
import { Visitor } from './visitor.ts'

const { platform } = app.services

/** As if the person had signed in eleven minutes ago. */
const age = (userId: string | null) =>
  platform.query(
    `update tokens set reauthenticated_at = clock_timestamp() - interval '11 minutes'
     where user_id = $1 and is_browser`,
    [userId],
  )

describe('the step-up page', () => {
  test('leads from what is dangerous to the password and back, without a script', async () => {
    const person = await aPerson()
    const visitor = new Visitor()
    await visitor.signIn(person.email, password)
    await age(person.userId)
    await visitor.get('/account/second-factor')
    const { location } = await visitor.post('/account/second-factor', { password })
    expect(location).toBe('/step-up?next=%2Faccount%2Fsecond-factor')
    const { html } = await visitor.get(location ?? '')
    expect(html).toContain('autocomplete="current-password"')
    expect(html).not.toContain('autocomplete="one-time-code"')
    const next = '/account/second-factor'
    const wrong = await visitor.post('/step-up', { password: another, next })
    expect([wrong.status, wrong.html.includes('The password is wrong.')]).toEqual([422, true])
    const before = visitor.cookies.get('vedette')
    const right = await visitor.post('/step-up', { password, next })
    expect([right.status, right.location]).toEqual([303, next])
    expect(visitor.cookies.get('vedette')).not.toBe(before)
    expect((await lastAudit(person.tenantId, 'session.confirmed'))?.user_id).toBe(person.userId)
    await visitor.get(next)
    expect((await visitor.post(next, { password })).html).toContain('otpauth://totp/')
  })

  test('asks for the code of a second factor too', async () => {
    const person = await aPerson()
    const visitor = new Visitor('de')
    await visitor.signIn(person.email, password)
    const secret = (await person.post('/profile/mfa', { password })).body.data.secret
    const code = await generate({ secret, epoch: Math.floor(Date.now() / 1_000) - 30 })
    await person.post('/profile/mfa/confirm', { code })
    const { html } = await visitor.get('/step-up?next=/account')
    expect(html).toContain('autocomplete="one-time-code"')
    const without = await visitor.post('/step-up', { password, code: '', next: '/account' })
    expect([without.status, without.html.includes('Geben Sie auch den Code')]).toEqual([422, true])
    const wrong = await visitor.post('/step-up', { password, code: '000000', next: '/account' })
    expect([wrong.status, wrong.html.includes('Dieser Code ist falsch')]).toEqual([422, true])
    const right = await visitor.post('/step-up', { password, code: await generate({ secret }), next: '/account' })
    expect(right.location).toBe('/account')
  })

  test('leads to no other site and not to itself, and without a session to the sign-in page', async () => {
    const person = await aPerson()
    const visitor = new Visitor()
    expect((await visitor.get('/step-up?next=/account')).location).toBe('/login?next=%2Faccount')
    await visitor.signIn(person.email, password)
    for (const next of ['//evil.example', 'https://evil.example/', '/step-up?next=/account']) {
      await visitor.get(`/step-up?next=${encodeURIComponent(next)}`)
      expect((await visitor.post('/step-up', { password, next })).location, next).toBe('/app')
    }
    await visitor.get('/step-up')
    const foreign = await visitor.post('/step-up', { password, next: '/app' }, { 'Sec-Fetch-Site': 'cross-site' })
    expect(foreign.status).toBe(403)
  })

  test('is refused in a session that is limited to its team', async () => {
    const person = await aPerson()
    const visitor = new Visitor()
    await visitor.signIn(person.email, password)
    await platform.query('update tokens set is_locked = true where user_id = $1 and is_browser', [person.userId])
    expect((await visitor.get('/step-up?next=/account')).status).toBe(403)
    await visitor.get('/account')
    expect((await visitor.post('/step-up', { password, next: '/account' })).status).toBe(403)
  })
})
