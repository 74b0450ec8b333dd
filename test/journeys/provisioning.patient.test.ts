import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, System } from '#test/support/system.ts'
import { Site } from '#test/support/target.ts'

let system: System
let site: Site
const dataDir = mkdtempSync(join(tmpdir(), 'vedette-shop-'))
beforeAll(async () => {
  site = await Site.open()
  system = await System.start({ dataDir })
}, 180_000)
afterAll(async () => {
  await system?.stop()
  await site?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** A hosting firm's shop system: it knows the documented calls, its own account, and nothing else. */
test('a hosting firm takes a client on, serves, pauses and restores it, and says goodbye', {
  timeout: 240_000,
}, async () => {
  const secrets: string[] = []
  const secret = (text: string) => {
    secrets.push(text)
    return text
  }
  const signIn = (email: string, password: string) =>
    system.call('POST', '/auth/token', { email, password, device_name: 'browser' }, '')

  // an administrator signs in once, and gives the shop system a token that can do what it must
  const { email, password } = system.local.reseller
  const session = secret((await signIn(email, password)).body.token)
  const made = await system.post(
    '/auth/reseller-token',
    { name: 'Shop system', scopes: ['teams:manage', 'branding:manage', 'members:read', 'monitors:read'] },
    session,
  )
  expect(made.status).toBe(201)
  const shop = secret(made.body.plain_text_token)
  const ask = async (status: number, method: string, path: string, body?: unknown) => {
    const answer = await system.call(method, `/reseller${path}`, body, shop)
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(status)
    return answer.body
  }

  // what every client of a product gets
  const template = await ask(201, 'POST', '/monitor-templates', {
    name: 'Web shop',
    monitors: [
      { name_template: '{{client}}: shop', url_template: '{{address}}/shop', check_interval: 2, tags: ['{{client}}'] },
      {
        name_template: '{{client}}: login',
        url_template: '{{address}}/login',
        check_interval: 2,
        checks: [{ type: 'uptime', settings: { keyword_absent: '{{client}} is closed' } }],
      },
    ],
    variables: [{ name: 'client', description: 'As on the invoice' }, { name: 'address' }],
  })
  const profile = await ask(201, 'POST', '/provisioning-profiles', {
    name: 'Web shop, small',
    plan: 'hobby',
    trial_days: 14,
    feature_overrides: { monitors: 3, min_check_interval: 1 },
    branding: { brand_name: 'Northwind Watch', primary_color: '#225588', alert_prefix: '[Watch]' },
    monitor_template_id: template.data.id,
  })

  // the order comes in; the line breaks, so it is sent again
  const adminPassword = secret('Nineteen-quiet-Lanterns-9')
  const order = {
    name: 'Bakery Blum',
    slug: 'bakery-blum',
    label: 'contract-4711',
    external_ref: 'order-4711',
    metadata: { contract: 4711 },
    admin_email: 'blum@bakery.example',
    admin_name: 'Berta Blum',
    admin_password: adminPassword,
    profile_id: profile.data.id,
    variables: { client: 'Bakery Blum', address: site.url },
  }
  expect(
    (await system.call('POST', '/reseller/managed-teams', { ...order, variables: { client: 'Bakery Blum' } }, shop))
      .body.errors,
  ).toHaveProperty(['variables.address'])
  const { data: team } = await ask(201, 'POST', '/managed-teams', order)
  expect(team).toMatchObject({
    name: 'Bakery Blum',
    plan: 'hobby',
    on_trial: true,
    monitors_count: 2,
    external_ref: 'order-4711',
  })
  expect((await ask(201, 'POST', '/managed-teams', order)).data.id).toBe(team.id)
  expect((await ask(200, 'GET', '/managed-teams?external_ref=order-4711')).data).toHaveLength(1)
  const path = `/managed-teams/${team.id}`
  expect((await ask(200, 'GET', `${path}/branding`)).data.effective).toMatchObject({
    brand_name: 'Northwind Watch',
    primary_color: '#225588',
  })

  // the client opens its shop, in the firm's branding
  const client = secret((await signIn(order.admin_email, adminPassword)).body.token)
  const statuses = async () =>
    (await system.get('/monitors', client)).body.data.map((monitor: { status: string | null }) => monitor.status)
  await eventually(
    'both monitors are up',
    async () => (await statuses()).every((status: string) => status === 'up'),
    60_000,
    1_000,
  )
  expect((await system.get('/branding', client)).body.data.effective.brand_name).toBe('Northwind Watch')

  // a limit is reached, and the client buys more
  const third = { name: 'Blog', url: `${site.url}/blog` }
  expect((await system.post('/monitors', third, client)).status).toBe(201)
  const refused = await system.post('/monitors', third, client)
  expect([refused.status, refused.body.code, refused.body.limit]).toEqual([422, 'plan_limit', 3])
  await ask(200, 'PUT', `${path}/feature-overrides`, { overrides: { monitors: 4 } })
  expect((await system.post('/monitors', third, client)).status).toBe(201)
  expect((await ask(200, 'PATCH', path, { plan: 'starter', trial_days: 0 })).data).toMatchObject({
    plan: 'starter',
    on_trial: false,
  })

  // support steps in for some minutes, and may not do everything
  const standIn = await ask(201, 'POST', `${path}/impersonation-tokens`, { ttl_minutes: 5, label: 'Ticket 99' })
  const support = secret(standIn.plain_text_token)
  const [first] = (await system.get('/monitors', support)).body.data
  expect(
    (await system.call('PATCH', `/monitors/${first.id}`, { notes: 'Examined in ticket 99' }, support)).status,
  ).toBe(200)
  const [owner] = (await ask(200, 'GET', `${path}/members`)).data
  expect((await system.call('PATCH', `/members/${owner.user_id}`, { role: 'viewer' }, support)).status).toBe(403)
  await ask(204, 'DELETE', `${path}/impersonation-tokens/${standIn.data.id}`)
  expect((await system.get('/monitors', support)).status).toBe(401)

  // the invoice stays unpaid, then is paid
  expect((await ask(200, 'POST', `${path}/pause`, { reason: 'unpaid' })).data).toMatchObject({
    is_paused: true,
    paused_reason: 'unpaid',
  })
  const requests = () => site.log.length
  const counted = await eventually(
    'no checks run any more',
    async () => {
      const before = requests()
      await new Promise(resolve => setTimeout(resolve, 5_000))
      return requests() === before && before
    },
    60_000,
  )
  await ask(200, 'POST', `${path}/unpause`)
  await eventually('the checks run again', async () => requests() > counted, 60_000, 1_000)

  // deleted by mistake, and restored
  expect((await system.call('DELETE', `/reseller${path}`, { confirm_name: 'Bakery' }, shop)).status).toBe(422)
  await ask(204, 'DELETE', path, { confirm_name: 'Bakery Blum' })
  await ask(404, 'GET', path)
  expect((await system.get('/monitors', client)).status).toBe(401)
  expect((await ask(200, 'GET', '/managed-teams/trashed')).data[0]).toMatchObject({ id: team.id, days_until_purge: 30 })
  expect((await ask(200, 'POST', `${path}/restore`)).data).toMatchObject({
    id: team.id,
    deleted_at: null,
    monitors_count: 4,
  })
  const again = await signIn(order.admin_email, adminPassword)
  expect(again.status).toBe(201)
  secret(again.body.token)

  // the client leaves: it takes its monitors along, the firm keeps the paper
  await ask(200, 'POST', `${path}/decouple`)
  await ask(404, 'GET', path)
  expect((await system.get('/monitors', again.body.token)).body.data).toHaveLength(4)
  const shopsOwn = await system.get('/audit-log?per_page=100', session)
  const actions = shopsOwn.body.data.map((entry: { action: string }) => entry.action)
  expect(actions).toEqual(
    expect.arrayContaining([
      'monitor_template.created',
      'provisioning_profile.created',
      'managed_tenant.created',
      'managed_tenant.paused',
      'managed_tenant.unpaused',
      'managed_tenant.deleted',
      'managed_tenant.restored',
      'managed_tenant.decoupled',
    ]),
  )

  // no secret of all this lies readable in any file of the installation, nor in its figures
  const metrics = await (await fetch(system.local.metrics_url)).text()
  expect(secrets.length).toBeGreaterThanOrEqual(6)
  // at rest: a running store renames its folders while they are read
  await system.stop()
  const filesWith = (texts: readonly string[]) => {
    const needles = texts.map(text => Buffer.from(text))
    return filesBelow(dataDir).filter(file => {
      const content = readFileSync(file)
      return needles.some(needle => content.includes(needle))
    })
  }
  expect(filesWith(['order-4711']), 'what is no secret can be found').not.toEqual([])
  expect(filesWith(secrets)).toEqual([])
  for (const text of secrets) expect(metrics).not.toContain(text)
})

/** All files of stores and logs. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
}
