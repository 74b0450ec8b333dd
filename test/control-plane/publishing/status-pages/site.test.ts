import { randomUUID } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { request } from 'undici'
import { describe, expect, test } from 'vitest'
import { until } from '#cli/local/loopback.ts'
import { mailsOf } from '#test/control-plane/identity/mails.ts'
import { aMonitor, minutesAgo, verdicts } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { addTo } from './pages.ts'
import { aPublished, visit } from './served.ts'

const { platform } = app.services

/** A zone in which it is noon now, so that hours ago are of the same day. */
function zoneAtNoon(): string {
  const ahead = 12 - new Date(app.services.clock.nowMs()).getUTCHours()
  return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

describe('a former address of a page', () => {
  const renamed = async (owner: CallerUnderTest, fields: Record<string, unknown> = {}) => {
    const page = await aPublished(owner, fields)
    const [second, third] = [`second-${randomUUID()}`, `third-${randomUUID()}`]
    for (const slug of [second, third]) await owner.patch(`/status-pages/${page.id}`, { slug })
    return { ...page, second, third }
  }
  const leads = (slug: string) =>
    until(async () => (await visit(`/status/${slug}`)).status === 307, { withinMs: 2_000, everyMs: 20 })

  test('leads to its present one, with all that is below it', async () => {
    const owner = await given.tenant()
    const page = await renamed(owner)
    for (const former of [page.slug, page.second]) {
      await leads(former)
      for (const rest of ['', '/', '/badge.svg', '/feed.atom', '/api/v2/summary.json', '/history?month=2026-11']) {
        const { status, text, headers } = await visit(`/status/${former}${rest}`)
        expect([status, text, headers.location], rest).toEqual([307, '', `/status/${page.third}${rest}`])
        expect(headers['access-control-allow-origin'], rest).toBe('*')
      }
      const sent = await visit(`/status/${former}/subscribe`, { form: { address: 'a@example.com' } })
      expect([sent.status, sent.headers.location]).toEqual([307, `/status/${page.third}/subscribe`])
      const address = `${randomUUID()}@example.com`
      expect((await given.stranger().post(`/status/${former}/subscribe`, { address })).status).toBe(202)
    }
    expect((await visit(`/status/${page.third}`)).status).toBe(200)
  })

  test('leads nowhere once the page is withdrawn or deleted, and to a new page that takes it', async () => {
    const owner = await given.tenant()
    const page = await renamed(owner)
    const missing = async (slug: string) =>
      until(async () => (await visit(`/status/${slug}`)).status === 404, { withinMs: 2_000, everyMs: 20 })
    await leads(page.slug)
    await owner.patch(`/status-pages/${page.id}`, { state: 'draft' })
    await missing(page.slug)
    await owner.patch(`/status-pages/${page.id}`, { state: 'published' })
    await leads(page.slug)
    await aPublished(owner, { slug: page.slug, name: 'Another' })
    await until(async () => (await visit(`/status/${page.slug}`)).text.includes('Another'), {
      withinMs: 2_000,
      everyMs: 20,
    })
    await leads(page.second)
    await owner.delete(`/status-pages/${page.id}`)
    for (const slug of [page.second, page.third]) await missing(slug)
  })

  test('of a page for addresses does not exist for others', async () => {
    const owner = await given.tenant()
    const page = await renamed(owner, { access: 'ip', allowed_ips: ['192.0.2.0/24'] })
    await until(async () => (await visit(`/status/${page.slug}`, { ip: '192.0.2.7' })).status === 307, {
      withinMs: 2_000,
      everyMs: 20,
    })
    const { status, headers } = await visit(`/status/${page.slug}`, { ip: '198.51.100.7' })
    expect([status, headers.location]).toEqual([404, undefined])
  })
})

describe('GET /status/{slug}', () => {
  test('shows name, components with their status and uptime, and says how long it may be cached', async () => {
    const owner = await given.tenant()
    const monitor = await aMonitor(owner, { status: 'down' })
    await verdicts(owner, monitor, [
      [minutesAgo(120), 'up'],
      [minutesAgo(60), 'down'],
    ])
    const page = await aPublished(owner, { description: 'All of it.', timezone: zoneAtNoon() })
    await addTo(owner, `${page.id}/components`, { name: 'Shop', type: 'monitor', monitor_id: monitor.id })
    const { status, text, headers } = await visit(`/status/${page.slug}`)
    expect(status).toBe(200)
    expect(text).toContain('<title>Major outage · Acme</title>')
    expect(text).toContain('All of it.')
    expect(text).toMatch(/<h3>Shop<\/h3>/)
    // half of two hours; the page may have been read a moment after the verdicts
    expect(text).toMatch(/(49|50)(\.\d+)?\u00a0% uptime/)
    expect(text).toMatch(/<th scope="row">\d+ \w+<td>[\d.]+\u00a0%<td>1\u00a0h/)
    expect(headers['cache-control']).toBe(
      'public, max-age=15, s-maxage=30, stale-while-revalidate=60, stale-if-error=86400',
    )
    expect(String(headers['content-security-policy'])).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(headers.vary).toBe('Accept-Encoding, Accept-Language')
  })

  test('is in the language of the reader, or that of the address', async () => {
    const owner = await given.tenant()
    const both = { locales: ['en', 'de'], texts: { de: { name: 'Acme auf Deutsch' } } }
    const page = await aPublished(owner, both)
    const german = await visit(`/status/${page.slug}`, { headers: { 'Accept-Language': 'fr, de-AT;q=0.8, en;q=0.5' } })
    expect(german.text).toContain('<html lang="de">')
    expect(german.text).toContain('Acme auf Deutsch')
    expect((await visit(`/status/${page.slug}?lang=en`, { headers: { 'Accept-Language': 'de' } })).text).toContain(
      '<html lang="en">',
    )
    const english = await aPublished(owner)
    expect((await visit(`/status/${english.slug}?lang=de`, { headers: { 'Accept-Language': 'de' } })).text).toContain(
      '<html lang="en">',
    )
  })

  test('is answered 304 to a reader that has it, and compressed to one that takes it', async () => {
    const owner = await given.tenant()
    const page = await aPublished(owner)
    const first = await visit(`/status/${page.slug}`)
    const headers = { 'If-None-Match': String(first.headers.etag) }
    expect((await visit(`/status/${page.slug}`, { headers })).status).toBe(304)
    // a script cannot read the headers of its own page: the tag is in it
    expect(first.text).toContain(`data-tag="${String(first.headers.etag).replaceAll('"', '&quot;')}"`)
    const packed = await request(`${app.baseUrl}/status/${page.slug}`, { headers: { 'Accept-Encoding': 'gzip' } })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(Buffer.from(await packed.body.arrayBuffer())).toString()).toBe(first.text)
  })

  test('shows an update of an incident within two seconds', async () => {
    const owner = await given.tenant()
    const page = await aPublished(owner)
    expect((await visit(`/status/${page.slug}`)).text).not.toContain('Slow answers')
    const started = performance.now()
    const posted = await addTo(owner, `${page.id}/posts`, {
      title: 'Slow answers',
      impact: 'minor',
      body: 'We **see** it.',
    })
    await until(async () => (await visit(`/status/${page.slug}`)).text.includes('We <strong>see</strong> it.'), {
      withinMs: 2_000,
      everyMs: 20,
    })
    expect(performance.now() - started).toBeLessThan(2_000)
    const own = await visit(`/status/${page.slug}/incidents/${posted.id}`)
    expect(own.text).toContain('<h1>Slow answers</h1>')
    const month = new Date(app.services.clock.nowMs()).toISOString().slice(0, 7)
    expect((await visit(`/status/${page.slug}/history?month=${month}`)).text).toContain('Slow answers')
    for (const path of ['/history?month=2019-01', '/history?month=x', `/incidents/${crypto.randomUUID()}`])
      expect((await visit(`/status/${page.slug}${path}`)).status).toBe(404)
  })

  test('of a draft, an unknown page and one of a deleted team is the same 404, also right after the change', async () => {
    const owner = await given.tenant()
    const page = await aPublished(owner)
    const unknown = await visit(`/status/p-${crypto.randomUUID()}`)
    expect(unknown.status).toBe(404)
    expect((await visit(`/status/${page.slug}`)).status).toBe(200)
    await owner.patch(`/status-pages/${page.id}`, { state: 'draft' })
    await until(async () => (await visit(`/status/${page.slug}`)).status === 404, { withinMs: 2_000, everyMs: 20 })
    expect((await visit(`/status/${page.slug}`)).text).toBe(unknown.text)
    await owner.patch(`/status-pages/${page.id}`, { state: 'published' })
    await until(async () => (await visit(`/status/${page.slug}`)).status === 200, { withinMs: 2_000, everyMs: 20 })
    await platform.query('update tenants set deleted_at = now() where id = $1', [owner.tenantId])
    await platform.query('update status_pages set content_changed_at = now() where id = $1', [page.id])
    await until(async () => (await visit(`/status/${page.slug}`)).status === 404, { withinMs: 2_000, everyMs: 20 })
    for (const slug of ['A', 'a'.repeat(64), 'x_y', '-x'])
      expect((await visit(`/status/${slug}`)).status, slug).toBe(404)
  })

  test('under a host that is not ours gives nothing', async () => {
    const owner = await given.tenant()
    const page = await aPublished(owner)
    const { status, text } = await visit(`/status/${page.slug}`, { headers: { Host: 'evil.example' } })
    expect(status).toBe(404)
    expect(text).not.toContain('Acme')
  })
})

