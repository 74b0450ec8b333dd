import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { mintSecret } from '#control-plane/base/token-secret.ts'
import { hashPassword } from '#control-plane/identity/users/password.ts'
import { app, given } from '#test/support/app.ts'
import { allowed, clockMs, leastDifference, timingRounds, withoutId } from '#test/support/timing.ts'

test('neither the answer nor its delay reveals whether an account exists', {
  timeout: 120_000 + timingRounds(12) * 4_000,
}, async () => {
  const { platform } = app.services
  const tenant = await given.tenant()
  const hash = await hashPassword('a password hard to guess')
  const rounds = timingRounds(12)
  // each address once: an account that was tried before is slowed down
  const known = Array.from({ length: rounds * 8 }, () => `${randomUUID()}@people.test`)
  await platform.query(
    `with people as (insert into users (id, name, email, password_hash, home_tenant_id)
     select gen_random_uuid(), 'P', e, $2, $3 from unnest($1::text[]) e returning id)
     insert into memberships (user_id, tenant_id, role) select id, $3, 'member' from people`,
    [known, hash, tenant.tenantId],
  )
  const own = { headers: { 'Sec-Fetch-Site': 'same-origin' } }
  let attempts = 0
  const signIn = async (email: string) => {
    const started = clockMs()
    // programs and browsers by turns
    const body = { email, password: 'wrong wrong wrong' }
    const { text, status } =
      attempts++ % 4 < 2
        ? await given.stranger().post('/auth/token', { ...body, device_name: 'x' })
        : await given.stranger().post('/auth/login', body, own)
    expect(status).toBe(401)
    return { ms: clockMs() - started, status, bytes: withoutId(text) }
  }
  const difference = await leastDifference('sign-in with a wrong password, known and unknown account', rounds, [
    round => signIn(known[round]!),
    () => signIn(`${randomUUID()}@people.test`),
  ])
  expect(difference).toBeLessThan(allowed(0.05))
})

test('a well-formed token that was never issued is refused like any other', async () => {
  const caller = given.stranger()
  const answers = new Set<string>()
  for (const bearer of [mintSecret('ss').plain, mintSecret('rk').plain, 'ss-broken', mintSecret('ag').plain])
    answers.add(withoutId((await caller.get('/user', { headers: { Authorization: `Bearer ${bearer}` } })).text))
  expect(answers.size).toBe(1)
})
