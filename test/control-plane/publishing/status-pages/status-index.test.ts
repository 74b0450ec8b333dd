import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '#cli/local/loopback.ts'
import { type ControlPlane, startControlPlane } from '#cli/serve/serve.ts'
import { listedAtOnce } from '#control-plane/publishing/status-pages/site/read-index.ts'
import { StatusIndex } from '#control-plane/publishing/status-pages/site/status-index.ts'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { aDomain } from '#test/control-plane/publishing/custom-domains/domains.ts'
import { app, given } from '#test/support/app.ts'
import { configOn } from '#test/support/config.ts'
import { addTo } from './pages.ts'
import { aPublished, visit } from './served.ts'

const { platform } = app.services
let plane: ControlPlane

beforeAll(async () => {
  plane = await startControlPlane(configOn(app.stores, { statusIndex: true, trustedProxies: 1 }), ['pages'])
})
afterAll(() => plane.close())

/** A name that comes before those of other tests. */
const aName = () => `0 ${randomUUID()}`
const at = (path: string, headers: Record<string, string> = {}) => visit(path, { base: plane.baseUrl, headers })
/** A list is read again after a quarter of a minute: a process of its own has read none. */
async function freshList(path = '/status') {
  const fresh = await startControlPlane(configOn(app.stores, { statusIndex: true, trustedProxies: 1 }), ['pages'])
  try {
    return await visit(path, { base: fresh.baseUrl })
  } finally {
    await fresh.close()
  }
}

