import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { mintSecret } from '#control-plane/base/token-secret.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const from = (ip: string) => ({ headers: { 'X-Forwarded-For': ip } })
const anAddress = () => `203.0.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`

const statusesOf = async (count: number, ask: (n: number) => Promise<{ status: number }>) => {
  const statuses: number[] = []
  for (let n = 0; n < count; n++) statuses.push((await ask(n)).status)
  return statuses
}
const pathOf = (url: string) => new URL(url).pathname

describe('callers behind one address', () => {
  test.each([
    ['a dead token', mintSecret('sk').plain],
    ['a token of no shape', 'Bearer of nothing'],
    ['no token', null],
  ])('go on, and come first, beside a program with %s', async (_, token) => {
    const ip = anAddress()
    const [known, first] = [await given.tenant(), await given.tenant()]
    expect((await known.get('/user', from(ip))).status).toBe(200)
    const dead = given.stranger()
    const asked = { headers: { ...from(ip).headers, ...(token !== null && { Authorization: `Bearer ${token}` }) } }
    const statuses = await statusesOf(70, () => dead.get('/user', asked))
    expect(statuses.slice(0, 60)).toEqual(Array(60).fill(401))
    expect(statuses.slice(60)).toEqual(Array(10).fill(429))
    expect((await first.get('/user', from(ip))).status).toBe(200)
    expect((await known.get('/user', from(ip))).status).toBe(200)
  })

  test('are refused at their first request beside one who tries sixty tokens, and go on where they were known', async () => {
    const ip = anAddress()
    const [known, first] = [await given.tenant(), await given.tenant()]
    expect((await known.get('/user', from(ip))).status).toBe(200)
    const guesser = given.stranger()
    const statuses = await statusesOf(61, () =>
      guesser.get('/user', {
        headers: { ...from(ip).headers, Authorization: `Bearer ${mintSecret('sk').plain}` },
      }),
    )
    expect(statuses.slice(0, 60)).toEqual(Array(60).fill(401))
    expect(statuses[60]).toBe(429)
    expect((await first.get('/user', from(ip))).status).toBe(429)
    expect((await known.get('/user', from(ip))).status).toBe(200)
  })

  test('ping beside a job with a dead address', async () => {
    const ip = anAddress()
    const team: CallerUnderTest = await given.tenant()
    const { body } = await team.post('/cron-monitors', { name: 'job', period_minutes: 60 })
    const address = randomUUID()
    const ping = (path: string) =>
      fetch(`${app.baseUrl}${path}`, { headers: { 'X-Forwarded-For': ip } }).then(({ status }) => ({ status }))
    const statuses = await statusesOf(70, () => ping(`/api/ping/${address}`))
    expect(statuses.slice(0, 60)).toEqual(Array(60).fill(404))
    expect(new Set(statuses.slice(60))).toEqual(new Set([429]))
    expect((await ping(pathOf(body.data.ping_url))).status).toBe(200)
  })
})