test('a custom domain has its page at its root and nothing of others, and links that stay on it', async () => {
  const owner = await given.tenant()
  const [page, other] = [await aPublished(owner, { locales: ['en', 'de'] }), await aPublished(owner)]
  const hostname = `status.${crypto.randomUUID()}.example.com`
  await platform.query(
    `insert into custom_domains (id, tenant_id, hostname, purpose, target_id, state, txt_token)
     values (gen_random_uuid(), $1, $2, 'status_page', $3, 'verified', 'x')`,
    [owner.tenantId, hostname, page.id],
  )
  await platform.query('notify custom_domains')
  const at = (path: string) => visit(path, { headers: { Host: hostname } })
  // until the process knows the domain, it answers with the start page of the installation
  const isKnown = async () => (await at('/feed.atom')).status === 200
  expect(await until(isKnown, { withinMs: 5_000, everyMs: 50 })).toBe(true)
  const { text } = await at('/?lang=de')
  expect(text).toContain('href="/history?lang=de"')
  expect(text).toContain('href="/feed.atom"')
  expect(text).not.toContain(`href="/status/`)
  expect((await at('/api/v2/summary.json')).status).toBe(200)
  for (const path of [`/status/${page.slug}`, `/status/${other.slug}`, '/api/v1/monitors', '/app'])
    expect((await at(path)).status, path).toBe(404)
})