describe('GET /status', () => {
  test('is the 404 of an unknown page unless the operator wants the list', async () => {
    const owner = await given.tenant()
    await aPublished(owner, { name: aName() })
    const unknown = await visit(`/status/p-${randomUUID()}`)
    for (const path of ['/status', '/status/', '/status?page=2']) {
      const { status, text } = await visit(path)
      expect([status, text], path).toEqual([404, unknown.text])
    }
  })

  test('lists public pages with name, present status and link, in both languages, and may be cached', async () => {
    const owner = await given.tenant()
    const [name, german] = [aName(), aName()]
    const page = await aPublished(owner, { name, locales: ['en', 'de'], texts: { de: { name: german } } })
    const monitor = await aMonitor(owner, { status: 'down' })
    const part = { name: 'Shop', type: 'monitor', monitor_id: monitor.id }
    const component = await addTo(owner, `${page.id}/components`, part)
    const quiet = await aPublished(owner, { name: aName() })
    await addTo(owner, `${quiet.id}/components`, { name: 'Disk', type: 'static', static_status: 'operational' })
    const stated = await aPublished(owner, { name: aName() })
    await addTo(owner, `${stated.id}/posts`, { title: 'Slow', impact: 'minor', body: 'We see it.' })
    const { status, text, headers } = await at('/status')
    expect(status).toBe(200)
    const rowOf = (html: string, slug: string) => html.split('<li ').find(row => row.includes(`/status/${slug}`))
    expect(rowOf(text, page.slug)).toContain(`<a href="/status/${page.slug}">${name}</a>`)
    for (const { slug } of [page, quiet, stated]) {
      const own = await at(`/status/${slug}`)
      const sentence = /<title>([^·]+) ·/.exec(own.text)?.[1]
      expect(rowOf(text, slug), sentence).toContain(`</span>${sentence}</span>`)
    }
    expect(rowOf(text, page.slug)).toContain('Major outage')
    expect(text).not.toMatch(/Shop|Disk|Slow|<script|noindex/)
    expect(text).not.toContain(component.id)
    expect(headers['cache-control']).toContain('public, max-age=15')
    expect((await at('/status', { 'If-None-Match': String(headers.etag) })).status).toBe(304)
    const inGerman = await at('/status?lang=de')
    expect(inGerman.text).toContain('<html lang="de">')
    expect(rowOf(inGerman.text, page.slug)).toContain(`<a href="/status/${page.slug}?lang=de">${german}</a>`)
    expect(rowOf(inGerman.text, page.slug)).toContain('Vollständiger Ausfall')
    expect(rowOf(inGerman.text, quiet.slug)).toContain(`href="/status/${quiet.slug}"`)
    expect((await at('/status', { Host: 'evil.example' })).status).toBe(404)
    expect((await visit('/status', { base: plane.baseUrl, form: { a: 'b' } })).status).toBe(405)
  })

  test('leaves out what is private, not to be found, not published, and of teams that rest or are in the trash', async () => {
    const owner = await given.tenant()
    const names = { shown: aName(), left: `0 left out ${randomUUID()}` }
    await aPublished(owner, { name: names.shown })
    const name = names.left
    await aPublished(owner, { name, access: 'password', password: 'correct horse' })
    await aPublished(owner, { name, access: 'ip', allowed_ips: ['192.0.2.1'] })
    await aPublished(owner, { name, noindex: true })
    await aPublished(owner, { name, state: 'draft' })
    for (const change of ['paused_at = now()', 'deleted_at = now()', 'suspended_at = now()']) {
      const other = await given.tenant()
      await aPublished(other, { name })
      await platform.query(`update tenants set ${change} where id = $1`, [other.tenantId])
    }
    const { text } = await freshList()
    expect(text).toContain(names.shown)
    expect(text).not.toContain(name)
  })

  test('leaves out teams whose service bears another name: that hide ours, or have a portal', async () => {
    const [shown, name] = [aName(), `0 left out ${randomUUID()}`]
    const reseller = await given.reseller()
    await aPublished(await given.team(reseller), { name: shown })
    const [hidden, byBranding, portal] = [await given.tenant(), await given.tenant(), await given.tenant()]
    await aPublished(hidden, { name, hide_powered_by: true })
    await aPublished(byBranding, { name, hide_powered_by: false })
    await aPublished(portal, { name })
    const { id } = await aDomain(portal, { purpose: 'portal' })
    await platform.query(`update custom_domains set state = 'active' where id = $1`, [id])
    const [ofHiding, ofPortal] = [await given.reseller(), await given.reseller()]
    for (const each of [ofHiding, ofPortal]) await aPublished(await given.team(each), { name })
    for (const { tenantId } of [byBranding, ofHiding])
      await platform.query(
        `insert into brandings (tenant_id, hide_powered_by) values ($1, true)
         on conflict (tenant_id) do update set hide_powered_by = true`,
        [tenantId],
      )
    const own = await aDomain(ofPortal, { purpose: 'portal' })
    await platform.query(`update custom_domains set state = 'verified' where id = $1`, [own.id])
    const { text } = await freshList()
    expect(text).toContain(shown)
    expect(text).not.toContain(name)
  })

  test('gives fifty at a time, and no page of the list beyond the last', async () => {
    const owner = await given.tenant()
    await platform.query(
      `insert into status_pages (id, tenant_id, name, slug, state)
       select gen_random_uuid(), $1, ' ' || n, 'p-' || gen_random_uuid(), 'published'
       from generate_series(1, ${listedAtOnce + 1}) n`,
      [owner.tenantId],
    )
    const { text } = await freshList()
    expect(text.match(/<li class="none">/g)).toHaveLength(listedAtOnce)
    expect(text).toContain('<a href="/status?page=2" rel="next">')
    const second = await at('/status?page=2')
    expect(second.text).toContain('<a href="/status" rel="prev">')
    expect(second.text).toContain(`<link rel="canonical" href="${plane.services.config.baseUrl}/status?page=2">`)
    for (const page of ['0', '-1', '200', '201', 'x', '1e1', '2.0'])
      expect((await at(`/status?page=${page}`)).status, page).toBe(404)
    await platform.query('delete from status_pages where tenant_id = $1', [owner.tenantId])
  })
})

test('the list is read once for all who ask, and the last one is given while the stores fail', async () => {
  let [reads, isFailing, nowMs] = [0, false, 1_000]
  const index = new StatusIndex({
    async read() {
      reads++
      if (isFailing) throw new Error('no stores')
      return { pages: [], hasMore: false }
    },
    nowMs: () => nowMs,
    freshMs: 0,
    pauseMs: 50,
  })
  const [first, second] = await Promise.all([index.find(1), index.find(1)])
  expect([reads, first]).toEqual([1, second])
  isFailing = true
  nowMs = 2_000
  expect((await index.find(1))?.model.asOf).toBe(1_000)
  // they are left alone for a moment
  expect(await index.find(1)).toBe(first)
  expect(reads).toBe(2)
  expect(await index.find(2)).toBeUndefined()
  isFailing = false
  expect(await until(async () => (await index.find(1))?.model.asOf === 2_000, { withinMs: 2_000, everyMs: 20 })).toBe(
    true,
  )
})
