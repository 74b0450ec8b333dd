import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { agentPaths, limits } from '#contract/agent.ts'
import { mintSecret } from '#control-plane/base/token-secret.ts'
import { createEnrolment } from '#control-plane/engine/agents/create-enrolment.ts'
import { revokeAgent } from '#control-plane/engine/agents/revoke.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { enrolment, makeKeys, type OpenStream, RawAgent } from './raw-agent.ts'

let served: Serving
beforeAll(async () => {
  served = await serving('gateway', { roles: ['api', 'ingest'] })
})
afterAll(() => served?.close())

const streams: OpenStream[] = []
afterEach(() => {
  for (const stream of streams.splice(0)) stream.break()
})
const open = async (agent: RawAgent) => {
  const stream = await agent.work()
  streams.push(stream)
  return stream
}
let count = 0
const aRegion = () => `region-${++count}`

describe('enrolment', () => {
  test('a token enrols one agent of twenty concurrent requests', async () => {
    const region = aRegion()
    const { plain } = await createEnrolment(served.platform, region)
    const replies = await Promise.all(
      Array.from({ length: 20 }, async () => new RawAgent(served, region, await makeKeys()).enrol(plain)),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(401)])
    const { rows } = await served.platform.query('select id from agents where region = $1', [region])
    expect(rows).toHaveLength(1)
  })

  test('the same key may repeat the request with the token it has used', async () => {
    const region = aRegion()
    const { plain } = await createEnrolment(served.platform, region)
    const agent = new RawAgent(served, region, await makeKeys())
    const [first, again] = [await agent.enrol(plain), await agent.enrol(plain)]
    expect(again.status).toBe(201)
    expect(again.body.agent_id).toBe(first.body.agent_id)
  })

  test('a token for one region enrols in no other, and stays valid', async () => {
    const region = aRegion()
    const { plain } = await createEnrolment(served.platform, region)
    const agent = new RawAgent(served, region, await makeKeys())
    expect((await agent.enrol(plain, 'elsewhere')).status).toBe(422)
    expect((await agent.enrol(plain)).status).toBe(201)
  })

  test('a proof of another key, token or region is refused, and the token stays valid', async () => {
    const region = aRegion()
    const { plain } = await createEnrolment(served.platform, region)
    const agent = new RawAgent(served, region, await makeKeys())
    const proofs = [
      enrolment(await makeKeys(), plain, region).proof,
      enrolment(agent.keys, mintSecret('ag').plain, region).proof,
      enrolment(agent.keys, plain, 'elsewhere').proof,
      '',
      'A'.repeat(86),
    ]
    for (const proof of proofs) {
      const { status, body } = await agent.enrol(plain, region, { proof })
      expect([status, Object.keys(body.errors)], proof.slice(0, 8)).toEqual([422, ['proof']])
    }
    expect((await agent.enrol(plain)).status).toBe(201)
  })

  test('an older agent without a proof is asked to upgrade', async () => {
    const agent = new RawAgent(served, aRegion(), await makeKeys())
    const { protocol: _, proof: __, ...before } = enrolment(agent.keys, mintSecret('ag').plain, agent.region)
    const { status, body } = await agent.post(agentPaths.enrol, before)
    expect(status).toBe(422)
    expect(body.errors.protocol).toEqual([expect.stringContaining('install its version of the agent')])
  })

  test('a key of small order, under which any signature holds, is refused', async () => {
    const agent = new RawAgent(served, aRegion(), await makeKeys())
    const { plain } = await createEnrolment(served.platform, agent.region)
    for (const key of [Buffer.alloc(32), Buffer.from([1, ...Array(31).fill(0)]), Buffer.alloc(31), Buffer.alloc(33)]) {
      const { status, body } = await agent.enrol(plain, agent.region, {
        public_key: { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') },
      })
      expect([status, Object.keys(body.errors)]).toEqual([422, ['public_key.x']])
    }
    expect((await agent.enrol(plain)).status).toBe(201)
  })

  test('unknown, mistyped and expired tokens are refused alike', async () => {
    const agent = new RawAgent(served, aRegion(), await makeKeys())
    const { plain, id } = await createEnrolment(served.platform, null)
    await served.platform.query(`update agent_enrolments set expires_at = now() - interval '1 second' where id = $1`, [
      id,
    ])
    for (const token of [plain, `${plain.slice(0, -1)}x`, 'ag-nonsense', ''])
      expect((await agent.enrol(token)).status).toBe(401)
  })
})