describe('what machines read of a page', () => {
  test('is JSON in the form of Statuspage, feeds, a calendar and a badge', async () => {
    const owner = await given.tenant()
    const page = await aPublished(owner)
    const { id } = await addTo(owner, `${page.id}/components`, {
      name: 'API',
      type: 'static',
      static_status: 'partial_outage',
    })
    const summary = await visit(`/status/${page.slug}/api/v2/summary.json`)
    expect(summary.headers['access-control-allow-origin']).toBe('*')
    const read = JSON.parse(summary.text)
    expect(read.status).toEqual({ indicator: 'major', description: 'Partial outage' })
    expect(read.page).toMatchObject({ id: page.id, name: 'Acme' })
    expect(read.components).toMatchObject([{ id, name: 'API', status: 'partial_outage', group: false }])
    for (const name of ['status', 'components', 'incidents', 'scheduled-maintenances'])
      expect(JSON.parse((await visit(`/status/${page.slug}/${name}.json`)).text).page.id).toBe(page.id)
    for (const name of ['feed.atom', 'feed.rss']) {
      const feed = await visit(`/status/${page.slug}/${name}`)
      expect(XMLValidator.validate(feed.text), name).toBe(true)
      expect(JSON.stringify(new XMLParser().parse(feed.text))).toContain('Acme')
    }
    expect((await visit(`/status/${page.slug}/maintenance.ics`)).text).toMatch(/^BEGIN:VCALENDAR/)
    const badge = await visit(`/status/${page.slug}/badge.svg`)
    expect(badge.headers['content-type']).toBe('image/svg+xml')
    expect(badge.text).toContain('partial outage')
    expect(badge.text).not.toContain('Acme')
  })
})

