import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { app, given } from '#test/support/app.ts'

test('of 150 concurrent sign-ins those that would wait too long are refused, others are served', async () => {
  const tenant = await given.tenant()
  const signIn = async (n: number) => {
    const response = await fetch(`${app.baseUrl}/api/v1/auth/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `198.18.${n >> 8}.${n & 255}` },
      body: JSON.stringify({ email: `flood-${n}@example.test`, password: 'not the password', device_name: 'x' }),
    })
    await response.text()
    return { status: response.status, retryAfter: response.headers.get('retry-after') }
  }
  const flood = Promise.all(Array.from({ length: 150 }, (_, n) => signIn(n)))
  let isOver = false
  void flood.finally(() => {
    isOver = true
  })
  let served = 0
  while (!isOver) {
    expect((await tenant.get('/user')).status).toBe(200)
    served++
    await sleep(250)
  }
  const answers = await flood
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 503]))
  const refused = answers.filter(({ status }) => status === 503)
  expect(refused.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true)
  // one at work, or two, and 32 that wait, while others came to an end
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(33)
  expect(served).toBeGreaterThan(2)
  expect((await signIn(999)).status).toBe(401)
})
