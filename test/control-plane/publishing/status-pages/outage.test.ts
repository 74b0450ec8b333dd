import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '#cli/local/loopback.ts'
import type { Listening } from '#cli/serve/listen.ts'
import { startPages } from '#cli/serve/pages.ts'
import { type ControlPlane, startControlPlane } from '#cli/serve/serve.ts'
import type { Config } from '#control-plane/config.ts'
import { hashPassword } from '#control-plane/identity/users/password.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { configOn } from '#test/support/config.ts'
import { OwnPostgres } from '#test/support/own-postgres.ts'
import { visit } from './served.ts'

const folder = mkdtempSync(join(tmpdir(), 'vedette-pages-'))
const pagesFolder = join(folder, 'pages')
const fileOf = (slug: string) => join(pagesFolder, `${slug}.json`)
let postgres: OwnPostgres
let config: Config
let plane: ControlPlane | undefined
let pages: Listening | undefined

beforeAll(async () => {
  postgres = await OwnPostgres.open(folder, { fsync: 'off' })
  // there is no ClickHouse at all
  config = configOn({ ...postgres.stores, clickhouseUrl: 'http://x:x@127.0.0.1:1/x' }, { pagesFolder })
  plane = await startControlPlane(config, ['pages'])
}, 120_000)
afterAll(async () => {
  await pages?.close(0)
  postgres?.thaw()
  await plane?.close()
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function aPublishedPage(tenantId: string, fields: Record<string, unknown> = {}): Promise<string> {
  const slug = `p-${randomUUID()}`
  const row = { id: randomUUID(), tenant_id: tenantId, name: 'Kept page', slug, state: 'published', ...fields }
  const names = Object.keys(row)
  await plane!.services.platform.query(
    `insert into status_pages (${names.join()}) values (${names.map((_, n) => `$${n + 1}`).join()})`,
    Object.values(row),
  )
  return slug
}

/** Makes the stored state of a page so old. */
function age(slug: string, minutes: number): void {
  const stored = JSON.parse(readFileSync(fileOf(slug), 'utf8'))
  stored.model.asOf -= minutes * 60_000
  writeFileSync(fileOf(slug), JSON.stringify(stored))
}

test('pages are served with their age while the stores are frozen or stopped, by a process that needs only the folder', async () => {
  const { platform } = plane!.services
  const owner = { name: 'Acme', slug: `t-${randomUUID()}`, plan: 'pro', featureOverrides: {}, isReseller: false }
  const tenantId = await createTenant(platform, owner)
  const [visited, other] = [await aPublishedPage(tenantId), await aPublishedPage(tenantId)]
  const secret = await aPublishedPage(tenantId, {
    access: 'password',
    password_hash: await hashPassword('correct horse'),
    name: 'Secret name',
  })
  expect((await visit(`/status/${visited}`, { base: plane!.baseUrl })).text).toContain('Kept page')
  // a page that was not asked for is in the folder too: the insert sent a notice
  for (const slug of [visited, other, secret])
    expect(await until(async () => exists(fileOf(slug)), { withinMs: 5_000, everyMs: 20 })).toBe(true)
  expect(statSync(pagesFolder).mode & 0o077).toBe(0)
  expect(statSync(fileOf(secret)).mode & 0o077).toBe(0)
  const withdrawn = await aPublishedPage(tenantId)
  expect(await until(async () => exists(fileOf(withdrawn)), { withinMs: 5_000, everyMs: 20 })).toBe(true)
  await platform.query(`update status_pages set state = 'draft' where slug = $1`, [withdrawn])
  expect(await until(async () => !exists(fileOf(withdrawn)), { withinMs: 5_000, everyMs: 20 })).toBe(true)

  postgres.freeze()
  const started = performance.now()
  expect((await visit(`/status/${other}`, { base: plane!.baseUrl })).status).toBe(200)
  expect(performance.now() - started).toBeLessThan(5_000)
  expect((await visit(`/status/p-${randomUUID()}`, { base: plane!.baseUrl })).status).toBe(503)
  const form = { email: 'pat@example.com' }
  expect((await visit(`/status/${other}/subscribe`, { base: plane!.baseUrl, form })).status).toBe(503)
  postgres.thaw()
  await plane!.close()
  plane = undefined
  await postgres.stop()

  for (const slug of [visited, secret]) age(slug, 10)
  const bare = { host: '127.0.0.1', port: 0, baseUrl: config.baseUrl, trustedProxies: 1, logLevel: 'silent' }
  pages = await startPages({ ...bare, folder: pagesFolder })
  plane = await startControlPlane(config, ['api', 'pages'])
  for (const base of [pages.url, plane.baseUrl]) {
    const { status, text } = await visit(`/status/${visited}`, { base })
    expect(status).toBe(200)
    expect(text).toContain('Kept page')
    expect(text).toMatch(/As of \d+ \w+ \d{4} at \d\d:\d\d UTC\. This page could not be updated since then\./)
    expect((await visit(`/status/${visited}/summary.json`, { base })).status).toBe(200)
    const subscribing = await visit(`/status/${visited}/subscribe`, { base, form })
    expect(subscribing.status).toBe(503)
    expect(subscribing.text).toContain('value="pat@example.com"')
    expect((await visit(`/status/${withdrawn}`, { base })).text).not.toContain('Kept page')
    const closed = await visit(`/status/${secret}`, { base })
    expect(closed.status).toBe(401)
    expect(closed.text).not.toContain('Secret')
    const opened = await visit(`/status/${secret}/access`, { base, form: { password: 'correct horse' } })
    const Cookie = String(opened.headers['set-cookie']).split(';')[0]!
    expect((await visit(`/status/${secret}`, { base, headers: { Cookie } })).text).toContain('Secret name')
  }
  expect((await visit('/healthz', { base: pages.url })).status).toBe(200)
  expect((await visit('/status/x/../../etc/passwd', { base: pages.url })).status).toBe(404)
}, 120_000)

function exists(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}
