import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type ControlPlane, startControlPlane } from '#cli/serve/serve.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { createEnrolment } from '#control-plane/engine/agents/create-enrolment.ts'
import { readConfig as readAgentConfig } from '#probe-agent/config.ts'
import { startAgent } from '#probe-agent/main.ts'
import { eventually, prepared, Serving } from '#test/control-plane/serving.ts'
import { freePort } from '#test/support/free-port.ts'
import { checkOut, commitBefore, OtherVersion } from '#test/support/version-before.ts'

/*
 * What an upgrade by steps, and the way back, lead through: the version before on the schema of this one, beside it,
 * and agents of each with the control plane of the other.
 */

const folder = mkdtempSync(join(tmpdir(), 'vedette-before-'))
const before = join(folder, 'before')
const commit = await commitBefore()
if (commit === null) console.log('The version before is not tested: the history of the sources is not here.')
let served: Serving
let tenantId: string
let token: string
let site: Server
let isUp = true

beforeAll(async () => {
  if (commit === null) return
  await checkOut(commit, before)
  const { stores, config } = await prepared('version_before')
  served = new Serving(stores, config, await startControlPlane(config, ['api']))
  tenantId = await served.tenant()
  const asked = { kind: 'svc', tenantId, userId: null, name: 'test', expiresAt: null } as const
  token = (await createToken(served.platform, { ...asked, scopes: ['monitors:manage', 'incidents:read'] })).plain
  site = createServer((_, response) => void response.writeHead(isUp ? 200 : 500).end())
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
}, 900_000)
afterAll(async () => {
  site?.close()
  await served?.close()
  rmSync(folder, { recursive: true, force: true })
})

const siteUrl = () => `http://127.0.0.1:${(site.address() as AddressInfo).port}/`

/** `serve` of the version before, on the stores of this test. */
async function serveBefore(...roles: string[]): Promise<{ url: string; stop(): Promise<void> }> {
  const { databaseUrl, platformUrl, clickhouseUrl, secretKey } = served.config
  const [port, metrics] = [await freePort(), await freePort()]
  const other = new OtherVersion(before, ['serve', '--role', roles.join()], {
    ...{ DATABASE_URL: databaseUrl, DATABASE_PLATFORM_URL: platformUrl, CLICKHOUSE_URL: clickhouseUrl },
    ...{ SECRET_KEY: secretKey, EGRESS_ALLOW: '127.0.0.0/8', HOST: '127.0.0.1' },
    ...{ PORT: String(port), METRICS_PORT: String(metrics) },
  })
  onTestFinished(() => other.stop())
  await eventually(async () => {
    other.mustRun()
    const answer = await fetch(`http://127.0.0.1:${metrics}/readyz`).catch(() => null)
    return answer?.ok || undefined
  }, 120_000).catch(error => Promise.reject(new Error(other.log, { cause: error })))
  return { url: `http://127.0.0.1:${port}`, stop: () => other.stop() }
}

// biome-ignore lint/suspicious/noExplicitAny: the test reads what it asked for
async function call(url: string, method: string, path: string, body?: object): Promise<{ status: number; body: any }> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

/** A site goes down, an incident opens; it comes back, the incident ends. */
async function detects(url: string, region: string): Promise<void> {
  isUp = true
  const asked = { name: `Site of ${region}`, url: siteUrl(), check_interval: 1, timeout: 1, regions: [region] }
  const made = await call(url, 'POST', '/monitors', asked)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const { id } = made.body.data
  const monitor = async () => (await call(url, 'GET', `/monitors/${id}`)).body.data
  await eventually(async () => ((await monitor()).status === 'up' ? true : undefined), 60_000)
  isUp = false
  const incident = await eventually(async () => {
    const { data } = (await call(url, 'GET', `/incidents?monitor_id=${id}`)).body
    return data.find((each: { monitor_id: string }) => each.monitor_id === id)
  }, 60_000)
  isUp = true
  await eventually(async () => {
    const { data } = (await call(url, 'GET', `/incidents/${incident.id}`)).body
    return data.status === 'resolved' || undefined
  }, 60_000)
  expect((await call(url, 'DELETE', `/monitors/${id}`)).status).toBeLessThan(300)
}

test.skipIf(commit === null)(
  'the version before serves on the newest schema, with an agent of this version',
  {
    timeout: 400_000,
  },
  async () => {
    console.log(`the version before: ${commit}`)
    const plane = await serveBefore('api', 'ingest', 'worker')
    const region = 'of-this-version'
    const agent = await startAgent(
      readAgentConfig({
        ...{ VEDETTE_URL: plane.url, REGION: region, LOG_LEVEL: 'silent', EGRESS_ALLOW: '127.0.0.0/8' },
        ...{ DATA_DIR: join(folder, region), ENROLMENT_TOKEN: (await createEnrolment(served.platform, region)).plain },
      }),
    )
    onTestFinished(() => agent.stop())
    await detects(plane.url, region)
    // this version's API beside it reads and writes the same
    const made = await call(served.plane.baseUrl, 'POST', '/monitors', { name: 'Beside', url: siteUrl() })
    expect(made.status).toBe(201)
    const read = await call(plane.url, 'GET', `/monitors/${made.body.data.id}`)
    expect(read.body.data).toMatchObject({ id: made.body.data.id, name: 'Beside' })
    expect((await call(plane.url, 'PATCH', `/monitors/${made.body.data.id}`, { name: 'Before' })).status).toBe(200)
    expect((await call(served.plane.baseUrl, 'GET', `/monitors/${made.body.data.id}`)).body.data.name).toBe('Before')
  },
)

test.skipIf(commit === null)(
  'this version serves with an agent of the version before',
  { timeout: 300_000 },
  async () => {
    const plane: ControlPlane = await startControlPlane({ ...served.config, port: 0 }, ['api', 'ingest'])
    onTestFinished(() => plane.close())
    const region = 'of-the-version-before'
    const agent = new OtherVersion(before, ['probe'], {
      ...{ VEDETTE_URL: plane.baseUrl, REGION: region, EGRESS_ALLOW: '127.0.0.0/8' },
      ...{ DATA_DIR: join(folder, region), ENROLMENT_TOKEN: (await createEnrolment(served.platform, region)).plain },
    })
    onTestFinished(() => agent.stop())
    await eventually(async () => {
      agent.mustRun()
      return (await served.platform.query('select from regions where name = $1', [region])).rowCount || undefined
    }, 60_000)
    await detects(plane.baseUrl, region).catch(error => Promise.reject(new Error(agent.log, { cause: error })))
  },
)

test.skipIf(commit === null)(
  'the migration of the version before refuses the newest schema',
  { timeout: 120_000 },
  () => {
    const env = {
      ...{
        PATH: process.env.PATH ?? '',
        DATABASE_OWNER_URL: served.stores.ownerUrl,
        DATABASE_URL: served.stores.appUrl,
      },
      ...{ DATABASE_PLATFORM_URL: served.stores.platformUrl, CLICKHOUSE_URL: served.stores.clickhouseUrl },
    }
    const migrate = () =>
      execFileSync(process.execPath, ['cli/main.ts', 'migrate'], { cwd: before, env, encoding: 'utf8', stdio: 'pipe' })
    expect(migrate).toThrow(expect.objectContaining({ status: 4 }))
  },
)
