import { randomInt, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { mintSecret } from '#control-plane/base/token-secret.ts'
import { app, given } from '#test/support/app.ts'
import { allowed, leastDifference, timingRounds, withoutId } from '#test/support/timing.ts'

const { platform } = app.services
const rounds = timingRounds(120)
const timeout = 120_000 + rounds * 1_000

async function ask(token: string, headers: Record<string, string> = {}) {
  const started = performance.now()
  const response = await fetch(`${app.baseUrl}/api/v1/tags`, {
    headers: {
      Authorization: `Bearer ${token}`,
      'X-Forwarded-For': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`,
      ...headers,
    },
  })
  const text = await response.text()
  return { ms: performance.now() - started, status: response.status, bytes: withoutId(text) }
}

test('neither the answer nor its delay distinguishes a deleted token from an unknown one', { timeout }, async () => {
  const reseller = await given.reseller()
  const disabled: string[] = []
  for (let i = 0; i < 20; i++) {
    const { body } = await reseller.post('/reseller/tokens', { name: 'x', scopes: ['teams:read'] })
    disabled.push(body.plain_text_token)
  }
  await platform.query(`update tokens set is_active = false where tenant_id = $1 and name = 'x'`, [reseller.tenantId])
  const never = disabled.map(() => mintSecret('rk').plain)
  const difference = await leastDifference(
    'disabled and never issued token',
    rounds,
    [round => ask(disabled[round % disabled.length]!), round => ask(never[round % never.length]!)],
    0.01,
  )
  expect(difference).toBeLessThan(allowed(0.01))
})

test('neither the answer nor its delay distinguishes a foreign tenant from an unknown one', { timeout }, async () => {
  const [reseller, rival] = [await given.reseller(), await given.reseller()]
  const foreign = await given.team(rival)
  const tokens = await Promise.all(
    Array.from({ length: 8 }, async () => (await given.token(reseller, 'rk', ['monitors:read'])).token!),
  )
  let order = 0
  const difference = await leastDifference('foreign and unknown tenant', rounds, [
    () => ask(tokens[order++ % tokens.length]!, { 'X-Tenant-Id': foreign.tenantId }),
    () => ask(tokens[order++ % tokens.length]!, { 'X-Tenant-Id': randomUUID() }),
  ])
  expect(difference).toBeLessThan(allowed(0.05))
})
