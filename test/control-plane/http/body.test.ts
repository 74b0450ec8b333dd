import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { isNestedBeyond, readJson } from '#control-plane/http/body.ts'
import { app, given } from '#test/support/app.ts'

const request = (body: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  Object.assign(Readable.from([Buffer.from(body)]), { headers }) as unknown as IncomingMessage
const read = (body: string, limit = 262_144) => readJson(request(body), limit)

test('a body as long as the limit is read, and one byte more is refused', async () => {
  const body = JSON.stringify('x'.repeat(998))
  expect(body.length).toBe(1_000)
  await expect(read(body, 1_000)).resolves.toHaveLength(998)
  await expect(read(`${body} `, 1_000)).rejects.toMatchObject({ status: 413 })
})

test('a body nested too deeply is refused before it is parsed', async () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  await expect(read(nested(32))).resolves.toBeInstanceOf(Array)
  for (const depth of [33, 5_000, 100_000]) {
    const started = performance.now()
    await expect(read(nested(depth))).rejects.toMatchObject({ status: 400 })
    expect(performance.now() - started).toBeLessThan(500)
  }
  expect(isNestedBeyond('"[[[[[[\\"[[["', 2)).toBe(false)
})

test('text that PostgreSQL cannot store, and keys that reach into prototypes, are refused by name', async () => {
  await expect(read('{"a":{"b":["\\u0000"]}}')).rejects.toMatchObject({
    status: 422,
    errors: { 'a.b.0': [expect.any(String)] },
  })
  await expect(read('{"a":"\\ud800"}')).rejects.toMatchObject({ status: 422 })
  await expect(read('{"a":{"__proto__":{"x":1}}}')).rejects.toMatchObject({
    status: 422,
    errors: { a: [expect.any(String)] },
  })
  await expect(read('{"constructor":1}')).rejects.toMatchObject({ status: 422 })
})

test('a body that is not JSON is refused', async () => {
  await expect(read('{"a":')).rejects.toMatchObject({ status: 400 })
  await expect(
    readJson(request('a=1', { 'content-type': 'application/x-www-form-urlencoded' }), 100),
  ).rejects.toMatchObject({ status: 415 })
  await expect(
    readJson(request('x', { 'content-type': 'application/json', 'content-encoding': 'gzip' }), 100),
  ).rejects.toMatchObject({ status: 415 })
  await expect(readJson(request('', {}), 100)).resolves.toBeUndefined()
  for (const count of [10_002, 40_000])
    await expect(read(JSON.stringify(Array(count).fill(1)))).rejects.toMatchObject({ status: 400 })
  await expect(read(JSON.stringify(Array(9_999).fill(1)))).resolves.toHaveLength(9_999)
  await expect(read(JSON.stringify(Array(30_000).fill('as long as it may be here')), 1_048_576)).resolves.toHaveLength(
    30_000,
  )
})

test('a body that is not UTF-8 is refused', async () => {
  for (const bytes of [
    [0xff],
    [0xc3],
    [0xc3, 0x28],
    [0xed, 0xa0, 0x80],
    [0xc0, 0xaf],
    [0xf5, 0x80, 0x80, 0x80],
    [0xe2, 0x82],
  ]) {
    const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('"}')])
    const headers = { 'content-type': 'application/json' }
    await expect(readJson(request(body, headers), 100)).rejects.toMatchObject({
      status: 400,
      message: 'The body is not UTF-8.',
    })
  }
  await expect(read('{"name":"Größe \u{1f4a5} \ufffd"}')).resolves.toEqual({ name: 'Größe \u{1f4a5} \ufffd' })
})

test('a query that is not UTF-8 is refused; a lone percent sign is text', async () => {
  const team = await given.tenant()
  for (const query of ['search=%ff', 'search=a%C3', '%ff=1', 'search=%ED%A0%80']) {
    const { status, body } = await team.get(`/monitors?${query}`)
    expect([status, body.message], query).toEqual([400, 'The query is not UTF-8.'])
  }
  for (const query of ['search=100%', 'search=%C3%9C', 'search=%zz'])
    expect((await team.get(`/monitors?${query}`)).status, query).toBe(200)
})

test('no text of a request is stored with replacement characters', async () => {
  const team = await given.tenant()
  const latin1 = Buffer.from('{"name":"K\xfcche","url":"https://shop.example.com/"}', 'latin1')
  const response = await fetch(`${app.baseUrl}/api/v1/monitors`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${team.token}`, 'Content-Type': 'application/json' },
    body: latin1,
  })
  expect([response.status, await response.json()]).toEqual([400, expect.objectContaining({ code: 'malformed' })])
  expect((await team.get('/monitors')).body.data).toEqual([])
})

test('the event loop goes on between the steps in which a large body is read, and a small one is read at once', async () => {
  const roundsOf = async (body: string) => {
    let rounds = 0
    let timer = setImmediate(function count() {
      rounds++
      timer = setImmediate(count)
    })
    await read(body, 1_048_576)
    clearImmediate(timer)
    return rounds
  }
  const large = JSON.stringify(
    Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`a long name of key ${n}`, n])),
  )
  await read(large, 1_048_576)
  expect(await roundsOf('{"a":1}')).toBeLessThan(2)
  expect(await roundsOf(large)).toBeGreaterThanOrEqual(2)
})
