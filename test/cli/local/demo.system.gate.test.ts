import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isFailing, serveSites, siteAddress } from '#cli/local/demo/sites.ts'
import { answers } from '#cli/local/loopback.ts'
import { freePort } from '#test/support/free-port.ts'
import { eventually, System } from '#test/support/system.ts'

test('a sample site fails for its time of each round, at whatever moment it is asked', () => {
  const behaviour = { fails: 180, every: 600, from: 1_000_000 }
  const at = (second: number) => isFailing(behaviour, 1_000_000 + second)
  expect([0, 179, 180, 599, 600, 779, 780, -1, -421].map(at)).toEqual([
    true,
    true,
    false,
    false,
    true,
    true,
    false,
    false,
    true,
  ])
  expect(isFailing({}, 0)).toBe(false)
})

test('the sample sites answer as their addresses say, and never later than after five seconds', async () => {
  const port = await freePort()
  const sites = await serveSites(port, () => 2_000_000)
  try {
    const status = async (behaviour: Parameters<typeof siteAddress>[2]) =>
      (await answers(siteAddress(sites.url, 'bakery/shop', behaviour), 20_000))?.status
    expect(await status({})).toBe(200)
    expect(await status({ fails: 60, every: 600, from: 2_000 })).toBe(500)
    expect(await status({ fails: 60, every: 600, from: 1_900 })).toBe(200)
    const began = performance.now()
    expect(await status({ ms: 60_000 })).toBe(200)
    expect(performance.now() - began).toBeGreaterThan(4_900)
  } finally {
    sites.close()
  }
})

// biome-ignore lint/suspicious/noExplicitAny: answers are read as a user's script would
type Json = any

describe('vedette demo', { timeout: 400_000 }, () => {
  let system: System
  let customer: (path: string) => Promise<Json>
  let reseller: (path: string) => Promise<Json>
  let output = ''
  const vedette = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['cli/vedette.js', ...args, '--data', system.dataDir], { timeout: 300_000 })
  const signIn = async (email: string) => {
    const [, password] = new RegExp(`${email.replace('.', '\\.')}  (\\S+)`).exec(output) ?? []
    const { body } = await system.call('POST', '/auth/token', { email, password, device_name: 'demo' }, '')
    return async (path: string) => (await system.get(path, body.token)).body
  }

  beforeAll(async () => {
    // where others may sign in, the sample sites are all of loopback that may be checked
    system = await System.start({ env: { EGRESS_ALLOW: '' } })
    output = (await vedette('demo')).stdout
    reseller = await signIn('rae@northwind.example')
    customer = await signIn('ada@bakery.example')
  }, 600_000)
  afterAll(() => system?.stop())

  test('says what it does meanwhile, how to sign in and how to remove it', () => {
    expect(output.match(/^ {2}\.\. {2}Demo /gm)?.length).toBeGreaterThanOrEqual(4)
    expect(output).toContain(`Sign in    ${system.local.base_url}/login`)
    expect(output).toMatch(/^ {2}Remove it .*demo --remove --data /m)
    expect(output).toMatch(/demo: 5 teams, 40 monitors, 90 days of results, \d+ incidents, in [\d.]+ s/)
  })

  test('shows monitors that are up within a minute, of which one fails and has an open incident', async () => {
    const monitors = () => customer('/monitors?per_page=100&type=website')
    await eventually('every other monitor is up', async () => {
      const { data } = await monitors()
      return data.every(({ name, status }: Json) => name === 'checkout' || name.startsWith('old-') || status === 'up')
    })
    const [incident] = await eventually('an incident of the failing one', async () => {
      const { data } = await customer('/incidents?per_page=100')
      const found = data.filter(({ title }: Json) => title.startsWith('checkout'))
      return found.some(({ quorum }: Json) => quorum?.regions) ? found : undefined
    })
    expect(Object.keys(incident.quorum.regions).length).toBeGreaterThanOrEqual(2)
    const { data } = await monitors()
    expect(data.filter(({ status }: Json) => status === 'warning')).toEqual([])
  })

  test('has one of everything, for the first customer', async () => {
    const count = async (path: string) => (await customer(path)).data.length
    expect(await count('/members')).toBe(4)
    for (const path of [
      '/notification-channels',
      '/notification-rules',
      '/on-call-schedules',
      '/escalation-policies',
      '/maintenance-windows',
      '/status-pages',
      '/cron-monitors',
      '/agent-monitors',
      '/monthly-reports',
    ])
      expect(await count(path), path).toBeGreaterThan(0)
    const [migration] = (await customer('/migrations')).data
    expect(migration.state).toBe('shadow')
    await eventually('the job and the server have reported', async () => {
      const jobs = (await customer('/cron-monitors')).data
      const [server] = (await customer('/agent-monitors')).data
      return jobs.every(({ status }: Json) => status === 'up') && server.last_heard_at !== null
    })
    const page = await fetch(`${system.local.base_url}/status/demo-bakery`)
    expect(page.status).toBe(200)
  })

  test('gives the reseller five customers with 40 monitors, and lets that person sign in', async () => {
    expect((await reseller('/profile')).data.email).toBe('rae@northwind.example')
    const asReseller = async (path: string) => (await system.get(path, system.local.reseller.token)).body.data
    const teams = (await asReseller('/reseller/managed-teams?per_page=100')).filter(({ name }: Json) =>
      /^(Bakery|Clinic|Studio|Hotel|Berg) /.test(name),
    )
    expect(teams).toHaveLength(5)
    const monitors = await Promise.all(
      teams.map(({ id }: Json) => asReseller(`/reseller/managed-teams/${id}/monitors?per_page=100&type=website`)),
    )
    const sites = monitors.flat().filter(({ name, type }: Json) => type === 'website' && !name.startsWith('old-'))
    expect(sites).toHaveLength(40)
  })

  test('is removed by one command, with its people and results, and by nothing else', async () => {
    const { stdout } = await vedette('demo', '--remove')
    expect(stdout).toContain('5 teams and their people are deleted')
    const { status } = await system.call(
      'POST',
      '/auth/token',
      { email: 'ada@bakery.example', password: 'x'.repeat(12), device_name: 'demo' },
      '',
    )
    expect(status).toBe(401)
    expect((await system.get('/monitors')).status).toBe(200)
    expect((await vedette('demo', '--remove')).stdout).toContain('There is no demo')
  })
})
