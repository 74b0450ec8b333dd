import { randomUUID } from 'node:crypto'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentPaths } from '#contract/agent.ts'
import { type Serving, serving } from '#test/control-plane/serving.ts'

const most = 300

/** Statuses of requests from one address, and whether each answer was the last of its connection. */
async function ask(served: Serving, path: string, { times = 1, localAddress = '127.0.0.1', headers = {} } = {}) {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const one = () =>
    new Promise<{ status: number; isLast: boolean }>((resolve, reject) => {
      get(served.plane.baseUrl + path, { agent, localAddress, headers }, answer => {
        answer
          .resume()
          .once('end', () => resolve({ status: answer.statusCode ?? 0, isLast: answer.headers.connection === 'close' }))
      }).once('error', reject)
    })
  const answers: Awaited<ReturnType<typeof one>>[] = []
  for (let n = 0; n < times; n++) answers.push(await one())
  agent.destroy()
  return answers
}

describe('refused requests of one address', () => {
  let served: Serving
  beforeAll(async () => {
    served = await serving('refusals', { roles: ['api', 'ingest'] })
  })
  afterAll(() => served?.close())

  test.each([
    ['of the API', '127.0.0.2', '/api/v1/nothing'],
    ['of pings', '127.0.0.3', `/api/ping/${randomUUID()}`],
    ['of agents', '127.0.0.4', agentPaths.work],
  ])(
    '%s end their connection from the 301st in a minute on, and those of another address do not',
    async (_, localAddress, path) => {
      const answers = await ask(served, path, { times: most + 2, localAddress })
      expect(answers.map(({ isLast }) => isLast)).toEqual([...Array(most).fill(false), true, true])
      expect(answers.every(({ status }) => status >= 400 && status < 500)).toBe(true)
      expect(await ask(served, path, { localAddress: '127.0.0.9' })).toMatchObject([{ isLast: false }])
    },
  )

  test('a large file of the documentation is sent 60 times a minute to each address', async () => {
    for (const path of ['/api/docs/scalar.js', '/api/v1/openapi.json']) {
      const localAddress = path.endsWith('js') ? '127.0.0.5' : '127.0.0.6'
      const { headers } = await fetch(served.plane.baseUrl + path, { method: 'HEAD' })
      const answers = await ask(served, path, {
        times: 61,
        localAddress,
        headers: { 'If-None-Match': headers.get('etag') ?? '' },
      })
      expect(answers.map(({ status }) => status)).toEqual([...Array(60).fill(304), 429])
      expect(await ask(served, path, { localAddress: '127.0.0.7' })).toMatchObject([{ status: 200 }])
    }
  })

  test('a ping from an address with too many unknown names is refused before its body is read', async () => {
    const localAddress = '127.0.0.8'
    expect((await ask(served, `/api/ping/${randomUUID()}`, { localAddress })).at(0)).toMatchObject({ status: 404 })
    for (let n = 0; n < 60; n++) await ask(served, `/api/ping/${randomUUID()}`, { localAddress })
    const received = await new Promise<string>((resolve, reject) => {
      const socket = connect({ port: Number(new URL(served.plane.baseUrl).port), host: '127.0.0.1', localAddress })
      socket.write(
        `POST /api/ping/${randomUUID()} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n\r\n{`,
      )
      socket.once('data', bytes => {
        socket.destroy()
        resolve(bytes.toString())
      })
      socket.once('error', reject)
      setTimeout(() => reject(new Error('The refusal waits for the body.')), 8_000).unref()
    })
    expect(received).toMatch(/^HTTP\/1.1 429 /)
  })
})

test('a proxy’s connection stays open whatever is refused on it', { timeout: 60_000 }, async () => {
  const served = await serving('refusals_proxy', { roles: ['api'], config: { trustedProxies: 1 } })
  try {
    const answers = await ask(served, '/api/v1/nothing', {
      times: most + 2,
      headers: { 'X-Forwarded-For': '203.0.113.5' },
    })
    expect(answers.filter(({ isLast }) => isLast)).toEqual([])
  } finally {
    await served.close()
  }
})
