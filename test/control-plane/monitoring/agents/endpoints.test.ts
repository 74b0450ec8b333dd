import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { enrolAgent } from '#control-plane/monitoring/agents/enrol.ts'
import { app, given } from '#test/support/app.ts'
import { makeKeys } from './raw-agent.ts'

const enrol = async (token: string, region: string) =>
  enrolAgent(app.services.platform, {
    token,
    region,
    name: 'agent',
    public_key: (await makeKeys()).publicKey as { kty: 'OKP'; crv: 'Ed25519'; x: string },
  })

describe('the agents of an operator', () => {
  test('are enrolled by a token that is shown once, listed, and revoked for good', async () => {
    const operator = await given.operator()
    const region = `r-${randomUUID().slice(0, 8)}`
    const minted = await operator.post('/agents/enrolment-tokens', { region })
    expect(minted.status).toBe(201)
    const { token } = minted.body.data
    const id = await enrol(token, region)
    const mine = async () => (await operator.get('/agents?per_page=100')).body.data.find((agent: { id: string }) => agent.id === id)
    expect(await mine()).toMatchObject({ region, state: 'never_seen', revoked_at: null })
    expect((await operator.get('/agents')).text).not.toContain(token.slice(3, 40))
    expect((await operator.delete(`/agents/${id}`)).status).toBe(204)
    expect(await mine()).toMatchObject({ state: 'revoked' })
    expect((await operator.delete(`/agents/${id}`)).status).toBe(204)
    expect(await app.audited(operator)).toEqual(['agent_enrolment.created', 'agent.revoked', 'agent.revoked'])
  })

  test('of a name that no region can have are refused, and agents there are not', async () => {
    const operator = await given.operator()
    expect((await operator.post('/agents/enrolment-tokens', { region: 'Not A Region' })).status).toBe(422)
    expect((await operator.delete(`/agents/${randomUUID()}`)).status).toBe(404)
    expect((await operator.delete('/agents/nonsense')).status).toBe(404)
  })

  test('are nobody else’s business', async () => {
    const tenant = await given.tenant()
    for (const caller of [tenant, await given.reseller(), await given.token(tenant, 'svc', ['monitors:manage'])]) {
      expect((await caller.get('/agents')).status).toBe(403)
      expect((await caller.post('/agents/enrolment-tokens', {})).status).toBe(403)
      expect((await caller.delete(`/agents/${randomUUID()}`)).status).toBe(403)
    }
    expect((await given.stranger().get('/agents')).status).toBe(401)
  })
})

describe('GET /regions', () => {
  test('names the regions, and whether they report', async () => {
    const tenant = await given.tenant()
    const { status, body } = await tenant.get('/regions?per_page=100')
    expect(status).toBe(200)
    expect(body.data).toEqual(expect.arrayContaining([{ name: 'eu-west', is_reporting: expect.any(Boolean) }]))
  })

  test('needs the right to read monitors', async () => {
    const tenant = await given.tenant()
    expect((await (await given.token(tenant, 'svc', ['incidents:read'])).get('/regions')).status).toBe(403)
    expect((await (await given.token(tenant, 'svc', ['monitors:read'])).get('/regions')).status).toBe(200)
  })
})
