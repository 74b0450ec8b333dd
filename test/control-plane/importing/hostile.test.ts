import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sources as all } from '#control-plane/importing/sources.ts'
import { httpLimits, openHttpClient } from '#importers/http-client.ts'
import { app, given } from '#test/support/app.ts'
import { migrationOf, OldProvider } from './old-provider.ts'

const key = 'token-of-the-provider'
let provider: OldProvider
beforeAll(async () => {
  provider = await OldProvider.open()
})
afterAll(() => provider?.close())

const sources = [
  'uptimerobot',
  'healthchecks',
  'better-stack',
  'pingdom',
  'statuscake',
  'oh-dear',
  'openstatus',
  'statuspage',
] as const
const sent = (source: string) => ({ provider: source, base_url: provider.url, api_key: key })

/** What becomes of a migration from a source that answers so: its reason, and that nothing is half written. */
async function failureOf(source: (typeof sources)[number], handle: OldProvider['handle']): Promise<string> {
  provider.handle = handle
  const team = await given.tenant()
  const id = await provider.preview(team, sent(source))
  const { state, failed_in, failure, progress } = await migrationOf(team, id)
  expect([state, failed_in, progress.phase]).toEqual(['failed', 'draft', null])
  expect((await team.get(`/migrations/${id}/items`)).body.data).toEqual([])
  expect((await team.post(`/migrations/${id}/import`)).body.code).toBe('migration_state')
  expect(failure).not.toContain(key)
  return failure
}

/** Reads a source with less patience than a preview has. */
const readBounded = (source: (typeof sources)[number]) =>
  all[source].read({
    file: null,
    path: null,
    credential: key,
    pingKey: null,
    baseUrl: provider.url,
    reach: openHttpClient(provider.guard, undefined, { ...httpLimits, answerMs: 200 }),
    progress: async () => undefined,
  })

describe.each(sources)('a source %s', source => {
  test('that sends 100 MB is cut off', async () => {
    let written = 0
    const why = await failureOf(source, (_, response) => {
      const chunk = Buffer.alloc(1_048_576, ' ')
      const write = () => {
        while (written < 100 && !response.destroyed) {
          written++
          if (!response.write(chunk)) return void response.once('drain', write)
        }
        response.end('{}')
      }
      write()
      return undefined
    })
    expect(why).toMatch(/sends more than is read of one source/)
    expect(written).toBeLessThan(60)
  })

  test('that sends something else than it says is named', async () => {
    expect(await failureOf(source, (_, response) => void response.end('<html>'))).toMatch(/is not JSON/)
    expect(
      await failureOf(source, (_, response) => {
        response.statusCode = 401
        return {}
      }),
    ).toMatch(/refuses the key \(status 401\)/)
  })

  test('that redirects is not followed', async () => {
    let elsewhere = 0
    const other = createServer((_, response) => {
      elsewhere++
      response.end('{}')
    })
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
    const why = await failureOf(source, (_, response) => {
      response.writeHead(302, { Location: `http://127.0.0.1:${(other.address() as AddressInfo).port}/` })
      response.end()
      return undefined
    })
    other.close()
    expect(why).toMatch(/answered with status 302/)
    expect(elsewhere).toBe(0)
  })

  test('that hangs is given up', async () => {
    provider.handle = () => undefined
    await expect(readBounded(source)).rejects.toThrow('did not answer within 0.2 seconds')
  })

  test('that allows no more requests at present is asked again after the time it names', async () => {
    let asked = 0
    provider.handle = (_, response) => {
      if (++asked > 1) return {}
      response.statusCode = 429
      response.setHeader('Retry-After', '1')
      return {}
    }
    const began = performance.now()
    expect(await readBounded(source)).toEqual([])
    expect(performance.now() - began).toBeGreaterThan(950)
    expect(asked).toBeGreaterThan(1)
  })

  test('with records of any shape makes items or leaves them out, and never fails', async () => {
    const odd = [null, 5, 'text', [], {}, { id: {}, attributes: [], uuid: [] }, { id: 1, type: {}, url: 7, tags: 'x' }]
    provider.handle = () => ({ data: odd, checks: odd, monitors: odd, nextLink: null, pagination: null })
    const team = await given.tenant()
    const id = await provider.preview(team, sent(source))
    expect((await migrationOf(team, id)).state).toBe('previewed')
  })
})

