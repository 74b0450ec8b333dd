import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ControlPlane, startControlPlane } from '#cli/serve/serve.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const tenantRate = 20
let plane: ControlPlane
beforeAll(async () => {
  plane = await startControlPlane({ ...app.services.config, port: 0, metricsPort: 0, tenantRate }, ['api'])
})
afterAll(() => plane.close())

const ask = (caller: CallerUnderTest, path: string) =>
  fetch(`${plane.baseUrl}/api/v1${path}`, {
    headers: { Authorization: `Bearer ${caller.token}`, 'X-Forwarded-For': caller.ip },
  })

describe('requests of one tenant', () => {
  test('are limited for all its tokens together, apart from other tenants', async () => {
    const owner = await given.tenant()
    const tokens = [
      owner,
      await given.colleague(owner, 'admin'),
      await given.token(owner, 'sk', ['monitors:read']),
      await given.token(owner, 'svc', ['monitors:read']),
    ]
    const statuses: number[] = []
    for (let i = 0; i < tenantRate + 4; i++) statuses.push((await ask(tokens[i % tokens.length]!, '/monitors')).status)
    expect(statuses.filter(status => status === 200)).toHaveLength(tenantRate)
    expect(statuses.slice(tenantRate)).toEqual([429, 429, 429, 429])
    const refused = await ask(tokens[0]!, '/monitors')
    expect([refused.headers.get('x-ratelimit-limit'), Number(refused.headers.get('retry-after')) > 0]).toEqual([
      String(tenantRate),
      true,
    ])
    expect(await refused.json()).toMatchObject({ code: 'rate_limited' })
    expect((await ask(await given.tenant(), '/monitors')).status).toBe(200)
  })

  test('do not include those of its impersonators, which count for their own tenant', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const standIn = await given.impersonation(reseller, team)
    for (let i = 0; i < tenantRate; i++) expect((await ask(standIn, '/monitors')).status).toBe(200)
    for (const caller of [standIn, reseller]) expect((await ask(caller, '/reseller/managed-teams')).status).toBe(429)
    expect((await ask(team, '/monitors')).status).toBe(200)
  })
})
