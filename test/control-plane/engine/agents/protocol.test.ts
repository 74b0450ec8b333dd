import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { installationFindings } from '#cli/commands/doctor-installation.ts'
import { startControlPlane } from '#cli/serve/serve.ts'
import { agentHeaders, agentPaths, agentProtocol } from '#contract/agent.ts'
import { build as version } from '#contract/version.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { createEnrolment } from '#control-plane/engine/agents/create-enrolment.ts'
import { readConfig } from '#probe-agent/config.ts'
import { type RunningAgent, startAgent } from '#probe-agent/main.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { enrolment, makeKeys, RawAgent } from './raw-agent.ts'

const { previous, present } = agentProtocol
const spoken = { oldest_spoken: previous, newest_spoken: present }

let served: Serving
let target: Server
/** The token of an operator's session. */
let operator: string
beforeAll(async () => {
  served = await serving('protocol', { roles: ['api', 'ingest'] })
  operator = await operatorOf(served)
  target = createServer((_, response) => void response.end('ok')).listen(0, '127.0.0.1')
})
afterAll(async () => {
  await served?.close()
  target?.close()
})

let region: string
let count = 0
beforeEach(() => {
  region = `protocol-${++count}`
})

const headers = (protocol: number | string) => ({
  [agentHeaders.protocol]: String(protocol),
  [agentHeaders.version]: '9.8.7',
})
const refusedMetric = async () => {
  const text = await (await fetch(`${served.plane.metricsUrl}/metrics`)).text()
  return Object.fromEntries(
    [...text.matchAll(/^vedette_refused_agents\{why="(\w+)"\} (\d+)$/gm)].map(([, why, n]) => [why, Number(n)]),
  )
}
const storedOf = async (check: string): Promise<number[]> => {
  const answer = await served.plane.services.clickhouse.query({
    query:
      'select toUnixTimestamp64Milli(due) as due_ms from check_results final where check_id = {check: UUID} order by due',
    query_params: { check },
    format: 'JSONEachRow',
  })
  return (await answer.json<{ due_ms: string }>()).map(each => Number(each.due_ms))
}

describe('an agent of the protocol before', () => {
  test.each([
    ['names it', headers(previous)],
    ['says nothing', {}],
  ])('is served and answered once when its results are stored, whether it %s', async (_, said) => {
    const agent = await RawAgent.enrolled(served, region)
    const stream = await agent.work()
    onTestFinished(() => stream.break())
    await stream.synced()
    expect(stream.frames[0]).toMatchObject({ type: 'hello', protocol: previous, generation: 1 })
    expect((await agent.beat(1)).status).toBe(200)
    const { check } = await served.monitor(await served.tenant(), 'https://shop.example.com', { regions: [region] })
    await eventually(() => (stream.checks.has(check) ? true : undefined))
    expect(await agent.results(1, [{ check, isGood: true }], { headers: said })).toMatchObject({
      status: 200,
      body: { accepted: 1 },
    })
    expect(await storedOf(check)).toHaveLength(1)
    expect((await agent.post(agentPaths.beat, { generation: 1 }, said)).status).toBe(422)
  })
})

