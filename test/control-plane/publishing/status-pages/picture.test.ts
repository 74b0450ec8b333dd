import { Buffer } from 'node:buffer'
import { inflateSync } from 'node:zlib'
import { XMLValidator } from 'fast-xml-parser'
import { imageSize } from 'image-size'
import { request } from 'undici'
import { afterAll, describe, expect, test } from 'vitest'
import { BoundedRunner } from '#bounded/runner.ts'
import { until } from '#cli/local/loopback.ts'
import { pagePictures } from '#control-plane/publishing/status-pages/picture/page-pictures.ts'
import { PictureRenderer } from '#control-plane/publishing/status-pages/picture/renderer.ts'
import { renderIncident, renderPage, type View } from '#control-plane/publishing/status-pages/render/documents.ts'
import { pictureOf } from '#control-plane/publishing/status-pages/render/picture.ts'
import { customHostsOf } from '#control-plane/tenancy/portal-hosts/custom-hosts.ts'
import { aDomain } from '#test/control-plane/publishing/custom-domains/domains.ts'
import { app, given } from '#test/support/app.ts'
import { addTo, hostileTexts } from './pages.ts'
import { aModel } from './render/sample.ts'
import { aPublished, visit } from './served.ts'

const { baseUrl } = app.services.config
const view: View = { language: 'en', isForced: false, base: '/status/acme', staleSince: null }
const size = { width: 1_200, height: 630, type: 'png' }

const get = (path: string, headers: Record<string, string> = {}) =>
  request(app.baseUrl + path, { headers: { 'X-Forwarded-For': given.stranger().ip, ...headers } })
const propertiesOf = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<meta property="(og:[\w:]+)" content="([^"]*)">/g)].map(([, name, is]) => [name, is]),
  )

/** The colours of a PNG of eight bits a channel, as `#rrggbb`. */
function colorsOf(png: Buffer): Set<string> {
  const parts: Buffer[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  const [bytes, each] = [inflateSync(Buffer.concat(parts)), png[25] === 6 ? 4 : 3]
  const length = size.width * each
  const colors = new Set<number>()
  let above = new Uint8Array(length)
  for (let y = 0; y < size.height; y++) {
    const from = y * (length + 1)
    const [filter, row] = [bytes[from]!, bytes.subarray(from + 1, from + 1 + length)]
    for (let x = 0; x < length; x++) {
      const left = x < each ? 0 : row[x - each]!
      row[x]! += predicted(filter, left, above[x]!, x < each ? 0 : above[x - each]!)
    }
    for (let x = 0; x < length; x += each) colors.add((row[x]! << 16) | (row[x + 1]! << 8) | row[x + 2]!)
    above = row
  }
  return new Set([...colors].map(color => `#${color.toString(16).padStart(6, '0')}`))
}

/** What a filter of PNG expects of a byte by those to its left, above it, and above to its left. */
function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 0) return 0
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  const toLeft = Math.abs(above - corner)
  const toAbove = Math.abs(left - corner)
  const toCorner = Math.abs(left + above - 2 * corner)
  if (toLeft <= toAbove && toLeft <= toCorner) return left
  return toAbove <= toCorner ? above : corner
}

