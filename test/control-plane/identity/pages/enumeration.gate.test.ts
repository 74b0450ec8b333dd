import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashPassword } from '#control-plane/identity/users/password.ts'
import { app, given } from '#test/support/app.ts'
import { allowed, clockMs, leastDifference, timingRounds } from '#test/support/timing.ts'
import { Visitor } from './visitor.ts'

test('neither the sign-in page nor its delay reveals whether an account exists', {
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
  const signIn = async (email: string) => {
    const visitor = new Visitor()
    await visitor.get('/login')
    const started = clockMs()
    const { status, html } = await visitor.post('/login', { email, password: 'wrong wrong wrong' })
    const ms = clockMs() - started
    expect(status).toBe(401)
    return { ms, status, bytes: html.replaceAll(email, '').replace(/form_token" value="[^"]+/, '') }
  }
  const difference = await leastDifference('sign-in page with a wrong password, known and unknown account', rounds, [
    round => signIn(known[round]!),
    () => signIn(`${randomUUID()}@people.test`),
  ])
  expect(difference).toBeLessThan(allowed(0.05))
})
