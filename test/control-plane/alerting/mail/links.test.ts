import { describe, expect, test } from 'vitest'
import { type MailData, type MailType, mails, mailTypes } from '#contract/mails.ts'
import { effectiveLimits } from '#contract/plans.ts'
import { sendDue } from '#control-plane/alerting/digest/due.ts'
import { digests } from '#control-plane/alerting/digest/send.ts'
import { brandOf } from '#control-plane/alerting/mail/brand.ts'
import { renderMail } from '#control-plane/alerting/mail/render.ts'
import { pages } from '#control-plane/identity/pages/pages.ts'
import { effectiveBranding } from '#control-plane/tenancy/branding/effective.ts'
import { unset } from '#control-plane/tenancy/branding/fields.ts'
import { languages } from '#locales/languages.ts'
import { texts } from '#locales/texts.ts'
import { mailsOf } from '#test/control-plane/identity/mails.ts'
import { anAddress, aPerson, password } from '#test/control-plane/identity/people.ts'
import { app, given } from '#test/support/app.ts'

const brand = brandOf(effectiveBranding(unset, effectiveLimits('pro', {}), null))
const { ip } = given.stranger()
const ask = (url: string, init: RequestInit = {}) =>
  fetch(app.baseUrl + url.slice(new URL(url).origin.length), {
    redirect: 'manual',
    ...init,
    headers: { 'X-Forwarded-For': ip, ...init.headers },
  })

/** Every address in a mail that leads to this installation, including those that mail programs call. */
function linksOf(type: MailType, data: MailData, origin: string): string[] {
  const links = languages.flatMap(language => {
    const { html, text, headers } = renderMail(type, data, { language, brand })
    return (
      `${html.replaceAll('&amp;', '&')} ${text} ${Object.values(headers).join(' ')}`.match(/https?:\/\/[^\s"<>]+/g) ??
      []
    )
  })
  return [...new Set(links)].filter(link => link.startsWith(origin))
}

/** Pages whose link no mail has: the first start prints it. */
const printed = new Set(['/setup'])
/** Pages of people who are signed in. */
const isSignedIn = new Set(['/account', '/app/welcome'])

describe('the links in mails', () => {
  test('of every mail all lead to an existing page', async () => {
    const found = mailTypes
      .flatMap(type =>
        linksOf(type, mails[type].schema.parse(mails[type].example) as MailData, 'https://status.example.com/').map(
          link => ({ type, link }),
        ),
      )
      .filter(({ link }) => !link.includes('/status/')) // those of teams: their own tests open them
    const paths = new Set(found.map(({ link }) => new URL(link).pathname))
    expect([...paths].filter(path => !path.startsWith('/api/') && !path.startsWith('/app/')).sort()).toEqual(
      [
        ...pages.map(({ path }) => path).filter(path => !printed.has(path)),
        '/forgot',
        '/login',
        '/login/link/open',
      ].sort(),
    )
    expect(paths.size).toBeGreaterThan(pages.length - printed.size + 2)
    for (const { type, link } of found) {
      const isCalled = link.includes('/api/')
      const answer = await ask(link, { method: isCalled ? 'POST' : 'GET' })
      // the app leads to the sign-in page
      const expected = isCalled ? 422 : link.includes('/app/') ? 303 : 200
      expect([type, link, answer.status]).toEqual([type, link, expected])
    }
  })

  test('lead to pages that post their token to the right endpoint', async () => {
    const person = await aPerson()
    const email = anAddress()
    await person.post('/invitations', { email, role: 'viewer' })
    await given.stranger().post('/auth/password/forgot', { email: person.email })
    await person.patch('/profile', { digest: 'daily' })
    await person.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/' })
    await app.services.platform.query('update users set digest_at = clock_timestamp() where id = $1', [person.userId])
    await sendDue(app.services, digests)
    const links = new Map(
      (await mailsOf(person)).map(({ type, data }) => [
        type,
        data.accept_url ?? data.reset_url ?? data.unsubscribe_url,
      ]),
    )
    const fields: Record<string, object> = {
      invitation: { name: 'Nia New', password },
      password_reset: { password: 'a quite different passphrase 9' },
      digest: {},
    }
    for (const [type, fill] of Object.entries(fields)) {
      const { hash, pathname } = new URL(links.get(type))
      const html = await (await ask(links.get(type))).text()
      const page = pages.find(({ path }) => path === pathname)
      expect(html, type).toContain(`<form action="${page?.postsTo}"`)
      expect([...html.matchAll(/<input [^>]*name="(\w+)"/g)].map(([, name]) => name)).toEqual(
        expect.arrayContaining(Object.keys(fill)),
      )
      const token = hash.slice(1)
      const path = page?.postsTo.replace('/api/v1', '') ?? ''
      const answer = await given
        .stranger()
        .post(
          page?.tokenIn === 'query' ? `${path}?token=${token}` : path,
          page?.tokenIn === 'query' ? {} : { token, ...fill },
        )
      expect(answer.status, `${type} ${answer.text}`).toBeLessThan(300)
    }
  })

  test('lead to pages in the reader’s language, without requests to other hosts, which no frame may show', async () => {
    for (const { path } of pages) {
      const [en, de] = [texts('pages', 'en').links[path], texts('pages', 'de').links[path]]
      const [english, german, french] = await Promise.all(
        ['en-GB', 'de-AT,de;q=0.9', 'fr'].map(language =>
          ask(`http://x${path}`, { headers: { 'Accept-Language': language } }),
        ),
      )
      expect(english!.headers.get('content-type')).toContain('text/html')
      expect(english!.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
      for (const [answer, words] of [
        [english, en],
        [german, de],
        [french, en],
      ] as const) {
        const html = await answer!.text()
        for (const text of Object.values(words)) if (typeof text === 'string') expect(html).toContain(text)
        // who is signed in by no cookie is led on to the sign-in page
        for (const [, file = ''] of html.matchAll(/(?:src|href)="([^"]*)"/g))
          expect((await ask(`http://x${file}`)).status, file).toBe(isSignedIn.has(file) ? 303 : 200)
      }
    }
    expect((await ask('http://x/password-reset', { method: 'POST' })).status).toBe(405)
  })
})
