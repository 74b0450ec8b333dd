import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { until } from '#cli/local/loopback.ts'
import { rateLimits } from '#control-plane/http/rate.ts'
import { longestSubscription } from '#control-plane/publishing/status-pages/site/subscribe-form.ts'
import { mailsOf } from '#test/control-plane/identity/mails.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { addTo } from './pages.ts'
import { aPublished, visit } from './served.ts'

const { platform } = app.services
const anAddress = () => `${randomUUID()}@example.com`
const subscribers = async (owner: CallerUnderTest, page: { id: string }) =>
  (await owner.get(`/status-pages/${page.id}/subscribers`)).body.data
const aPart = (owner: CallerUnderTest, page: { id: string }, name: string) =>
  addTo(owner, `${page.id}/components`, { name, type: 'static', static_status: 'operational' })

describe('the page by which visitors subscribe', () => {
  test('is linked, and takes an address of mail with components, in the language of the reader', async () => {
    const owner = await given.tenant()
    const page = await aPublished(owner, { locales: ['en', 'de'] })
    const [first] = [await aPart(owner, page, 'Orders <b>'), await aPart(owner, page, 'Search')]
    const at = `/status/${page.slug}/subscribe`
    expect((await visit(`/status/${page.slug}?lang=de`)).text).toContain(`href="${at}?lang=de"`)
    const form = await visit(`${at}?lang=de`)
    expect(form.status).toBe(200)
    expect(form.text).toContain(`<form method="post" action="${at}?lang=de">`)
    expect(form.text).toContain('Orders &lt;b&gt;')
    expect(form.headers['content-security-policy']).toMatch(/form-action 'self'/)
    expect(form.headers['content-security-policy']).not.toMatch(/script-src/)
    const address = anAddress()
    const answer = await visit(`${at}?lang=de`, { form: { email: ` ${address} `, component: first.id } })
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('Abonnement bestätigen')
    expect(answer.headers['cache-control']).toBe('private, no-store')
    const again = await visit(`${at}?lang=de`, { form: { email: address } })
    expect(again.text).toBe(answer.text)
    expect(await subscribers(owner, page)).toMatchObject([
      { address, channel: 'email', state: 'pending', source: 'self', locale: 'de', component_ids: [first.id] },
    ])
  })

  test('takes the address of a webhook and of Slack', async () => {
    const owner = await given.tenant()
    const page = await aPublished(owner)
    const at = `/status/${page.slug}/subscribe`
    for (const url of ['https://example.com/hook', 'https://hooks.slack.com/services/T0/B0/x'])
      expect((await visit(at, { form: { email: '', url } })).status, url).toBe(200)
    const channels = (await subscribers(owner, page)).map(({ channel }: { channel: string }) => channel)
    expect(channels.sort()).toEqual(['slack', 'webhook'])
  })

  test('says at its field what is wrong, keeps what was entered, and makes no subscription', async () => {
    const owner = await given.tenant()
    const page = await aPublished(owner)
    await aPart(owner, page, 'Orders')
    const at = `/status/${page.slug}/subscribe`
    const wrong: [form: Record<string, string>, says: RegExp][] = [
      [{}, /id="email"[^>]*aria-invalid="true"[^>]*>\n<p id="problem"[^>]*>Enter an e-mail address\./],
      [{ email: 'a"><b>@x' }, /value="a&#34;&gt;&lt;b&gt;@x" aria-invalid="true"/],
      [{ email: 'a@example.com', url: 'https://example.com/' }, /<details[^>]* open>.*Enter either/s],
      [{ url: 'http://127.0.0.1/hook' }, /value="http:\/\/127.0.0.1\/hook" aria-invalid="true"/],
      [{ url: 'javascript:alert(1)' }, /This is no address of a webhook/],
      [{ email: 'a@example.com', component: randomUUID() }, /<fieldset aria-describedby="problem">/],
      [{ email: 'a@example.com', component: 'x' }, /The components of this page have changed/],
    ]
    for (const [form, says] of wrong) {
      const { status, text } = await visit(at, { form })
      expect(status, JSON.stringify(form)).toBe(422)
      expect(text).toMatch(says)
    }
    expect((await visit(at, { form: { email: 'x'.repeat(longestSubscription) } })).status).toBe(413)
    expect(await subscribers(owner, page)).toEqual([])
  })

  test('is throttled together with the API, by the address of the visitor', async () => {
    const owner = await given.tenant()
    const page = await aPublished(owner)
    const stranger = given.stranger()
    for (let times = 0; times < rateLimits.subscribe; times++)
      await stranger.post(`/status/${page.slug}/subscribe`, { address: anAddress() })
    const { status, headers } = await visit(`/status/${page.slug}/subscribe`, {
      ip: stranger.ip,
      form: { email: anAddress() },
    })
    expect(status).toBe(429)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(await subscribers(owner, page)).toHaveLength(rateLimits.subscribe)
  })

  test('of a private page is for those who have shown that they may read it', async () => {
    const owner = await given.tenant()
    const page = await aPublished(owner, { name: 'Secret name', access: 'password', password: 'correct horse' })
    const at = `/status/${page.slug}/subscribe`
    for (const answer of [await visit(at), await visit(at, { form: { email: anAddress() } })]) {
      expect(answer.status).toBe(401)
      expect(answer.text).not.toContain('Secret')
    }
    expect(await subscribers(owner, page)).toEqual([])
    const entered = await visit(`/status/${page.slug}/access`, { form: { password: 'correct horse' } })
    const Cookie = String(entered.headers['set-cookie']).split(';')[0]!
    expect((await visit(`/status/${page.slug}`, { headers: { Cookie } })).text).toContain(`href="${at}"`)
    const form = await visit(at, { headers: { Cookie } })
    expect(form.text).toContain('<form')
    expect(form.headers['cache-control']).toBe('private, no-store')
    expect((await visit(at, { headers: { Cookie }, form: { email: anAddress() } })).status).toBe(200)
    expect(await subscribers(owner, page)).toHaveLength(1)
  })

  test('of a page for e-mail domains takes addresses of those alone, and offers no webhook', async () => {
    const owner = await given.tenant()
    const page = await aPublished(owner, { access: 'email_domain', allowed_email_domains: ['example.com'] })
    await visit(`/status/${page.slug}/access`, { form: { email: 'pat@example.com' } })
    const mail = (await mailsOf(owner)).find(({ type }) => type === 'status_page_access')
    const { pathname, search } = new URL(mail!.data.access_url)
    const Cookie = String((await visit(pathname + search)).headers['set-cookie']).split(';')[0]!
    const at = `/status/${page.slug}/subscribe`
    expect((await visit(at, { headers: { Cookie } })).text).not.toContain('name="url"')
    const forms: Record<string, string>[] = [
      { email: 'pat@evil.test' },
      { url: 'https://example.com/hook' },
      { email: anAddress() },
    ]
    const statuses = []
    for (const form of forms) statuses.push((await visit(at, { headers: { Cookie }, form })).status)
    expect(statuses).toEqual([422, 422, 200])
    expect(await subscribers(owner, page)).toHaveLength(1)
  })

  test('of a page for some addresses is none for others, and takes those', async () => {
    const owner = await given.tenant()
    const page = await aPublished(owner, { access: 'ip', allowed_ips: ['198.51.100.0/28'] })
    const at = `/status/${page.slug}/subscribe`
    expect((await visit(at, { form: { email: anAddress() } })).status).toBe(404)
    expect((await visit(at, { form: { email: anAddress() }, ip: '198.51.100.7' })).status).toBe(200)
    expect(await subscribers(owner, page)).toHaveLength(1)
  })

  test('is none where the plan has no subscribers or the team is suspended, and says where it has no room', async () => {
    const none = await given.tenant({ overrides: { subscribers: 0 } })
    const closed = await aPublished(none)
    const at = `/status/${closed.slug}/subscribe`
    expect((await visit(`/status/${closed.slug}`)).text).not.toContain(at)
    expect((await visit(at)).status).toBe(404)
    expect((await visit(at, { form: { email: anAddress() } })).status).toBe(404)
    const suspended = await given.tenant()
    const quiet = await aPublished(suspended)
    await platform.query('update tenants set suspended_at = now() where id = $1', [suspended.tenantId])
    expect((await visit(`/status/${quiet.slug}/subscribe`)).status).toBe(404)
    const one = await given.tenant({ overrides: { subscribers: 1 } })
    const full = await aPublished(one)
    const known = { address: anAddress(), confirmed: true }
    expect((await one.post(`/status-pages/${full.id}/subscribers`, known)).status).toBe(201)
    const refused = await visit(`/status/${full.slug}/subscribe`, { form: { email: anAddress() } })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('takes no more subscribers')
  })

  test('is at the root of a custom domain, and posts to that domain', async () => {
    const owner = await given.tenant()
    const page = await aPublished(owner)
    const hostname = `status.${randomUUID()}.example.com`
    await platform.query(
      `insert into custom_domains (id, tenant_id, hostname, purpose, target_id, state, txt_token)
       values (gen_random_uuid(), $1, $2, 'status_page', $3, 'verified', 'x')`,
      [owner.tenantId, hostname, page.id],
    )
    await platform.query('notify custom_domains')
    const headers = { Host: hostname }
    const isServed = async () => (await visit('/subscribe', { headers })).status === 200
    expect(await until(isServed, { withinMs: 5_000, everyMs: 50 })).toBe(true)
    expect((await visit('/subscribe', { headers })).text).toContain('<form method="post" action="/subscribe">')
    expect((await visit('/subscribe', { headers, form: { email: anAddress() } })).status).toBe(200)
    expect(await subscribers(owner, page)).toHaveLength(1)
  })
})
