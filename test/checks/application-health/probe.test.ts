import { expect, test } from 'vitest'
import type { z } from 'zod'
import { kinds } from '#checks/index.ts'
import { runCheck } from '#checks/probes.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { http } from '#test/checks/servers.ts'

const kind = kinds.application_health
const guard = new Guard(parseAllowList('127.0.0.0/8'))

async function probe(url: string, settings: z.input<typeof kind.settings> = {}) {
  const result = await runCheck('application_health', { url }, kind.settings.parse(settings), {
    guard,
    timeoutMs: 5_000,
    now: Date.now,
  })
  return { result, seen: result.seen ? kind.seen.parse(result.seen) : undefined }
}

test('an application is asked at its path, with its secret, and what it says comes worst first', async () => {
  const asked: unknown[] = []
  await using server = await http((request, response) => {
    asked.push([request.url, request.headers['oh-dear-health-check-secret'], request.headers.authorization])
    const checks = [
      ...Array.from({ length: 60 }, (_, n) => ({ name: `part ${n}`, status: 'ok' })),
      { name: 'queue', status: 'failed', message: 'secret-of-ours is\nwrong' },
    ]
    response.end(JSON.stringify({ status: 'failed', checks }))
  })
  const { seen } = await probe(`http://127.0.0.1:${server.port}/start`, {
    path: '/health?full=1',
    headers: { 'Oh-Dear-Health-Check-Secret': 'secret-of-ours' },
    auth: { type: 'bearer', token: 'token-of-ours' },
  })
  expect(asked).toEqual([['/health?full=1', 'secret-of-ours', 'Bearer token-of-ours']])
  expect(seen).toMatchObject({ form: 'plain', status: 'failed', total: 61, checks: { length: 50 } })
  expect(seen?.checks[0]).toEqual({ name: 'queue', status: 'failed', message: '*** is wrong' })
})

test('an actuator that is down says so with 503', async () => {
  await using server = await http((_, response) =>
    response.writeHead(503).end(JSON.stringify({ status: 'DOWN', components: { db: { status: 'DOWN' } } })),
  )
  expect((await probe(`http://127.0.0.1:${server.port}/`)).seen).toMatchObject({
    http_status: 503,
    form: 'spring',
    status: 'failed',
  })
})

test('a redirect takes no secret elsewhere, and leads nowhere inside', async () => {
  const got: unknown[] = []
  await using other = await http((request, response) => {
    got.push(request.headers['x-secret'], request.headers.authorization)
    response.end('{"status":"UP"}')
  })
  await using server = await http((request, response) =>
    response
      .writeHead(302, { location: request.url === '/' ? `http://127.0.0.1:${other.port}/` : 'http://10.0.0.1/' })
      .end(),
  )
  const settings = { headers: { 'x-secret': 'abcd' }, auth: { type: 'basic' as const, username: 'a', password: 'b' } }
  expect((await probe(`http://127.0.0.1:${server.port}/`, settings)).seen?.status).toBe('ok')
  expect(got).toEqual([undefined, undefined])
  expect((await probe(`http://127.0.0.1:${server.port}/inside`, settings)).result.fault?.code).toBe('blocked')
})

test.each<[string, string, string]>([
  ['what is no JSON', '<p>hello', 'form'],
  ['JSON nested a hundred thousand deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'form'],
  ['a report of more than a megabyte', JSON.stringify({ status: 'UP', x: 'x'.repeat(1_048_576) }), 'too_large'],
])('%s is no report', async (_, body, expected) => {
  await using server = await http((_, response) => response.end(body))
  const { seen, result } = await probe(`http://127.0.0.1:${server.port}/`)
  if (expected === 'form') expect(seen?.form).toBeNull()
  else expect(result.fault?.code).toBe(expected)
})
