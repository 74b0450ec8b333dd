import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { isNestedBeyond, readJson } from '#control-plane/kernel/body.ts'

const request = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  Object.assign(Readable.from([Buffer.from(body)]), { headers }) as unknown as IncomingMessage
const read = (body: string, limit = 262_144) => readJson(request(body), limit)

test('a body of the limit is read, one byte more is refused', async () => {
  const body = JSON.stringify('x'.repeat(998))
  expect(body.length).toBe(1_000)
  await expect(read(body, 1_000)).resolves.toHaveLength(998)
  await expect(read(`${body} `, 1_000)).rejects.toMatchObject({ status: 413 })
})

test('nesting is bounded before anything is parsed', async () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  await expect(read(nested(32))).resolves.toBeInstanceOf(Array)
  for (const depth of [33, 5_000, 100_000]) {
    const started = performance.now()
    await expect(read(nested(depth))).rejects.toMatchObject({ status: 400 })
    expect(performance.now() - started).toBeLessThan(500)
  }
  expect(isNestedBeyond('"[[[[[[\\"[[["', 2)).toBe(false)
})

test('text that PostgreSQL cannot hold, and keys that reach into prototypes, are named', async () => {
  await expect(read('{"a":{"b":["\\u0000"]}}')).rejects.toMatchObject({ status: 422, errors: { 'a.b.0': [expect.any(String)] } })
  await expect(read('{"a":"\\ud800"}')).rejects.toMatchObject({ status: 422 })
  await expect(read('{"a":{"__proto__":{"x":1}}}')).rejects.toMatchObject({ status: 422, errors: { a: [expect.any(String)] } })
  await expect(read('{"constructor":1}')).rejects.toMatchObject({ status: 422 })
})

test('what is not JSON is refused as such', async () => {
  await expect(read('{"a":')).rejects.toMatchObject({ status: 400 })
  await expect(readJson(request('a=1', { 'content-type': 'application/x-www-form-urlencoded' }), 100)).rejects.toMatchObject({ status: 415 })
  await expect(readJson(request('x', { 'content-type': 'application/json', 'content-encoding': 'gzip' }), 100)).rejects.toMatchObject({ status: 415 })
  await expect(readJson(request('', {}), 100)).resolves.toBeUndefined()
  await expect(read(JSON.stringify(Array.from({ length: 40_000 }, () => 1)))).rejects.toMatchObject({ status: 400 })
})
