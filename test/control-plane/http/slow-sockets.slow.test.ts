import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { startApi } from '#test/support/worker.ts'

/**
 * S12: an API in a process of its own, so that what it costs is its own: thousands of sockets that dawdle, and inputs
 * made to be expensive.
 */
const sockets = Number(process.env.SLOW_SOCKETS ?? 2_000)
const requests = Number(process.env.HONEST_REQUESTS ?? 100)
/** Set, honest requests may take so many times as long beside the slow sockets. */
const mostTimesSlower = Number(process.env.HONEST_TIMES ?? Number.POSITIVE_INFINITY)
/** What an input may cost to refuse; beside other tests each takes longer. */
const expensiveMs = process.env.HONEST_TIMES === undefined ? 80 : 20
/** So many of one token stay below its rate. */
const ofOneToken = 50

let api: Awaited<ReturnType<typeof startApi>>
let callers: CallerUnderTest[]
beforeAll(async () => {
  api = await startApi(app.services.config)
  callers = await Promise.all(
    Array.from({ length: Math.ceil((3 * requests + 500) / ofOneToken) }, () => given.tenant()),
  )
})
afterAll(() => api?.stop())

const residentMb = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${api.child.pid}/status`, 'utf8'))?.[1]) / 1_024
/** What the process has computed so far; the kernel counts in hundredths of a second. */
function computedMs(): number {
  const fields = readFileSync(`/proc/${api.child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

let asked = 0
async function ask(
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> } = {},
) {
  const caller = callers[Math.floor(asked++ / ofOneToken) % callers.length]!
  const answer = await fetch(`http://127.0.0.1:${api.port}/api/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${caller.token}`,
      'X-Forwarded-For': caller.ip,
      'Content-Type': 'application/json',
      ...headers,
    },
    ...(body !== undefined && { body }),
  })
  await answer.text()
  return answer.status
}

/** The times honest callers wait, one after the other. */
async function honest(): Promise<{ p99: number }> {
  const times: number[] = []
  for (let n = 0; n < requests; n++) {
    const began = performance.now()
    expect(await ask('GET', '/monitors?per_page=10')).toBe(200)
    times.push(performance.now() - began)
  }
  return { p99: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]! }
}

const dawdlers: ((socket: Socket, ip: string) => void)[] = [
  () => undefined,
  socket => socket.write('GET /api/v1/user HTTP/1.1\r\nHost: a\r\nX-Slow: '),
  (socket, ip) =>
    socket.write(
      `POST /api/v1/auth/token HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${ip}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`,
    ),
  // asks for much, again and again, and reads nothing
  (socket, ip) => {
    socket.pause()
    socket.write(`GET /api/v1/openapi.json HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${ip}\r\n\r\n`.repeat(3))
  },
]

test(`${sockets} sockets that dawdle cost no honest caller an answer, and hardly any memory`, {
  timeout: 180_000,
}, async () => {
  await honest()
  expect(await fetch(`http://127.0.0.1:${api.port}/api/v1/openapi.json`).then(answer => answer.text())).toContain(
    '"openapi"',
  )
  const before = { ...(await honest()), mb: residentMb() }
  const slow: Socket[] = []
  let closed = 0
  for (let n = 0; n < sockets; n++) {
    const socket = connect(api.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.once('close', () => closed++)
    socket.once('connect', () =>
      dawdlers[n % dawdlers.length]!(socket, `203.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`),
    )
    slow.push(socket)
    if (n % 100 === 99) await sleep(10)
  }
  let most = before.mb
  const drip = setInterval(() => {
    most = Math.max(most, residentMb())
    for (const [n, socket] of slow.entries())
      if (n % dawdlers.length !== 0 && n % dawdlers.length !== 3 && socket.writable) socket.write('x')
  }, 1_000)
  const during = await honest()
  clearInterval(drip)
  most = Math.max(most, residentMb())
  for (const socket of slow) socket.destroy()
  console.log(
    `slow sockets ${sockets}: honest p99 ${before.p99.toFixed(1)} ms without them, ${during.p99.toFixed(1)} ms beside them; ${closed} were cut meanwhile; memory grew by ${Math.round(most - before.mb)} MB`,
  )
  expect(most - before.mb).toBeLessThan(50)
  expect(during.p99 / before.p99).toBeLessThan(mostTimesSlower)
  expect(await ask('GET', '/user')).toBe(200)
})

test(`inputs made to be expensive are refused cheaply, each by less than ${expensiveMs} ms of computing`, {
  timeout: 120_000,
}, async () => {
  const json = (text: string) => ({ body: text })
  const named = (field: string) => json(`{"name":"x","url":"https://shop.example.com/",${field}}`)
  const ids = (count: number) => `[${Array.from({ length: count }, () => `"${crypto.randomUUID()}"`).join()}]`
  const inputs: Record<string, { method?: string; path: string; given?: Parameters<typeof ask>[2] }> = {
    'nested arrays': { path: '/monitors', given: json('['.repeat(30_000) + ']'.repeat(30_000)) },
    'nested objects in a setting': {
      path: '/monitors',
      given: named(`"headers":${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)}`),
    },
    'five megabytes': { path: '/monitors', given: json(`"${'x'.repeat(5_000_000)}"`) },
    'a bomb of gzip': {
      path: '/monitors',
      given: { body: new Uint8Array(gzipSync(Buffer.alloc(50_000_000))), headers: { 'Content-Encoding': 'gzip' } },
    },
    'ten thousand fields': {
      path: '/monitors',
      given: json(`{${Array.from({ length: 10_000 }, (_, n) => `"f${n}":1`).join()}}`),
    },
    'ten thousand tags': { path: '/monitors', given: named(`"tags":[${'"a",'.repeat(9_999)}"a"]`) },
    'a million of digits': { path: '/monitors', given: named(`"check_interval":${'9'.repeat(100_000)}`) },
    'thousands of ids': { path: '/monitors/stats-batch', given: json(`{"monitor_ids":${ids(3_000)}}`) },
    'fifteen kilobytes of query': { method: 'GET', path: `/monitors?search=${'%25_'.repeat(3_500)}` },
    'a long cursor': { method: 'GET', path: `/incidents?cursor=${'A'.repeat(12_000)}` },
    'a schedule without end': {
      path: '/cron-monitors',
      given: json(`{"name":"x","schedule":"${'*/1,'.repeat(10_000)}"}`),
    },
  }
  const rounds = 20
  const expensive: string[] = []
  for (const [name, { method = 'POST', path, given }] of Object.entries(inputs)) {
    const began = computedMs()
    for (let round = 0; round < rounds; round++) {
      const status = await ask(method, path, given).catch(() => 413) // cut while it was still sending
      expect([name, status]).toEqual([name, expect.toSatisfy((n: number) => n >= 400 && n < 500)])
    }
    const each = (computedMs() - began) / rounds
    if (each >= expensiveMs) expensive.push(`${name}: ${each} ms`)
  }
  expect(expensive).toEqual([])
  expect(await ask('GET', '/user')).toBe(200)
})
