import { randomInt } from 'node:crypto'
import type { QueryConfig } from 'pg'
import { afterEach, expect, test } from 'vitest'
import { mintSecret } from '#control-plane/base/token-secret.ts'
import { app, CallerUnderTest, given } from '#test/support/app.ts'

const { accessPool } = app.services
const query = accessPool.query.bind(accessPool)
afterEach(() => Object.assign(accessPool, { query }))

/** Counts how often the database is asked for a token. */
function counting(): () => number {
  let asked = 0
  Object.assign(accessPool, {
    query(question: QueryConfig, ...more: unknown[]) {
      if (typeof question === 'object' && /^(authenticate|recognise-server)/.test(question.name ?? '')) asked++
      return (query as (...given: unknown[]) => unknown)(question, ...more)
    },
  })
  return () => asked
}

const anAddress = () => `198.${randomInt(100, 256)}.${randomInt(100, 256)}.${randomInt(100, 256)}`
/** Of the right form, but unknown. */
class Guesser extends CallerUnderTest {
  constructor(kind: 'ss' | 'am', ip: string) {
    super('', null, mintSecret(kind).plain)
    Object.assign(this, { ip })
  }
}

test('an address without attempts left is refused before the database is asked', async () => {
  const ip = anAddress()
  const guess = () => new Guesser('ss', ip).get('/monitors')
  // several processes share the 60 a minute: one of them may come to its end a little early
  const first = await Promise.all(Array.from({ length: 50 }, guess))
  expect(new Set(first.map(({ status }) => status))).toEqual(new Set([401]))
  const next = []
  for (let n = 0; n < 11 && next.at(-1) !== 429; n++) next.push((await guess()).status)
  expect(next.at(-1)).toBe(429)
  const asked = counting()
  const refused = await Promise.all(Array.from({ length: 40 }, guess))
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]))
  expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(asked()).toBe(0)
})

test('who uses a token that is known goes on beside such a guesser, behind the same address', async () => {
  const honest = await given.tenant()
  for (let n = 0; n < 3; n++) expect((await honest.get('/monitors')).status).toBe(200)
  await Promise.all(Array.from({ length: 70 }, () => new Guesser('ss', honest.ip).get('/monitors')))
  expect((await new Guesser('ss', honest.ip).get('/monitors')).status).toBe(429)
  expect((await honest.get('/monitors')).status).toBe(200)
})

test('tokens of servers are guessed no faster', async () => {
  const owner = await given.tenant()
  const { body } = await owner.post('/agent-monitors', { name: 'web-1' })
  const server = new CallerUnderTest('', null, body.plain_text_token)
  const batch = { batch: crypto.randomUUID(), samples: [] }
  const report = (caller: CallerUnderTest) => caller.post('/api/agent-monitors/metrics', batch)
  const before = (await report(server)).status
  expect(before).not.toBe(401)
  const guess = () => report(new Guesser('am', server.ip))
  await Promise.all(Array.from({ length: 65 }, guess))
  const asked = counting()
  const refused = await Promise.all(Array.from({ length: 10 }, guess))
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]))
  expect(asked()).toBe(0)
  expect((await report(server)).status).toBe(before)
})