describe('access tokens', () => {
  test('an assertion is valid once', async () => {
    const agent = await RawAgent.enrolled(served, aRegion())
    const assertion = await agent.assertion()
    expect((await agent.ask(assertion)).status).toBe(200)
    expect((await agent.ask(assertion)).status).toBe(401)
  })

  test('an assertion of another key, audience or agent, too old, too long or from the future is refused', async () => {
    const [agent, other] = await Promise.all([
      RawAgent.enrolled(served, aRegion()),
      RawAgent.enrolled(served, aRegion()),
    ])
    const now = Math.floor(Date.now() / 1000)
    const forged = [
      agent.assertion({}, other.keys.privateKey),
      agent.assertion({ aud: 'another' }),
      agent.assertion({ sub: other.id }),
      agent.assertion({ iss: randomUUID() }),
      agent.assertion({ iat: now - 120 }),
      agent.assertion({ iat: now + 120 }),
      agent.assertion({ life: 3_600 }),
      Promise.resolve('not.a.jwt'),
    ]
    for (const assertion of forged) expect((await agent.ask(await assertion)).status).toBe(401)
  })

  test('the refusal shows the time of the server to an agent whose clock is off', async () => {
    const agent = await RawAgent.enrolled(served, aRegion())
    const { status, body, headers } = await agent.ask(
      await agent.assertion({ iat: Math.floor(Date.now() / 1000) - 3_600 }),
    )
    expect(status).toBe(401)
    expect(Math.abs(body.now_ms - Date.now())).toBeLessThan(5_000)
    expect(Math.abs(Date.parse(headers.get('date') ?? '') - Date.now())).toBeLessThan(5_000)
  })

  test('a missing, foreign or unsigned token is refused in place of an access token', async () => {
    const agent = new RawAgent(served, aRegion(), await makeKeys())
    for (const token of ['', 'ss-something', 'eyJhbGciOiJub25lIn0.e30.']) {
      agent.token = token
      expect((await agent.beat(1)).status).toBe(401)
      expect((await agent.work()).status).toBe(401)
      expect((await agent.results(1, [])).status).toBe(401)
    }
  })
})

