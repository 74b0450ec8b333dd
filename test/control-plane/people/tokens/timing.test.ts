import { randomInt, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { mintSecret } from '#control-plane/people/tokens/secret.ts'
import { app, given } from '#test/support/app.ts'

const { platform } = app.services
const median = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!

async function ask(token: string, headers: Record<string, string> = {}) {
  const started = performance.now()
  const response = await fetch(`${app.baseUrl}/api/v1/tags`, {
    headers: { Authorization: `Bearer ${token}`, 'X-Forwarded-For': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`, ...headers },
  })
  const text = await response.text()
  return { ms: performance.now() - started, status: response.status, bytes: text.replace(/"request_id":"[^"]+"/, '') }
}

/** The least difference of medians found in a few tries: noise differs from try to try, a leak does not. */
async function leastDifference(name: string, one: (round: number) => ReturnType<typeof ask>, other: (round: number) => ReturnType<typeof ask>) {
  const rounds = 120
  const bytes = new Set<string>()
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 8 && least > 0.05; attempt++) {
    const times: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++)
      for (const side of round % 2 ? ([0, 1] as const) : ([1, 0] as const)) {
        const { ms, status, bytes: text } = await (side === 0 ? one : other)(round)
        times[side].push(ms)
        bytes.add(`${status} ${text}`)
      }
    const [a, b] = [median(times[0]), median(times[1])]
    least = Math.min(least, Math.abs(a - b) / Math.max(a, b))
    console.log(`${name}: medians of ${rounds}: ${a.toFixed(2)} ms and ${b.toFixed(2)} ms`)
  }
  expect([...bytes]).toHaveLength(1)
  return least
}

test('neither the answer nor its delay tells a token that once was from one that never was', { timeout: 120_000 }, async () => {
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
    round => ask(disabled[round % disabled.length]!),
    round => ask(never[round % never.length]!),
  )
  expect(difference).toBeLessThan(0.1)
})

test('neither the answer nor its delay tells a foreign tenant from one there is not', { timeout: 120_000 }, async () => {
  const [reseller, rival] = [await given.reseller(), await given.reseller()]
  const foreign = await given.team(rival)
  const tokens = await Promise.all(Array.from({ length: 8 }, async () => (await given.token(reseller, 'rk', ['monitors:read'])).token!))
  let turn = 0
  const difference = await leastDifference(
    'foreign and unknown tenant',
    () => ask(tokens[turn++ % tokens.length]!, { 'X-Tenant-Id': foreign.tenantId }),
    () => ask(tokens[turn++ % tokens.length]!, { 'X-Tenant-Id': randomUUID() }),
  )
  expect(difference).toBeLessThan(0.1)
})
