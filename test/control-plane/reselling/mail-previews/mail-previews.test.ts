import { expect, test } from 'vitest'
import { mails } from '#contract/mails.ts'
import { given } from '#test/support/app.ts'

const types = [...Object.keys(mails), 'dns_changed']

test.each(['en', 'de'])('every type of e-mail is previewed in the reseller’s brand: %s', async language => {
  const reseller = await given.reseller({ scopes: ['portal:read', 'portal:write', 'branding:write'] })
  await reseller.patch('/branding', { brand_name: 'Hoster & Sons', primary_color: '#1f6feb', hide_powered_by: true })
  for (const type of types) {
    const { status, body } = await reseller.get(`/reseller/mail-previews/${type}?language=${language}`)
    expect([type, status]).toEqual([type, 200])
    expect(body.data).toMatchObject({ type, language })
    for (const part of ['description', 'subject', 'text', 'html']) expect(body.data[part], type).toBeTruthy()
    expect(body.data.html, type).toContain('Hoster &amp; Sons')
    expect(body.data.text, type).toContain('Hoster & Sons')
    expect(body.data.html, type).not.toMatch(/<script|Vedette|undefined|\[object/)
    expect(body.data.text, type).not.toMatch(/Vedette|undefined|\[object/)
  }
})

test('as a page it runs nothing and is shown in frames of its own origin alone', async () => {
  const reseller = await given.reseller({ scopes: ['portal:read'] })
  const { status, headers, text } = await reseller.get('/reseller/mail-previews/incident_created/html')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(headers.get('cache-control')).toBe('private, no-store')
  const policy = headers.get('content-security-policy')
  for (const rule of ["default-src 'none'", "frame-ancestors 'self'", 'sandbox']) expect(policy).toContain(rule)
  const { body } = await reseller.get('/reseller/mail-previews/incident_created')
  expect(text).toBe(body.data.html)
})

test.each([
  ['/reseller/mail-previews/no_such_mail', 404, []],
  ['/reseller/mail-previews/no_such_mail/html', 404, []],
  ['/reseller/mail-previews/incident_created?language=fr', 422, ['language']],
])('%s is refused', async (path, status, fields) => {
  const reseller = await given.reseller({ scopes: ['portal:read'] })
  const answer = await reseller.get(path)
  expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([status, fields])
})

test('needs the scope of the portal', async () => {
  const reseller = await given.reseller({ scopes: ['webhooks:read'] })
  expect((await reseller.get('/reseller/mail-previews/incident_created')).status).toBe(403)
  const team = await given.tenant()
  expect((await team.get('/reseller/mail-previews/incident_created')).status).toBe(403)
})