describe('an agent of the present protocol', () => {
  test('is answered in its protocol, which the first frame names', async () => {
    const { plain } = await createEnrolment(served.platform, region)
    const folder = mkdtempSync(join(tmpdir(), 'vedette-agent-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const lines: Record<string, unknown>[] = []
    const agent = await open(folder, { token: plain, lines })
    onTestFinished(() => agent.stop())
    await eventually(() => (lines.some(({ msg }) => msg === 'region assigned') ? true : undefined))
    expect(await regionOf()).toMatchObject({ is_reporting: true, refused_agents: [] })
  })

  test('is answered twice, and has results stored alone that were decided on', async () => {
    const agent = await RawAgent.enrolled(served, region)
    const stream = await agent.work()
    onTestFinished(() => stream.break())
    await stream.synced()
    const { check } = await served.monitor(await served.tenant(), 'https://shop.example.com', { regions: [region] })
    await eventually(() => (stream.checks.has(check) ? true : undefined))
    const due = Date.now() - 1_000
    const said = { headers: headers(present) }
    const decided = await agent.results(1, [{ check, due, isGood: true }, { check: randomUUID() }], said)
    expect(decided).toMatchObject({
      status: 200,
      body: [{ accepted: 1, refused: [{ seq: 1, reason: 'not_assigned' }] }, { stored: true }],
    })
    expect(await storedOf(check)).toEqual([due])
    const later = due - 60_000
    const kept = await agent.results(1, [{ check, due: later }], { ...said, path: agentPaths.store })
    expect(kept).toMatchObject({ status: 200, body: { accepted: 1, refused: [] } })
    expect(await storedOf(check)).toEqual([later, due])
    expect((await agent.results(2, [{ check }], { ...said, path: agentPaths.store })).status).toBe(409)
  })
})

describe('an agent that is too old or too new', () => {
  const cases = [
    { protocol: previous - 1, why: 'too_old', mend: 'the agent is too old: upgrade it to the version of the' },
    { protocol: present + 1, why: 'too_new', mend: 'the agent is too new: upgrade the control plane first.' },
  ] as const

  test.each(cases)(
    'protocol $protocol is refused wherever it asks, with what to upgrade',
    async ({ protocol, mend }) => {
      const agent = await RawAgent.enrolled(served, region)
      const bodies = {
        [agentPaths.token]: { assertion: await agent.assertion() },
        [agentPaths.beat]: { generation: 1 },
        [agentPaths.results]: '{}\n',
        [agentPaths.store]: '{}\n',
        [agentPaths.crawl]: {},
        [agentPaths.findings]: {},
      }
      for (const [path, body] of Object.entries(bodies)) {
        const refused = await agent.post(path, body, headers(protocol))
        expect(refused, path).toMatchObject({
          status: 426,
          body: { code: 'protocol_not_spoken', protocol, ...spoken, message: expect.stringContaining(mend) },
        })
        expect(refused.headers.get('retry-after')).toBe('60')
        expect(refused.body.message).toContain(
          `The agent (version 9.8.7) speaks protocol ${protocol}, ` +
            `this control plane (version ${version}) speaks ${previous} and ${present}`,
        )
      }
      const work = await fetch(served.plane.baseUrl + agentPaths.work, {
        headers: { ...headers(protocol), authorization: `Bearer ${agent.token}` },
      })
      expect(work.status).toBe(426)
    },
  )

  test('a protocol that is no number is refused as too old', async () => {
    const agent = await RawAgent.enrolled(served, region)
    for (const nonsense of ['', 'two', '-2', '2.5', '9'.repeat(30)])
      expect((await agent.post(agentPaths.beat, {}, headers(nonsense))).status).toBe(426)
  })

  test('does not use up its enrolment token', async () => {
    const { plain } = await createEnrolment(served.platform, region)
    const agent = new RawAgent(served, region, await makeKeys())
    const body = enrolment(agent.keys, plain, region)
    expect((await agent.post(agentPaths.enrol, body, headers(present + 1))).status).toBe(426)
    expect((await agent.post(agentPaths.enrol, body, headers(present))).status).toBe(201)
  })

  test('without a valid token is unknown before anything else, and not recorded', async () => {
    const agent = await RawAgent.enrolled(served, region)
    agent.token = `${agent.token}x`
    expect((await agent.post(agentPaths.beat, {}, headers(present + 1))).status).toBe(401)
    expect((await regionOf())?.refused_agents).toEqual([])
  })

  test.each(cases)(
    'protocol $protocol keeps its spool and is listed, and after its upgrade the results arrive',
    async ({ protocol, why, mend }) => {
      const folder = mkdtempSync(join(tmpdir(), 'vedette-agent-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`
      const { check } = await served.monitor(await served.tenant(), url, { regions: [region], interval: 1 })
      const { plain } = await createEnrolment(served.platform, region)
      const before = await open(folder, { token: plain })
      await eventually(async () => ((await storedOf(check)).length > 1 ? true : undefined))

      // the control plane is away for its upgrade, while the agent goes on
      const port = Number(new URL(served.plane.baseUrl).port)
      await served.plane.close()
      await eventually(() => (before.figures().spooled >= 2 ? true : undefined))
      await before.stop()
      served.plane = await startControlPlane({ ...served.config, port }, ['api', 'ingest'])
      const stored = await storedOf(check)

      const lines: Record<string, unknown>[] = []
      const refused = await open(folder, { lines, protocol })
      const { spooled } = refused.figures()
      expect(spooled).toBeGreaterThanOrEqual(2)
      const logged = await eventually(() => lines.find(({ level }) => level === 50))
      expect(logged).toMatchObject({ protocol, version, ...spoken })
      expect(logged.msg).toContain(mend)
      expect(logged.msg).toContain('Results are kept in the spool until then.')
      const shown = await eventually(async () => {
        const found = await regionOf()
        return found?.refused_agents.length ? found : undefined
      })
      expect(shown.refused_agents).toEqual([
        {
          id: expect.any(String),
          name: expect.any(String),
          protocol,
          version,
          spoken_protocols: [previous, present],
          reason: expect.stringContaining(mend),
          refused_at: expect.any(String),
        },
      ])
      const counted = (await refusedMetric())[why] ?? 0
      expect(counted).toBeGreaterThanOrEqual(1)
      const found = await installationFindings({ DATABASE_PLATFORM_URL: served.config.platformUrl })
      const agents = found.find(({ title }) => title === 'Agents')
      expect(agents).toMatchObject({ state: 'bad' })
      expect(agents?.words).toContain(`in ${region}: The agent (version ${version})`)
      expect(agents?.words).toContain(mend)
      // it does not ask again and again, and nothing of its spool is gone
      await new Promise(resolve => setTimeout(resolve, 3_000))
      expect(lines.filter(({ level }) => Number(level) >= 40)).toHaveLength(1)
      expect(refused.figures()).toMatchObject({ spooled, dropped: 0, accepted: 0 })
      await refused.stop()
      expect(await storedOf(check)).toEqual(stored)

      const upgraded = await open(folder)
      onTestFinished(() => upgraded.stop())
      await eventually(() => (upgraded.figures().accepted >= spooled ? true : undefined))
      await eventually(async () => ((await storedOf(check)).length >= stored.length + spooled ? true : undefined))
      expect((await regionOf())?.refused_agents).toEqual([])
      expect((await refusedMetric())[why]).toBe(counted - 1) // those of other tests stay refused
    },
    120_000,
  )
})

async function operatorOf({ platform }: Serving): Promise<string> {
  const [userId, tenantId] = [randomUUID(), await served.tenant()]
  await platform.query(
    `insert into users (id, name, email, is_super_admin, home_tenant_id, email_verified_at)
      values ($1, 'Olga Operator', $2, true, $3, now())`,
    [userId, `${userId}@people.test`, tenantId],
  )
  await platform.query(`insert into memberships (user_id, tenant_id, role) values ($1, $2, 'owner')`, [
    userId,
    tenantId,
  ])
  const asked = { kind: 'ss', tenantId, userId, name: 'test', expiresAt: null } as const
  return (await createToken(platform, { ...asked, scopes: [] })).plain
}

/** The region as the operator's list has it. */
async function regionOf() {
  const response = await fetch(`${served.plane.baseUrl}/api/v1/platform/regions?per_page=100`, {
    headers: { authorization: `Bearer ${operator}` },
  })
  const { data } = (await response.json()) as {
    data: { name: string; is_reporting: boolean; refused_agents: { refused_at: string }[] }[]
  }
  return data.find(({ name }) => name === region)
}

interface Opening {
  token?: string
  lines?: Record<string, unknown>[]
  protocol?: number
}

/** An agent on this folder; its log lines go to `lines`. */
function open(folder: string, { token = '', lines = [], protocol }: Opening = {}): Promise<RunningAgent> {
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const settings = {
    VEDETTE_URL: served.plane.baseUrl,
    REGION: region,
    DATA_DIR: folder,
    EGRESS_ALLOW: '127.0.0.0/8',
    LAG_LIMIT_MS: '20000',
    ...(token && { ENROLMENT_TOKEN: token }),
  }
  return startAgent(readConfig(settings), { log, ...(protocol !== undefined && { protocol }) })
}