const paths = ['', '/history', '/summary.json', '/status.json', '/components.json', '/incidents.json', '/feed.atom']
const morePaths = [
  '/feed.rss',
  '/maintenance.ics',
  '/subscribe',
  '/badge.svg',
  '/scheduled-maintenances.json',
  '/api/v2/summary.json',
]

describe('a private page', () => {
  test('is opened by its password and nothing else, in all its forms', async () => {
    const owner = await given.tenant()
    const page = await aPublished(owner, { name: 'Secret name', access: 'password', password: 'correct horse' })
    await addTo(owner, `${page.id}/components`, { name: 'Hidden part', type: 'static', static_status: 'operational' })
    for (const path of [...paths, ...morePaths]) {
      const { status, text, headers } = await visit(`/status/${page.slug}${path}`)
      expect(status, path).toBe(401)
      expect(text, path).not.toMatch(/Secret|Hidden|Vedette/)
      expect(headers['cache-control']).toBe('private, no-store')
    }
    const at = `/status/${page.slug}/access`
    const wrong = await visit(at, { form: { password: 'wrong' } })
    expect(wrong.status).toBe(401)
    expect(wrong.headers['set-cookie']).toBeUndefined()
    const right = await visit(at, { form: { password: 'correct horse' } })
    expect(right.status).toBe(303)
    expect(right.headers.location).toBe(`/status/${page.slug}`)
    const [cookie = '', ...flags] = String(right.headers['set-cookie']).split('; ')
    expect(flags).toEqual([`Path=/status/${page.slug}`, 'Max-Age=2592000', 'HttpOnly', 'SameSite=Lax'])
    for (const path of ['', '/summary.json', '/feed.atom']) {
      const { status, text, headers } = await visit(`/status/${page.slug}${path}`, { headers: { Cookie: cookie } })
      expect(status).toBe(200)
      expect(text).toContain('Secret name')
      expect(headers['cache-control']).toBe('private, no-store')
    }
    const other = await aPublished(owner, { access: 'password', password: 'correct horse' })
    for (const forged of [cookie.slice(0, -1), cookie.replace(/=\d+/, '=9999999999'), `x${cookie}`])
      expect((await visit(`/status/${page.slug}`, { headers: { Cookie: forged } })).status).toBe(401)
    expect((await visit(`/status/${other.slug}`, { headers: { Cookie: cookie } })).status).toBe(401)
    await owner.patch(`/status-pages/${page.id}`, { password: 'another password' })
    await until(async () => (await visit(`/status/${page.slug}`, { headers: { Cookie: cookie } })).status === 401, {
      withinMs: 2_000,
      everyMs: 20,
    })
  })

  test('refuses more than ten attempts a minute of one address, and a form that is too long', async () => {
    const owner = await given.tenant()
    const page = await aPublished(owner, { access: 'password', password: 'correct horse' })
    const { ip } = given.stranger()
    const statuses: number[] = []
    for (let n = 0; n < 11; n++)
      statuses.push((await visit(`/status/${page.slug}/access`, { ip, form: { password: `guess ${n}` } })).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429])
    const late = await visit(`/status/${page.slug}/access`, { ip, form: { password: 'correct horse' } })
    expect(late.status).toBe(429)
    const long = { password: 'x'.repeat(5_000) }
    expect((await visit(`/status/${page.slug}/access`, { form: long })).status).toBe(413)
  })

  test('for a domain mails a link to its addresses, answers all alike, and takes no other link', async () => {
    const owner = await given.tenant()
    const page = await aPublished(owner, { access: 'email_domain', allowed_email_domains: ['example.com'] })
    const at = `/status/${page.slug}/access`
    const [known, other] = [
      await visit(at, { form: { email: ' Pat@Example.com ' } }),
      await visit(at, { form: { email: 'pat@example.com.evil.test' } }),
    ]
    expect([known.status, other.status]).toEqual([200, 200])
    expect(known.text).toBe(other.text)
    await visit(at, { form: { email: 'a@evil.test,b@example.com' } })
    const mails = (await mailsOf(owner)).filter(({ type }) => type === 'status_page_access')
    expect(mails.map(({ recipient }) => recipient.email)).toEqual(['Pat@Example.com'])
    const { pathname, search } = new URL(mails[0]!.data.access_url)
    const opened = await visit(pathname + search)
    expect(opened.status).toBe(303)
    const Cookie = String(opened.headers['set-cookie']).split(';')[0]!
    expect((await visit(`/status/${page.slug}`, { headers: { Cookie } })).status).toBe(200)
    const token = new URLSearchParams(search).get('token') ?? ''
    // a link is no cookie, and a cookie is no link
    const asCookie = { Cookie: `vedette_status_page=${token}` }
    expect((await visit(`/status/${page.slug}`, { headers: asCookie })).status).toBe(401)
    for (const bad of [Cookie.split('=')[1]!, token.replace(/^\d+/, '9999999999'), '', '1.x'])
      expect((await visit(`${at}?token=${encodeURIComponent(bad)}`)).headers['set-cookie'], bad).toBeUndefined()
  })

  test('for some addresses does not exist for others', async () => {
    const owner = await given.tenant()
    const page = await aPublished(owner, { access: 'ip', allowed_ips: ['198.51.100.0/28', '2001:db8::/32'] })
    const unknown = await visit(`/status/p-${crypto.randomUUID()}`)
    for (const ip of ['198.51.100.15', '2001:db8::1', '::ffff:198.51.100.1'])
      expect((await visit(`/status/${page.slug}`, { ip })).status, ip).toBe(200)
    for (const ip of ['198.51.100.16', '2001:db9::1'])
      for (const path of [...paths, ...morePaths]) {
        const { status, text } = await visit(`/status/${page.slug}${path}`, { ip })
        expect(status, path).toBe(404)
        expect(text).toBe(unknown.text)
      }
  })
})

test('a page of 30 components and 365 days is read with at most ten statements', async () => {
  const owner = await given.tenant()
  const page = await aPublished(owner, { history_days: 365, show_response: true })
  for (let n = 0; n < 30; n++) {
    const monitor = await aMonitor(owner)
    await verdicts(owner, monitor, [[minutesAgo(500), 'up']])
    await addTo(owner, `${page.id}/components`, { name: `Part ${n}`, type: 'monitor', monitor_id: monitor.id })
  }
  const { readPage } = await import('#control-plane/publishing/status-pages/site/read-page.ts')
  let statements = 0
  const counted = new Proxy(platform, {
    get(pool, name) {
      const value = Reflect.get(pool, name)
      if (name === 'query') statements++
      return typeof value === 'function' ? value.bind(pool) : value
    },
  })
  const model = await readPage({ ...app.services, platform: counted }, page.slug)
  expect(model?.groups[0]?.components).toHaveLength(30)
  expect(model?.groups[0]?.components[0]?.days).toHaveLength(365)
  expect(statements).toBeLessThanOrEqual(10)
})