describe('the picture of a page', () => {
  const bounded = new BoundedRunner()
  const renderer = new PictureRenderer(bounded)
  afterAll(() => bounded.close(0))

  test('is a PNG of 1200 by 630 with the colours of brand, status and days', async () => {
    const png = await renderer.draw('page', pictureOf(aModel(), 'en', null))
    expect(imageSize(png)).toMatchObject(size)
    const colors = colorsOf(png)
    for (const color of ['#6d28d9', '#8a5a00', '#c21c26', '#bf8700', '#1a7f37', '#ffffff'])
      expect(colors).toContain(color)
    expect(colorsOf(await renderer.draw('page', pictureOf(aModel({ groups: [] }), 'en', null)))).not.toContain(
      '#c21c26',
    )
  })

  test('says name and status in the language, cuts a long name, and takes no text for more than text', () => {
    const german = pictureOf(aModel({ texts: { de: { name: 'Acme auf Deutsch' } } }), 'de', null)
    expect(german).toContain('>Acme auf Deutsch<')
    expect(german).toContain('>Teilweiser Ausfall<')
    expect(german).toContain('>Vor 89 Tagen<')
    expect(pictureOf(aModel({ name: 'W'.repeat(255) }), 'en', null)).toMatch(/>W{10,32}…</)
    for (const text of hostileTexts) {
      const svg = pictureOf(aModel({ name: text, brand: { ...aModel().brand, color: text } }), 'en', null)
      expect(XMLValidator.validate(svg), text).toBe(true)
      expect(svg.replace(/<[^<>]*>/g, ''), text).not.toMatch(/[<>]/)
      expect(svg.match(/<\w+/g)).toEqual(pictureOf(aModel(), 'en', null).match(/<\w+/g))
    }
  })

  test('has the logo, and is drawn without one that cannot be read; letters of all scripts are there', async () => {
    const green = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkOPH/PwAE4QK9eEBgRAAAAABJRU5ErkJggg=='
    const colorsWith = async (logo: string | null) => {
      const draw = pagePictures(bounded, async () => logo)
      return colorsOf(await draw(aModel({ groups: [] }), 'en'))
    }
    const plain = await colorsWith(null)
    const added = [...(await colorsWith(`data:image/png;base64,${green}`))].filter(color => !plain.has(color))
    expect(added.length).toBeGreaterThan(0)
    for (const logo of ['data:image/png;base64,AAAA', 'data:image/jpeg;base64,/9j/4AAQ', 'https://example.com/x.png'])
      expect(await colorsWith(logo)).toContain('#6d28d9')
    const named = async (name: string) => renderer.draw('page', pictureOf(aModel({ name }), 'en', null))
    const [first, second] = [await named('状態'), await named('公司')]
    expect(first.equals(second)).toBe(false)
  })

  test('is drawn once, and not while too many wait or where it cannot be drawn', async () => {
    const svg = (n: number) => pictureOf(aModel({ name: `Page ${n}` }), 'en', null)
    const [one, two] = await Promise.all([renderer.draw('page', svg(1)), renderer.draw('page', svg(1))])
    expect(one).toBe(two)
    const few = new BoundedRunner({ limits: { long: { hosts: 1, waiting: 0 } } })
    const small = new PictureRenderer(few)
    const drawing = small.draw('page', svg(1))
    await expect(small.draw('page', svg(2))).rejects.toThrow('Too many')
    await drawing
    expect(imageSize(await small.draw('page', svg(2)))).toMatchObject(size)
    await few.close(0)
    await expect(renderer.draw('page', '<svg')).rejects.toThrow()
    expect(imageSize(await renderer.draw('page', svg(4)))).toMatchObject(size)
  })
})

describe('the tags of Open Graph', () => {
  test('name the page, its present status, its address and its picture', () => {
    const { html } = renderPage(aModel(), { ...view, language: 'de' })
    expect(propertiesOf(html)).toEqual({
      'og:title': 'Acme Cloud',
      'og:description': 'Teilweiser Ausfall',
      'og:url': 'https://status.example.com/status/acme',
      'og:site_name': 'Acme',
      'og:image': 'https://status.example.com/status/acme/og.png?lang=de',
    })
    const model = aModel({ noindex: true })
    const incident = renderIncident(model, model.posts[0]!, {
      ...view,
      base: '',
      origin: 'https://status.acme.test',
    }).html
    expect(incident).toContain('<meta name="robots" content="noindex">')
    expect(propertiesOf(incident)).toMatchObject({
      'og:title': 'The dashboard does not load',
      'og:url': `https://status.acme.test/incidents/${model.posts[0]!.id}`,
      'og:image': 'https://status.acme.test/og.png?lang=en',
    })
  })

  test('of a private page name no picture', () => {
    const { html } = renderPage(aModel({ access: { mode: 'ip', allowed: [] } }), view)
    expect(propertiesOf(html)).toMatchObject({ 'og:title': 'Acme Cloud' })
    expect(html).not.toContain('og:image')
  })
})

