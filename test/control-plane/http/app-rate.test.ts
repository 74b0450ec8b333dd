import { expect, test } from 'vitest'
import { rateLimits } from '#control-plane/http/rate.ts'
import { given } from '#test/support/app.ts'
import { inBrowser } from '#test/support/browser-session.ts'

test('the session of a browser may call 600 times a minute, and not once more', async () => {
  const person = await given.tenant()
  const browser = await inBrowser(person)
  expect(rateLimits.app).toBe(600)
  const first = await browser.get('/user')
  expect(first.headers.get('x-ratelimit-limit')).toBe('600')
  expect(Number(first.headers.get('x-ratelimit-remaining'))).toBe(599)
  const statuses: number[] = []
  for (let round = 0; round < 60; round++)
    statuses.push(
      ...(await Promise.all(Array.from({ length: 10 }, () => browser.get('/user')))).map(({ status }) => status),
    )
  expect(statuses.filter(status => status === 200)).toHaveLength(599)
  expect(statuses.at(-1)).toBe(429)
  // each session of a person is counted apart, and so are tokens
  expect((await (await inBrowser(person)).get('/user')).status).toBe(200)
  expect((await person.get('/user')).headers.get('x-ratelimit-limit')).toBe('300')
})
