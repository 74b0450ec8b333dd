import { generate } from 'otplib'
import { describe, expect, test } from 'vitest'
import { mailsOf } from '#test/control-plane/identity/mails.ts'
import { another, aPerson, join, type PersonUnderTest, password } from '#test/control-plane/identity/people.ts'
import { app, given } from '#test/support/app.ts'
import { Visitor } from './visitor.ts'

const { platform } = app.services

/** A person with an authenticator: its secret, and recovery codes. */
async function withFactor(): Promise<{ person: PersonUnderTest; secret: string; codes: string[] }> {
  const person = await aPerson()
  const secret = (await person.post('/profile/mfa', { password })).body.data.secret
  // the code of the step before is accepted too, and leaves the present one to be used
  const code = await generate({ secret, epoch: Math.floor(Date.now() / 1_000) - 30 })
  const { body } = await person.post('/profile/mfa/confirm', { code })
  return { person, secret, codes: body.data.recovery_codes }
}

const sessionsOf = async ({ userId }: PersonUnderTest) =>
  (
    await platform.query<{ n: number }>('select count(*)::int n from tokens where user_id = $1 and is_browser', [
      userId,
    ])
  ).rows[0]?.n

describe('signing in by a form', () => {
  test('leads by 303 to the account page, with a session in a cookie that scripts cannot read', async () => {
    const person = await aPerson()
    const visitor = new Visitor()
    const answer = await visitor.signIn(person.email, password)
    expect([answer.status, answer.location]).toEqual([303, '/app'])
    const cookie = [answer.headers['set-cookie'] ?? []].flat().find(each => each.startsWith('vedette='))
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax/)
    const { html, status } = await visitor.get('/account')
    expect(status).toBe(200)
    for (const said of [person.email, 'Mo Member', 'Owner', 'this browser']) expect(html).toContain(said)
    expect(await sessionsOf(person)).toBe(1)
  })

  test('goes on to a path of ours, and never to another site', async () => {
    const person = await aPerson()
    for (const [next, to] of [
      ['/account?ended', '/account?ended'],
      ['//evil.example', '/app'],
      ['/\\evil.example', '/app'],
      ['https://evil.example/', '/app'],
    ] as const) {
      expect((await new Visitor().signIn(person.email, password, next)).location, next).toBe(to)
      // as if the form itself had been changed
      const visitor = new Visitor()
      await visitor.get('/login')
      expect((await visitor.post('/login', { email: person.email, password, next })).location, next).toBe(to)
    }
  })

  test('answers an unknown address and a wrong password with the same bytes', async () => {
    const person = await aPerson()
    const shown = async (email: string) => {
      const visitor = new Visitor()
      const { status, html, headers } = await visitor.signIn(email, another)
      expect([status, visitor.isSignedIn]).toEqual([401, false])
      const names = Object.keys(headers).filter(name => name !== 'content-length')
      return [html.replaceAll(email, 'X').replace(/form_token" value="[^"]+/, ''), names]
    }
    expect(await shown(person.email)).toEqual(await shown('unknown@people.test'))
    expect((await shown(person.email))[0]).toContain('The address or the password is wrong.')
  })

  test('ends the session that the browser had, and never keeps its token', async () => {
    const person = await aPerson()
    const visitor = new Visitor()
    await visitor.signIn(person.email, password)
    const first = visitor.cookies.get('vedette')
    // the sign-in page of a person who is signed in goes on at once; a form that was open before still works
    expect((await visitor.get('/login')).location).toBe('/app')
    await visitor.get('/forgot')
    await visitor.post('/login', { email: person.email, password, next: '/account' })
    expect(visitor.cookies.get('vedette')).not.toBe(first)
    expect(await sessionsOf(person)).toBe(1)
  })

  test('shows the wait once there were too many attempts', async () => {
    const visitor = new Visitor()
    const answers = []
    for (let at = 0; at < 11; at++) answers.push(await visitor.signIn('someone@people.test', another))
    const refused = answers.at(-1)!
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.html).toMatch(/There were too many attempts\. Try again in \d+ (?:second|minute)s?\./)
  })

  test('refuses a form of another site, without a token, with the token of another browser, or too large', async () => {
    const person = await aPerson()
    const fields = { email: person.email, password, next: '/account' }
    const visitor = new Visitor('de')
    const cases: [Record<string, string>, Record<string, string>, number][] = [
      [fields, { 'Sec-Fetch-Site': 'cross-site' }, 403],
      [fields, { 'Sec-Fetch-Site': 'same-site' }, 403],
      [{ ...fields, form_token: '' }, {}, 403],
      [{ ...fields, form_token: 'x'.repeat(43) }, {}, 403],
      [fields, { Cookie: '' }, 403],
      [fields, { Cookie: `vedette-form=${'a'.repeat(43)}` }, 403],
      [{ ...fields, filler: 'x'.repeat(16_384) }, {}, 413],
      [fields, { 'Content-Type': 'text/plain' }, 415],
      [fields, { 'Content-Type': 'multipart/form-data; boundary=x' }, 415],
      [fields, { 'Content-Type': 'application/json' }, 415],
    ]
    for (const [sent, headers, status] of cases) {
      await visitor.get('/login')
      const answer = await visitor.post('/login', sent, headers)
      expect([answer.status, visitor.isSignedIn], JSON.stringify(headers)).toEqual([status, false])
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(answer.html).toContain('<html lang="de">')
    }
  })
})

describe('the second factor', () => {
  test('is asked for after the password, and there is no session before it', async () => {
    const { person, secret } = await withFactor()
    const visitor = new Visitor()
    expect((await visitor.signIn(person.email, password, '/account?x')).location).toBe('/login/second-factor')
    expect([visitor.isSignedIn, await sessionsOf(person)]).toEqual([false, 0])
    expect((await visitor.get('/account')).location).toBe('/login?next=/account')
    expect((await visitor.get('/login/second-factor')).html).toContain('autocomplete="one-time-code"')
    const wrong = await visitor.post('/login/second-factor', { code: '000000' })
    expect([wrong.status, visitor.isSignedIn]).toEqual([401, false])
    expect(wrong.html).toContain('This code is wrong or was used already.')
    const right = await visitor.post('/login/second-factor', { code: await generate({ secret }) })
    expect([right.status, right.location, visitor.isSignedIn]).toEqual([303, '/account?x', true])
    expect((await visitor.get('/account')).html).toContain('On, with 10 recovery codes left')
    // what was pending has ended
    expect((await visitor.get('/login/second-factor')).status).toBe(403)
  })

  test('may be a recovery code, once', async () => {
    const { person, codes } = await withFactor()
    for (const status of [303, 401]) {
      const visitor = new Visitor()
      await visitor.signIn(person.email, password)
      await visitor.get('/login/second-factor')
      expect((await visitor.post('/login/second-factor', { code: ` ${codes[0]?.toLowerCase()} ` })).status).toBe(status)
    }
  })

  test('is not asked for again in a browser that is to remember it', async () => {
    const { person, codes } = await withFactor()
    const visitor = new Visitor()
    await visitor.signIn(person.email, password)
    await visitor.get('/login/second-factor')
    await visitor.post('/login/second-factor', { code: codes[0] ?? '', trust: 'on' })
    expect(visitor.isSignedIn).toBe(true)
    await visitor.get('/logout')
    await visitor.post('/logout', {})
    expect((await visitor.signIn(person.email, password)).location).toBe('/app')
    expect((await new Visitor().signIn(person.email, password)).location).toBe('/login/second-factor')
  })

  test('cannot be left out by a request for a later step, nor with the cookie of another browser', async () => {
    const { person } = await withFactor()
    const [visitor, thief] = [new Visitor(), new Visitor()]
    await visitor.signIn(person.email, password)
    await visitor.get('/login/second-factor')
    expect((await visitor.get('/login/team')).location).toBe('/login/second-factor')
    await visitor.get('/login/second-factor')
    expect((await visitor.post('/login/team', { team: person.tenantId })).status).toBe(403)
    await thief.get('/login')
    thief.cookies.set('vedette-login', visitor.cookies.get('vedette-login') ?? '')
    expect((await thief.get('/login/second-factor')).status).toBe(403)
    expect(await sessionsOf(person)).toBe(0)
  })

  test('is over once the password has changed', async () => {
    const { person } = await withFactor()
    const visitor = new Visitor('de')
    await visitor.signIn(person.email, password)
    await platform.query(`update users set password_hash = 'another' where id = $1`, [person.userId])
    const { status, html } = await visitor.get('/login/second-factor')
    expect(status).toBe(403)
    expect(html).toContain('Diese Anmeldung hat zu lange gedauert.')
  })
})

describe('a person of several teams', () => {
  test('chooses one after signing in, and can enter no team of others', async () => {
    const [person, second, foreign] = [await aPerson(), await given.tenant(), await given.tenant()]
    await join(person.userId, second.tenantId, 'viewer')
    const visitor = new Visitor()
    expect((await visitor.signIn(person.email, password)).location).toBe('/login/team')
    expect(visitor.isSignedIn).toBe(false)
    const { html } = await visitor.get('/login/team')
    expect(html.match(/<button class="plain" name="team"/g)).toHaveLength(2)
    expect((await visitor.post('/login/team', { team: foreign.tenantId })).status).toBe(401)
    expect(visitor.isSignedIn).toBe(false)
    await visitor.get('/login/team')
    expect((await visitor.post('/login/team', { team: second.tenantId })).location).toBe('/app')
    expect((await visitor.get('/account')).html).toContain('Viewer')
  })
})

describe('signing out', () => {
  test('ends the session and its cookie; afterwards the account page leads to the sign-in page', async () => {
    const person = await aPerson()
    const visitor = new Visitor()
    await visitor.signIn(person.email, password)
    const token = visitor.cookies.get('vedette') ?? ''
    expect((await visitor.get('/logout')).html).toContain('Do you want to sign out')
    expect((await visitor.post('/logout', {}, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
    expect(visitor.isSignedIn).toBe(true)
    await visitor.get('/account')
    expect((await visitor.post('/logout', {})).location).toBe('/login?out')
    expect([visitor.isSignedIn, await sessionsOf(person)]).toEqual([false, 0])
    expect((await visitor.get('/login?out')).html).toContain('You are signed out.')
    visitor.cookies.set('vedette', token)
    expect((await visitor.get('/account')).location).toBe('/login?next=/account')
    // once more, with the cookie of a dead session
    await visitor.get('/logout')
    expect((await visitor.post('/logout', {})).status).toBe(303)
  })
})

describe('the account page', () => {
  test('ends one other session, or all others, and none of other people', async () => {
    const [person, stranger] = [await aPerson(), await aPerson()]
    const [here, there] = [new Visitor(), new Visitor()]
    await here.signIn(person.email, password)
    await there.signIn(person.email, password)
    const { rows } = await platform.query<{ id: string }>('select id from tokens where user_id = $1', [stranger.userId])
    const { html } = await here.get('/account')
    expect(html).not.toContain(rows[0]?.id)
    const ids = [...html.matchAll(/name="session" value="([\da-f-]{36})"/g)].map(match => match[1] ?? '')
    expect(ids).toHaveLength(2)
    expect((await here.post('/account/sessions', { session: rows[0]!.id })).status).toBe(303)
    expect((await stranger.get('/user')).status).toBe(200)
    await here.get('/account')
    expect((await here.post('/account/sessions', { session: 'no id' })).status).toBe(303)
    await here.get('/account')
    expect((await here.post('/account/sessions', { session: 'others' })).location).toBe('/account?ended')
    expect((await there.get('/account')).location).toBe('/login?next=/account')
    expect((await here.get('/account?ended')).html).toContain('The session has ended.')
  })

  test('of a session that is limited to its team shows no other sessions', async () => {
    const person = await aPerson()
    const visitor = new Visitor()
    await visitor.signIn(person.email, password)
    await platform.query('update tokens set is_locked = true where user_id = $1 and is_browser', [person.userId])
    await expect.poll(async () => (await visitor.get('/account')).html).toContain('limited to its team')
    expect(visitor.last?.html).not.toContain('name="session"')
    await visitor.post('/account/sessions', { session: 'others' })
    expect(visitor.last?.status).toBe(403)
  })
})

describe('setting up a second factor by forms', () => {
  test('asks for the password and a first code, and shows the recovery codes once', async () => {
    const person = await aPerson()
    const visitor = new Visitor()
    await visitor.get('/account/second-factor')
    expect(visitor.last?.location).toBe('/login?next=/account')
    await visitor.signIn(person.email, password)
    expect((await visitor.get('/account')).html).toContain('Off. <a href="/account/second-factor">')
    await visitor.get('/account/second-factor')
    const wrong = await visitor.post('/account/second-factor', { password: another })
    expect([wrong.status, wrong.html.includes('The password is wrong.')]).toEqual([422, true])
    const { html } = await visitor.post('/account/second-factor', { password })
    const secret = /name="secret" value="([A-Z2-7]+)"/.exec(html)?.[1] ?? ''
    const shown = { secret, otpauth_url: /name="otpauth_url" value="([^"]+)"/.exec(html)?.[1] ?? '' }
    const missed = await visitor.post('/account/second-factor/confirm', { ...shown, code: '000000' })
    expect([missed.status, missed.html.includes(secret)]).toEqual([422, true])
    const done = await visitor.post('/account/second-factor/confirm', { ...shown, code: await generate({ secret }) })
    expect(done.html.match(/<li><code>[A-Z2-9-]+<\/code>/g)).toHaveLength(10)
    expect((await visitor.get('/account')).html).toContain('On, with 10 recovery codes left')
    await visitor.get('/account/second-factor')
    expect((await visitor.post('/account/second-factor', { password })).html).toContain(
      'The second factor is on already.',
    )
  })

  test('is all that a person can do whose team requires one, until it is done', async () => {
    const person = await aPerson()
    await platform.query(
      `insert into security_policies (tenant_id, mfa_required_at, mfa_grace_days)
       values ($1, now() - interval '1 day', 0)`,
      [person.tenantId],
    )
    const visitor = new Visitor()
    await visitor.signIn(person.email, password)
    const { status, html } = await visitor.get('/account')
    expect([status, html.includes('Your team requires a second factor.')]).toEqual([200, true])
    expect(html).not.toContain('name="session"')
    await visitor.get('/account/second-factor')
    const begun = await visitor.post('/account/second-factor', { password })
    const secret = /name="secret" value="([A-Z2-7]+)"/.exec(begun.html)?.[1] ?? ''
    await visitor.post('/account/second-factor/confirm', { code: await generate({ secret }) })
    await expect.poll(async () => (await visitor.get('/account')).html).toContain('On, with 10 recovery codes left')
  })
})

describe('a forgotten password', () => {
  test('brings a mail to an account, and the same page for an unknown address', async () => {
    const person = await aPerson()
    const ask = async (email: string) => {
      const visitor = new Visitor()
      await visitor.get('/forgot')
      const { status, html } = await visitor.post('/forgot', { email })
      return [status, html]
    }
    expect(await ask(person.email)).toEqual(await ask('unknown@people.test'))
    const mails = await mailsOf(person)
    expect(mails.map(({ type }) => type)).toContain('password_reset')
    expect((await ask('no address'))[0]).toBe(422)
    expect((await ask('no address'))[1]).toContain('aria-invalid="true"')
  })
})

describe('every page', () => {
  test('is stored nowhere, framed nowhere, and takes script and style from us alone', async () => {
    const person = await aPerson()
    const visitor = new Visitor()
    const pages = ['/login', '/login/second-factor', '/login/team', '/forgot', '/logout', '/account']
    for (const isIn of [false, true]) {
      if (isIn) await visitor.signIn(person.email, password)
      for (const path of pages) {
        const { headers, html } = await visitor.get(path)
        expect([headers['cache-control'], headers['cross-origin-opener-policy']], path).toEqual([
          'no-store',
          'same-origin',
        ])
        expect(headers['referrer-policy'], path).toBe('same-origin')
        if (html === '') continue
        expect(headers['content-security-policy'], path).toMatch(
          /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; .*frame-ancestors 'none'/,
        )
        expect(html, path).not.toMatch(/<style|style=|<script>|\son\w+=/)
      }
    }
  })

  test('is not shown to a foreign Host, and leads it nowhere', async () => {
    for (const host of ['evil.example', 'evil.example:80', 'localhost.evil.example', 'x"><script>']) {
      const { status, html, location } = await new Visitor().get('/login', { Host: host })
      expect([status, location], host).toEqual([421, null])
      expect(html, host).not.toMatch(/evil\.example|script|Vedette/)
    }
    expect((await new Visitor().get('/login', { Host: '[::1]' })).html).toContain('Sign in to Vedette')
  })
})
