import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { clientAddressOf } from '#control-plane/http/stages/address.ts'
import { countsAlone, given } from '#test/support/app.ts'

let trusted = 0
const server = createServer((request, response) => void response.end(clientAddressOf(request, trusted)))
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
afterAll(() => server.close())
const seenFrom = async (forwarded: string, proxies: number) => {
  trusted = proxies
  const { port } = server.address() as AddressInfo
  return (await fetch(`http://127.0.0.1:${port}/`, { headers: { 'X-Forwarded-For': forwarded } })).text()
}

test('a client address is read from X-Forwarded-For only behind trusted proxies', async () => {
  expect(await seenFrom('203.0.113.9', 0)).toBe('127.0.0.1')
  expect(await seenFrom('203.0.113.9', 1)).toBe('203.0.113.9')
  expect(await seenFrom('198.51.100.66, 203.0.113.9', 1)).toBe('203.0.113.9')
  expect(await seenFrom('192.0.2.1, 198.51.100.66, 203.0.113.9', 2)).toBe('198.51.100.66')
  expect(await seenFrom('2001:db8::7', 1)).toBe('2001:db8::7')
  for (const nonsense of ['', ',', '999.1.1.1', '1.2.3', ':::', 'unknown', '203.0.113.9:80', 'fe80::1%lo'])
    expect(await seenFrom(nonsense, 1)).toBe('127.0.0.1')
})

test('a forged beginning of X-Forwarded-For opens no new rate bucket', { timeout: 120_000 }, async () => {
  await countsAlone()
  const tenant = await given.tenant()
  const left = async (forwarded: string) =>
    Number(
      (await given.stranger().get('/monitors', { headers: { 'X-Forwarded-For': forwarded } })).headers.get(
        'x-ratelimit-remaining',
      ),
    )
  const own = `203.0.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`
  const first = await left(own)
  for (let n = 1; n <= 10; n++) expect(await left(`198.18.0.${n}, ${own}`)).toBe(first - n)
  // with a token it is the token that counts, wherever it comes from
  const before = Number((await tenant.get('/monitors')).headers.get('x-ratelimit-remaining'))
  for (let n = 1; n <= 10; n++) {
    const answer = await tenant.get('/monitors', { headers: { 'X-Forwarded-For': `198.19.0.${n}` } })
    expect(Number(answer.headers.get('x-ratelimit-remaining'))).toBe(before - n)
  }
})