test('a source that names pages for ever ends, whether they repeat or not', async () => {
  const page = (cursor: number) => ({ data: [], nextLink: `https://x.example.com/?cursor=${cursor}` })
  expect(await failureOf('uptimerobot', () => page(7))).toMatch(/names the same page twice/)
  let at = 0
  expect(await failureOf('uptimerobot', () => page(++at))).toMatch(/more than 500 pages/)
})

test('a StatusCake that answers with one page whatever is asked for ends', async () => {
  const page = { data: [{ id: '1' }], metadata: { page: 1, per_page: 1, page_count: 3, total_count: 3 } }
  expect(await failureOf('statuscake', () => page)).toMatch(/names the same page twice/)
})

test('an Oh Dear whose next page is the page itself ends', async () => {
  const next = 'https://ohdear.app/api/monitors?page%5Bnumber%5D=2'
  expect(await failureOf('oh-dear', () => ({ data: [{ id: 1 }], links: { next } }))).toMatch(
    /names the same page twice/,
  )
})

test('a Statuspage that answers with one full page whatever is asked for ends', async () => {
  const full = Array.from({ length: 100 }, (_, id) => ({ id: String(id), name: 'Page' }))
  const why = await failureOf('statuspage', ({ path }) => (path.endsWith('/pages') ? full.slice(0, 1) : full))
  expect(why).toMatch(/names the same page twice/)
})

test('a source that names a record twice, as it changes between pages, gets one item of it', async () => {
  const robot = { id: 1, friendlyName: 'Shop', type: 'HTTP', url: 'https://shop.example.com/', interval: 60 }
  provider.handle = ({ path }) => ({ data: [robot], nextLink: path.includes('cursor') ? null : '/?cursor=1' })
  const team = await given.tenant()
  const id = await provider.preview(team, sent('uptimerobot'))
  const found = await migrationOf(team, id)
  expect([found.counts.create, found.notes]).toEqual([
    1,
    ['The source named 1 records twice; each is carried over once.'],
  ])
})

describe('requests to a source', () => {
  const bounded = (limits: Partial<typeof httpLimits>) =>
    openHttpClient(provider.guard, undefined, { ...httpLimits, ...limits })

  test('end when it hangs, before its answer or in it', async () => {
    provider.handle = () => undefined
    await expect(bounded({ answerMs: 200 }).json(provider.url)).rejects.toThrow('did not answer within 0.2 seconds')
    provider.handle = (_, response) => void response.write('{')
    await expect(bounded({ answerMs: 200 }).json(provider.url)).rejects.toThrow('did not answer within 0.2 seconds')
  })

  test('wait where it allows no more at present, and give up after some', async () => {
    let asked = 0
    provider.handle = (_, response) => {
      response.statusCode = ++asked < 3 ? 429 : 200
      response.setHeader('Retry-After', '1')
      return { asked }
    }
    expect(await bounded({ waitMs: 10 }).json(provider.url)).toEqual({ asked: 3 })
    provider.handle = (_, response) => {
      response.statusCode = 429
      return {}
    }
    await expect(bounded({ waitMs: 10 }).json(provider.url)).rejects.toThrow('allows no more requests at present')
  })

  test('reach nothing that is not public', async () => {
    const { guard } = app.services
    for (const url of ['http://127.0.0.1:9/', 'http://[::1]/', 'http://169.254.169.254/latest/', 'file:///etc/passwd'])
      await expect(openHttpClient(guard).json(url), url).rejects.toThrow('cannot be reached')
  })
})
