import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentPaths } from '#contract/agent.ts'
import { mintSecret } from '#control-plane/base/token-secret.ts'
import { createEnrolment } from '#control-plane/engine/agents/create-enrolment.ts'
import { type Serving, serving } from '#test/control-plane/serving.ts'
import { enrolment, makeKeys, RawAgent } from './raw-agent.ts'

describe('proofs', () => {
  let served: Serving
  beforeAll(async () => {
    served = await serving('agent_proofs', { roles: ['api', 'ingest'], config: { trustedProxies: 1 } })
  })
  afterAll(() => served?.close())
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const counted = (statuses: number[]) =>
    Object.fromEntries(
      Map.groupBy(statuses, status => status)
        .entries()
        .map(([status, all]) => [status, all.length]),
    )

  test('of an address that fail are refused with 401 up to the 120th in a minute, and one that holds is never refused for them', async () => {
    const agent = await RawAgent.enrolled(served, 'proofs-a')
    const stranger = from('203.0.113.1')
    const statuses: number[] = []
    for (let n = 0; n < 125; n++)
      statuses.push((await agent.post(agentPaths.token, { assertion: 'x' }, stranger)).status)
    expect(counted(statuses)).toEqual({ 401: 120, 429: 5 })
    expect((await agent.post(agentPaths.token, { assertion: await agent.assertion() }, stranger)).status).toBe(200)
    expect((await agent.post(agentPaths.token, { assertion: 'x' }, from('203.0.113.2'))).status).toBe(401)
  })

  test('of one agent that hold are taken 120 times in a minute, whatever its address', async () => {
    const agent = await RawAgent.enrolled(served, 'proofs-b')
    const other = await RawAgent.enrolled(served, 'proofs-c')
    const statuses: number[] = []
    for (let n = 0; n < 121; n++)
      statuses.push(
        (await agent.post(agentPaths.token, { assertion: await agent.assertion() }, from(`203.0.114.${n}`))).status,
      )
    // the first was used to enrol
    expect(counted(statuses)).toEqual({ 200: 119, 429: 2 })
    expect(
      (await other.post(agentPaths.token, { assertion: await other.assertion() }, from('203.0.114.1'))).status,
    ).toBe(200)
  })

  test('enrolment tokens guessed at one address are refused with 401 up to the 60th, and a good one from elsewhere is taken', async () => {
    const agent = new RawAgent(served, 'proofs-d', await makeKeys())
    const ask = (token: string, address: string) =>
      agent.post(agentPaths.enrol, enrolment(agent.keys, token, agent.region), from(address))
    const statuses: number[] = []
    for (let n = 0; n < 62; n++) statuses.push((await ask(mintSecret('ag').plain, '203.0.113.9')).status)
    expect(counted(statuses)).toEqual({ 401: 60, 429: 2 })
    const { plain } = await createEnrolment(served.platform, agent.region)
    expect((await ask(plain, '203.0.113.10')).status).toBe(201)
    expect((await agent.post(agentPaths.token, { assertion: 'x' }, from('203.0.113.9'))).status).toBe(401)
  })
})
