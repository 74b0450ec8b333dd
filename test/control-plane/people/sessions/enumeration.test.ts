import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { mintSecret } from '#control-plane/people/tokens/secret.ts'
import { hashPassword } from '#control-plane/people/users/password.ts'
import { app, given } from '#test/support/app.ts'

const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!

async function time(task: () => Promise<{ text: string; status: number }>): Promise<{ ms: number; bytes: string; status: number }> {
  const started = performance.now()
  const { text, status } = await task()
  return { ms: performance.now() - started, bytes: text.replace(/"request_id":"[^"]+"/, ''), status }
}

// Interleaved, so that whatever else the machine does touches both sides alike.
test('neither the answer nor its delay tells whether an account exists', async () => {
  const { platform } = app.services
  const tenant = await given.tenant()
  const hash = await hashPassword('a password nobody guesses')
  const rounds = 60
  const known = Array.from({ length: rounds }, () => `${randomUUID()}@people.test`)
  await platform.query(
    `with people as (insert into users (id, name, email, password_hash, home_tenant_id) select gen_random_uuid(), 'P', e, $2, $3 from unnest($1::text[]) e returning id)
     insert into memberships (user_id, tenant_id, role) select id, $3, 'member' from people`,
    [known, hash, tenant.tenantId],
  )
  const ms: { known: number[]; unknown: number[] } = { known: [], unknown: [] }
  const bytes = new Set<string>()
  for (const [index, email] of known.entries()) {
    const pair = [
      ['known', email],
      ['unknown', `${randomUUID()}@people.test`],
    ] as const
    for (const [kind, address] of index % 2 ? pair : pair.toReversed()) {
      const taken = await time(() => given.stranger().post('/auth/token', { email: address, password: 'wrong wrong wrong', device_name: 'x' }))
      expect(taken.status).toBe(401)
      ms[kind].push(taken.ms)
      bytes.add(taken.bytes)
    }
  }
  expect(bytes.size).toBe(1)
  const [a, b] = [median(ms.known), median(ms.unknown)]
  console.log(`sign-in with a wrong password: known account ${a.toFixed(1)} ms, unknown ${b.toFixed(1)} ms, medians of ${rounds}`)
  expect(Math.abs(a - b) / Math.max(a, b)).toBeLessThan(0.1)
})

test('a well-formed token that was never issued is refused like any other', async () => {
  const caller = given.stranger()
  const answers = new Set<string>()
  for (const bearer of [mintSecret('ss').plain, mintSecret('rk').plain, 'ss-broken', mintSecret('ag').plain])
    answers.add((await caller.get('/user', { headers: { Authorization: `Bearer ${bearer}` } })).text.replace(/"request_id":"[^"]+"/, ''))
  expect(answers.size).toBe(1)
})