describe('leases', () => {
  test('a second agent waits while the first reports, and takes over at once when its connection breaks', async () => {
    const region = aRegion()
    const [first, second] = await Promise.all([RawAgent.enrolled(served, region), RawAgent.enrolled(served, region)])
    const stream = await (await open(first)).synced()
    expect((await second.work()).status).toBe(409)
    stream.break()
    const taken = await eventually(async () => {
      const next = await open(second)
      return next.status === 200 ? next : undefined
    })
    await taken.synced()
    expect(taken.generation).toBe(stream.generation + 1)
  })

  test('one of ten concurrent agents takes the region', async () => {
    const region = aRegion()
    const agents = await Promise.all(Array.from({ length: 10 }, () => RawAgent.enrolled(served, region)))
    const opened = await Promise.all(agents.map(open))
    expect(opened.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
  })

  test('a replaced agent is fenced off: its results are refused', async () => {
    const region = aRegion()
    const [zombie, successor] = await Promise.all([
      RawAgent.enrolled(served, region),
      RawAgent.enrolled(served, region),
    ])
    const old = await (await open(zombie)).synced()
    old.break()
    await eventually(async () => ((await open(successor)).status === 200 ? true : undefined))
    expect((await zombie.beat(old.generation)).status).toBe(409)
    expect((await zombie.beat(old.generation + 1)).status).toBe(409)
    expect((await zombie.results(old.generation, [])).status).toBe(409)
    expect((await zombie.results(old.generation + 1, [])).status).toBe(409)
  })

  test('a second process with the same key is refused, the process itself may reconnect over a dead connection', async () => {
    const agent = await RawAgent.enrolled(served, aRegion())
    const twin = await agent.twin()
    const stream = await (await open(agent)).synced()
    expect((await open(twin)).status).toBe(409)
    const again = await (await open(agent)).synced()
    expect(again.status).toBe(200)
    expect(again.generation).toBe(stream.generation + 1)
    await stream.ended()
  })

  test('the generation outlives a restart', async () => {
    const region = aRegion()
    const agent = await RawAgent.enrolled(served, region)
    const { generation } = await (await open(agent)).synced()
    await served.restart(['api', 'ingest'])
    expect((await agent.beat(generation)).status).toBe(200)
    expect((await agent.beat(generation - 1)).status).toBe(409)
    expect((await (await open(agent)).synced()).generation).toBe(generation + 1)
  })

  test('a revoked agent is cut off at once and for good', async () => {
    const agent = await RawAgent.enrolled(served, aRegion())
    const stream = await (await open(agent)).synced()
    await revokeAgent(served.platform, agent.id)
    await stream.ended()
    expect((await agent.beat(stream.generation)).status).toBe(401)
    expect((await agent.results(stream.generation, [])).status).toBe(401)
    expect((await agent.work()).status).toBe(401)
    expect((await agent.ask(await agent.assertion())).status).toBe(401)
  })
})

describe('results', () => {
  test('count for the region of the key, and only for its own enabled checks', async () => {
    const [region, elsewhere] = [aRegion(), aRegion()]
    const agent = await RawAgent.enrolled(served, region)
    await RawAgent.enrolled(served, elsewhere)
    const tenant = await served.tenant()
    const url = 'http://127.0.0.1:1'
    const mine = await served.monitor(tenant, url, { regions: [region] })
    const foreign = await served.monitor(tenant, url, { regions: [elsewhere] })
    const paused = await served.monitor(tenant, url, { regions: [region] })
    const stream = await (await open(agent)).synced()
    await eventually(() => (stream.checks.has(mine.check) && stream.checks.has(paused.check) ? true : undefined))
    await served.platform.query('update monitors set is_enabled = false where id = $1', [paused.monitor])
    await eventually(() => (stream.checks.has(paused.check) ? undefined : true))
    await new Promise(resolve => setTimeout(resolve, 1_100))

    const now = Date.now()
    const { status, body } = await agent.results(stream.generation, [
      { check: mine.check },
      { check: foreign.check },
      { check: paused.check },
      { check: randomUUID() },
      { check: mine.check, kind: 'ssl' },
      { check: mine.check, due: now + 3_600_000 },
      { check: mine.check, due: now - 40 * 86_400_000 },
    ])
    expect(status).toBe(200)
    expect(body.accepted).toBe(1)
    expect(body.refused.map(({ reason }: { reason: string }) => reason)).toEqual([
      'not_assigned',
      'not_assigned',
      'not_assigned',
      'wrong_kind',
      'future',
      'too_old',
    ])
  })
})

describe('limits', () => {
  test('malformed and oversized requests are refused as JSON', async () => {
    const agent = await RawAgent.enrolled(served, aRegion())
    const { generation } = await (await open(agent)).synced()
    const huge = Buffer.alloc(limits.batchBytes + 1, 10)
    const cases: [string, unknown, number][] = [
      [agentPaths.beat, '{', 400],
      [agentPaths.beat, { generation: 'x' }, 422],
      [agentPaths.beat, 'x'.repeat(70_000), 413],
      [agentPaths.enrol, { token: 5 }, 422],
      [agentPaths.results, 'no header\n', 400],
      [agentPaths.results, huge, 413],
      ['/agent/v1/none', {}, 404],
      [agentPaths.work, {}, 405],
    ]
    for (const [path, body, expected] of cases) {
      const reply = await agent.post(path, body)
      expect(reply.status, `${path} ${String(body).slice(0, 20)}`).toBe(expected)
      expect(reply.body.message).toEqual(expect.any(String))
    }
    expect((await agent.beat(generation)).status).toBe(200)
  })

  test('a body that never arrives is cut off, and so are headers that arrive slowly', async () => {
    const { port } = new URL(served.plane.baseUrl)
    const drip = (text: string) =>
      new Promise<number>((resolve, reject) => {
        const started = performance.now()
        const socket = connect(Number(port), '127.0.0.1', () => socket.write(text))
        const timer = setInterval(() => socket.write('X-a: b\r\n'), 500)
        socket.on('error', () => undefined)
        socket.on('close', () => {
          clearInterval(timer)
          resolve(performance.now() - started)
        })
        socket.resume()
        setTimeout(() => reject(new Error('still open')), 20_000).unref()
      })
    expect(await drip(`POST ${agentPaths.beat} HTTP/1.1\r\nHost: x\r\n`)).toBeLessThan(12_000)
  })
})

describe('late results', () => {
  test('of a withdrawn check are accepted if the run was made before, and refused if after', async () => {
    const region = aRegion()
    const agent = await RawAgent.enrolled(served, region)
    const { monitor, check } = await served.monitor(await served.tenant(), 'http://127.0.0.1:1', { regions: [region] })
    const stream = await (await open(agent)).synced()
    await eventually(() => (stream.checks.has(check) ? true : undefined))
    const before = Date.now()
    await served.platform.query('update monitors set is_enabled = false where id = $1', [monitor])
    await eventually(() => (stream.checks.has(check) ? undefined : true))
    const { body } = await agent.results(stream.generation, [
      { check, due: before - 30_000 },
      { check, due: Date.now() + 5_000 },
    ])
    expect(body.accepted).toBe(1)
    expect(body.refused.map(({ seq, reason }: { seq: number; reason: string }) => [seq, reason])).toEqual([
      [1, 'not_assigned'],
    ])
  })
})