describe('GET /status/{slug}/og.png', () => {
  test('gives the picture, cached like the page and never compressed, and another one after a change', async () => {
    const owner = await given.tenant()
    const page = await aPublished(owner, { primary_color: '#123456', locales: ['en', 'de'] })
    const first = await get(`/status/${page.slug}/og.png`, { 'Accept-Encoding': 'gzip, br' })
    expect(first.statusCode).toBe(200)
    expect(first.headers['content-type']).toBe('image/png')
    expect(first.headers['content-encoding']).toBeUndefined()
    expect(first.headers['cache-control']).toContain('public, max-age=15, s-maxage=30')
    const png = Buffer.from(await first.body.arrayBuffer())
    expect(imageSize(png)).toMatchObject(size)
    expect(colorsOf(png)).toContain('#123456')
    const again = await get(`/status/${page.slug}/og.png`, { 'If-None-Match': String(first.headers.etag) })
    expect([again.statusCode, await again.body.text()]).toEqual([304, ''])
    const german = await get(`/status/${page.slug}/og.png?lang=de`)
    expect(german.headers.etag).not.toBe(first.headers.etag)
    await german.body.dump()
    await addTo(owner, `${page.id}/components`, { name: 'Shop', type: 'static', static_status: 'major_outage' })
    const isRed = async () => {
      const { body } = await get(`/status/${page.slug}/og.png`)
      return colorsOf(Buffer.from(await body.arrayBuffer())).has('#c21c26')
    }
    expect(await until(isRed, { withinMs: 5_000, everyMs: 100 })).toBe(true)
    expect(propertiesOf((await visit(`/status/${page.slug}`)).text)['og:image']).toBe(
      `${baseUrl}/status/${page.slug}/og.png?lang=en`,
    )
  }, 30_000)

  test('is there for no private page, also not for those who may read it', async () => {
    const owner = await given.tenant()
    const page = await aPublished(owner, { access: 'password', password: 'correct horse' })
    expect((await visit(`/status/${page.slug}/og.png`)).status).toBe(401)
    const entered = await visit(`/status/${page.slug}/access`, { form: { password: 'correct horse' } })
    const Cookie = String(entered.headers['set-cookie']).split(';')[0]!
    expect((await visit(`/status/${page.slug}/og.png`, { headers: { Cookie } })).status).toBe(404)
    const [ip, unknown] = [{ access: 'ip', allowed_ips: ['192.0.2.1'] }, await visit('/status/no-such-page/og.png')]
    const other = await visit(`/status/${(await aPublished(owner, ip)).slug}/og.png`)
    expect([other.status, other.text]).toEqual([404, unknown.text])
  })

  test('is at a domain of the page too, with addresses of that domain', async () => {
    const owner = await given.tenant()
    const page = await aPublished(owner)
    const { hostname } = await aDomain(owner, { purpose: 'status_page', target_id: page.id })
    await app.services.platform.query(`update custom_domains set state = 'verified' where hostname = $1`, [hostname])
    const hosts = customHostsOf(app.services)
    await until(async () => hosts.find(hostname) !== undefined, { withinMs: 10_000, everyMs: 20 })
    const url = new URL(baseUrl)
    url.hostname = hostname
    const graph = propertiesOf((await visit('/', { headers: { Host: hostname } })).text)
    expect(graph).toMatchObject({ 'og:url': url.origin, 'og:image': `${url.origin}/og.png?lang=en` })
    const picture = await get('/og.png?lang=en', { Host: hostname })
    expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/png'])
    await picture.body.dump()
    // the addresses of one host are in no document of another
    for (const path of ['/', '/history', '/feed.atom', '/feed.rss', '/maintenance.ics', '/api/v2/summary.json']) {
      const document = await visit(path, { headers: { Host: hostname } })
      expect([path, document.status, document.text.includes(new URL(baseUrl).hostname)]).toEqual([path, 200, false])
    }
    const here = propertiesOf((await visit(`/status/${page.slug}`)).text)
    expect(here['og:url']).toBe(`${baseUrl}/status/${page.slug}`)
  })
})
