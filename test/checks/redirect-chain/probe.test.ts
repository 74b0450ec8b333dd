import { beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { kinds } from '#checks/index.ts'
import { runCheck } from '#checks/probes.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { Authority } from '#test/checks/certificates.ts'
import { http, https } from '#test/checks/servers.ts'

const kind = kinds.redirect_chain
const allowed = parseAllowList('127.0.0.0/8')
let authority: Authority
beforeAll(async () => {
  authority = await Authority.make()
})

const probe = async (url: string, settings: z.input<typeof kind.settings> = {}) => {
  const guard = new Guard(allowed, { ca: [authority.pem] })
  const result = await runCheck('redirect_chain', { url }, kind.settings.parse(settings), {
    guard,
    timeoutMs: 5_000,
    now: Date.now,
  })
  return { result, seen: result.seen ? kind.seen.parse(result.seen) : undefined }
}

test('reports every hop, from http over https and back', async () => {
  const identity = await authority.issue({ addresses: ['127.0.0.1'] })
  await using last = await http((_, response) => response.end('<p>here'))
  await using secure = await https(identity, (_, response) =>
    response.writeHead(307, { location: `http://user:pass@127.0.0.1:${last.port}/end?a#b` }).end(),
  )
  await using first = await http((_, response) =>
    response.writeHead(301, { location: `https://127.0.0.1:${secure.port}/` }).end('moved'),
  )
  const { seen, result } = await probe(`http://127.0.0.1:${first.port}/`)
  expect(seen?.hops.map(({ status, protocol, tls }) => [status, protocol, tls])).toEqual([
    [301, 'HTTP/1.1', null],
    [307, 'HTTP/1.1', 'TLSv1.3'],
    [200, 'HTTP/1.1', null],
  ])
  expect(seen).toMatchObject({ end: 'arrived', final_url: `http://127.0.0.1:${last.port}/end?a#b`, failure: null })
  expect(seen?.hops.every(({ ms }) => ms > 0)).toBe(true)
  expect(result.phases.tls).toBeGreaterThan(0)
})

test('ends in a circle, after too many, and where nothing is', async () => {
  await using server = await http((request, response) => {
    const [, name, step] = request.url?.split('/') ?? []
    const location =
      name === 'circle'
        ? '/circle'
        : name === 'inside'
          ? 'http://10.0.0.1/'
          : name === 'void'
            ? 'http://127.0.0.1:1/'
            : `/on/${Number(step) + 1}`
    response.writeHead(302, { location }).end()
  })
  const at = (path: string) => probe(`http://127.0.0.1:${server.port}/${path}`).then(({ seen }) => seen)
  expect(await at('circle')).toMatchObject({ end: 'loop', hops: [{ status: 302 }] })
  const endless = await at('on/0')
  expect([endless?.end, endless?.hops.length]).toEqual(['too_many', 21])
  expect(await at('inside')).toMatchObject({ end: 'failed', failure: { code: 'blocked' } })
  expect(await at('void')).toMatchObject({
    end: 'failed',
    failure: { code: 'refused' },
    final_url: 'http://127.0.0.1:1/',
  })
})

test('a changed end is reported again by the run that confirms it', async () => {
  let location = '/old'
  await using server = await http((request, response) => {
    if (request.url === '/') response.writeHead(302, { location }).end()
    else response.end()
  })
  const origin = `http://127.0.0.1:${server.port}`
  expect((await probe(`${origin}/`)).seen?.replaced).toBeNull()
  location = '/new?x=1'
  for (const { seen } of [await probe(`${origin}/`), await probe(`${origin}/`)])
    expect(seen?.replaced).toBe(`${origin}/old`)
})

test('a first address that cannot be had is a fault', async () => {
  expect((await probe('http://127.0.0.1:1/')).result.fault?.code).toBe('refused')
  expect((await probe('http://192.168.0.1/')).result.fault?.code).toBe('blocked')
})
