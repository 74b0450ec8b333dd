import { randomBytes, randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findPort } from '#cli/local/loopback.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { createEnrolment } from '#control-plane/engine/agents/create-enrolment.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { eventually } from '#test/control-plane/serving.ts'
import { Containers, whyNoContainers } from '#test/support/containers.ts'
import { openDatabases } from '#test/support/databases.ts'
import { store } from '#test/support/stores.ts'

const whyNot = whyNoContainers()
if (whyNot) console.log(`The tests of the images are skipped. ${whyNot}`)
const mb = 1_000_000
/** As compose.yaml and the chart run them. */
const hardened = [
  ...['--rm', '--read-only', '--cap-drop', 'all', '--security-opt', 'no-new-privileges', '--network', 'none'],
  ...['--sysctl', 'net.ipv4.ping_group_range=0 65535', '--tmpfs', '/tmp'],
]

describe.skipIf(whyNot !== undefined)('the images', () => {
  let containers: Containers
  let platform: pg.Pool
  let site: Server
  let sizes: { base: number; agent: number; controlPlane: number }
  beforeAll(async () => {
    containers = await Containers.open()
    const agent = await containers.build('deploy/images/agent.Containerfile', 'vedette-agent')
    const controlPlane = await containers.build('deploy/images/control-plane.Containerfile', 'vedette')
    sizes = { base: await containers.baseSize, agent, controlPlane }
  }, 1_500_000)
  afterAll(async () => {
    site?.close()
    await platform?.end()
    await containers?.close()
  }, 120_000)

  test('are within their sizes', () => {
    const { base, agent, controlPlane } = sizes
    console.log(`beside a base of ${Math.round(base / mb)} MB: agent ${((agent - base) / mb).toFixed(1)} MB,`)
    console.log(`control plane ${((controlPlane - base) / mb).toFixed(1)} MB`)
    expect(agent - base).toBeLessThan(30 * mb)
    expect(controlPlane - base).toBeLessThan(250 * mb)
  })

  test.each(['vedette', 'vedette-agent'])('%s runs as no root, says what it is, and checks its health', async image => {
    const [{ Config: config }] = JSON.parse(await containers.podman('image', 'inspect', image))
    expect(config).toMatchObject({
      User: '10001:10001',
      StopSignal: 'SIGTERM',
      Labels: { 'org.opencontainers.image.licenses': 'AGPL-3.0-or-later' },
    })
    const health = await containers.podman('image', 'inspect', '--format', '{{.HealthCheck.Test}}', image)
    expect(health).toMatch(/^\[CMD node .*health-check\.js\]$/)
    const files = await containers.podman('run', '--rm', '--entrypoint', '/usr/bin/find', image, '/app', '-name', '*')
    for (const tool of ['vitest', 'typescript', 'vite', '@biomejs', 'playwright-core', 'chdb'])
      expect(files, tool).not.toContain(`/node_modules/${tool}/`)
    expect(files).not.toMatch(/^\/app\/(\.env|\.data|\.git|\.local\.json)(\/|$)/m)
  })

  test.each(['vedette', 'vedette-agent'])(
    '%s pings without a capability, and without a way to gain one',
    async image => {
      const words = [...hardened, '--entrypoint', '/usr/bin/ping', image, '-n', '-c', '1', '127.0.0.1']
      expect(await containers.podman('run', ...words)).toContain('1 packets transmitted, 1 received')
    },
  )

  test('vedette doctor goes on in a container without capabilities, and says which ping may not be started', async () => {
    const doctor = async (...more: string[]) => {
      const words = ['run', ...hardened, ...more, 'vedette', 'doctor', '--json']
      const { findings } = JSON.parse(await containers.podmanAnyway(...words))
      return findings.find(({ title }: { title: string }) => title === 'ping')
    }
    expect(await doctor()).toMatchObject({ state: 'good', words: 'installed, and may send' })
    const capable = containers.capablePing()
    expect(await doctor('--volume', `${capable}:/usr/bin/ping:ro`)).toMatchObject({
      state: 'optional',
      words: expect.stringContaining('may not be started, as it has a capability'),
    })
  })

  test('of compose.dev.yaml see a site go down', { timeout: 300_000 }, async () => {
    const stores = await openDatabases('images')
    platform = new pg.Pool({ connectionString: stores.platformUrl, max: 2 })
    const tenantId = await createTenant(platform, {
      ...{ name: 'Team', slug: `t-${randomUUID()}`, plan: 'pro', isReseller: false },
      featureOverrides: { min_check_interval: 1 },
    })
    const scopes = ['monitors:manage', 'incidents:read']
    const asked = { kind: 'svc', tenantId, userId: null, name: 'test', scopes, expiresAt: null } as const
    const { plain: token } = await createToken(platform, asked)
    const region = `images-${randomUUID().slice(0, 8)}`
    const port = await findPort(0)
    const env = {
      DATABASE_URL: stores.appUrl,
      DATABASE_PLATFORM_URL: stores.platformUrl,
      DATABASE_OWNER_URL: stores.ownerUrl,
      CLICKHOUSE_URL: stores.clickhouseUrl,
      TEMPORAL_ADDRESS: (await store('temporal')).address,
      SECRET_KEY: randomBytes(32).toString('hex'),
      PORT: String(port),
      METRICS_PORT: String(await findPort(0)),
      AGENT_METRICS_PORT: String(await findPort(0)),
      REGION: region,
      ENROLMENT_TOKEN: (await createEnrolment(platform, region)).plain,
    }
    const call = async (method: string, path: string, body?: object) => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      // biome-ignore lint/suspicious/noExplicitAny: the test reads what it asked for
      return { status: response.status, body: (await response.json()) as any }
    }
    const printed = await containers.compose('deploy/compose.dev.yaml', env, 'up', '-d')
    const names = (await containers.podman('ps', '--format', '{{.Names}}')).split('\n')
    expect(names, printed).toHaveLength(2)
    await eventually(async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
      return answer?.ok || undefined
    }, 90_000).catch(async error => {
      throw new Error((await Promise.all(names.map(name => containers.logs(name)))).join('\n'), { cause: error })
    })

    site = createServer((_, response) => void response.end('here'))
    await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
    const made = await call('POST', '/monitors', { name: 'Site', url, check_interval: 1, timeout: 1 })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const monitor = async () => (await call('GET', `/monitors/${made.body.data.id}`)).body.data
    await eventually(async () => ((await monitor()).status === 'up' ? true : undefined), 60_000)
    site.close()
    site.closeAllConnections()
    const [incident] = await eventually(async () => {
      const { data } = (await call('GET', '/incidents')).body
      return data.length > 0 ? data : undefined
    }, 60_000)
    expect(incident).toMatchObject({ monitor_id: made.body.data.id, status: 'investigating' })

    for (const name of names) {
      await containers.podman('healthcheck', 'run', name)
      await expect(containers.podman('exec', name, 'touch', '/app/x'), name).rejects.toThrow('Read-only file system')
      await containers.podman('stop', '--time', '20', name)
      const [{ State: state }] = JSON.parse(await containers.podman('inspect', name))
      expect(state, name).toMatchObject({ Status: 'exited', ExitCode: 0 })
    }
  })
})
