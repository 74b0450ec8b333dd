import { Readable } from 'node:stream'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportFormat, exportVersion } from '#contract/export.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { blockedBy, mostBlockedMs } from '#test/support/loop.ts'
import { migrationOf, OldProvider } from './old-provider.ts'

let provider: OldProvider
beforeAll(async () => {
  provider = await OldProvider.open()
})
afterAll(() => provider?.close())

const mostBytes = 33_554_432
const magic = Buffer.from('SQLite format 3\0')

async function aMigration(team: CallerUnderTest, source: string): Promise<string> {
  const { body, status, text } = await team.post('/migrations', { provider: source })
  expect(status, text).toBe(201)
  return body.data.id
}

async function send(team: CallerUnderTest, id: string, file: Buffer) {
  // in parts: a copy of the whole would block the loop that is measured
  function* parts() {
    for (let at = 0; at < file.length; at += 65_536) yield file.subarray(at, at + 65_536)
  }
  const { statusCode, headers, body } = await request(`${app.baseUrl}/api/v1/migrations/${id}/file`, {
    method: 'PUT',
    headers: {
      Authorization: `Bearer ${team.token}`,
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(file.length),
      'X-Forwarded-For': team.ip,
    },
    body: Readable.from(parts()),
  })
  const { errors = {}, code = '' } = (await body.json()) as { errors?: Record<string, string[]>; code?: string }
  return { status: statusCode, errors, code, retryAfterS: Number(headers['retry-after']) }
}

const partsOf = async (id: string) =>
  (await app.services.platform.query('select from migration_files where migration_id = $1', [id])).rowCount

describe('the file of a migration', () => {
  test.each<[what: string, source: string, file: Buffer, why: string]>([
    ['zeros', 'uptime-kuma', Buffer.alloc(mostBytes), 'no SQLite database'],
    ['nothing', 'uptime-kuma', Buffer.alloc(0), 'is empty'],
    ['bytes that are no text', 'gatus', Buffer.alloc(100_000, 0xff), 'not text in UTF-8'],
    ['text of 9 MB', 'csv', Buffer.alloc(9_000_000, 'a'), 'more than 8 MB'],
  ])('that is %s is refused before it is stored', async (_, source, file, why) => {
    const team = await given.tenant()
    const id = await aMigration(team, source)
    const { status, errors } = await send(team, id, file)
    expect([status, errors.body?.[0]]).toEqual([422, expect.stringContaining(why)])
    expect(await partsOf(id)).toBe(0)
  })

  test('is sent four times a minute and one at a time by a team, while others send theirs', async () => {
    const [team, other] = [await given.tenant(), await given.tenant()]
    const [id, others] = [await aMigration(team, 'csv'), await aMigration(other, 'csv')]
    const file = Buffer.from(`url\n${'https://example.com/\n'.repeat(100_000)}`)
    const answers = await Promise.all([send(team, id, file), send(team, id, file), send(other, others, file)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429])
    expect(answers[2]!.status).toBe(200)
    expect((await send(team, id, file)).status).toBe(200)
    expect((await send(team, id, file)).status).toBe(200)
    const refused = await send(team, id, file)
    expect([refused.status, refused.code, refused.retryAfterS > 0]).toEqual([429, 'rate_limited', true])
    expect((await send(other, others, file)).status).toBe(200)
  })

  test('of 32 MB blocks the event loop for milliseconds while it is sent and read', async () => {
    const team = await given.tenant()
    const file = Buffer.concat([magic, Buffer.alloc(mostBytes - magic.length, 1)])
    const id = await aMigration(team, 'uptime-kuma')
    const blocked = await blockedBy(async () => {
      expect([200, 429]).toContain((await send(team, id, file)).status)
    }, 4)
    expect(blocked).toBeLessThan(mostBlockedMs)
    expect(await blockedBy(() => provider.advance(id), 1)).toBeLessThan(2 * mostBlockedMs)
    expect(await migrationOf(team, id)).toMatchObject({ state: 'failed', failure: 'The database is damaged.' })
  })
})

const numbered = (count: number, value: (n: number) => unknown) => Array.from({ length: count }, (_, n) => value(n))

const exported = (parts: Record<string, unknown>) =>
  JSON.stringify({ format: exportFormat, version: exportVersion, jobs: [], ...parts })
const probes = (count: number) =>
  JSON.stringify({
    modules: { http_2xx: { prober: 'http' } },
    scrape_configs: [
      {
        job_name: 'sites',
        metrics_path: '/probe',
        params: { module: ['http_2xx'] },
        static_configs: [{ targets: numbered(count, n => `https://site-${n}.example.com/`) }],
      },
    ],
  })

describe('what a source sends that is expensive to read', () => {
  test.each<[what: string, source: string, file: string]>([
    ['quotes', 'csv', `url\n${'"'.repeat(3_000_000)}`],
    ['quoted cells', 'csv', `url\n${'"a"\n'.repeat(1_500_000)}`],
    ['cells', 'csv', `url\n${','.repeat(7_000_000)}`],
    ['rows', 'csv', `url,name\n${'https://a.example/,b\n'.repeat(350_000)}`],
    [
      'merges',
      'gatus',
      `a: &a {${numbered(60_000, n => `k${n}: 1`).join(', ')}}\nb:\n${'- {<<: *a}\n'.repeat(20_000)}`,
    ],
    [
      'aliases of a long text',
      'gatus',
      `a: &a "${'x'.repeat(1_000_000)}"\nendpoints: [${Array(150_000).fill('*a').join(',')}]`,
    ],
    ['keys', 'gatus', `endpoints: {${numbered(150_000, n => `k${n}: 1`).join(', ')}}`],
    ['nested lists', 'blackbox-exporter', '['.repeat(2_000_000)],
    ['maps', 'vedette', `{"monitors":[${'{},'.repeat(2_600_000)}{}]}`],
  ])('(%s, %s) blocks the event loop for milliseconds', async (_, source, file) => {
    const team = await given.tenant()
    const id = await aMigration(team, source)
    expect((await send(team, id, Buffer.from(file))).status).toBe(200)
    expect(await blockedBy(() => provider.advance(id), 1)).toBeLessThan(2 * mostBlockedMs)
    expect(['failed', 'previewed']).toContain((await migrationOf(team, id)).state)
  })

  test.each<[what: string, source: string, file: string]>([
    ['rows', 'csv', `url\n${'https://a.example/\n'.repeat(350_000)}`],
    ['monitors', 'vedette', exported({ monitors: Array(20_001).fill({}) })],
    ['monitors and jobs', 'vedette', exported({ monitors: Array(20_000).fill({}), jobs: [{}] })],
    ['endpoints', 'gatus', JSON.stringify({ endpoints: Array(20_001).fill({ name: 'a' }) })],
    ['targets', 'blackbox-exporter', probes(20_001)],
  ])('(%s, %s) of more than 20,000 records is refused for their number', async (_, source, file) => {
    const team = await given.tenant()
    const id = await aMigration(team, source)
    expect((await send(team, id, Buffer.from(file))).status).toBe(200)
    await provider.advance(id)
    expect(await migrationOf(team, id)).toMatchObject({
      state: 'failed',
      failure: 'The source has more than 20000 records: too many for one migration.',
    })
  })

  test.each<[what: string, answer: () => unknown]>([
    ['records of many shapes', () => ({ checks: numbered(150_000, n => ({ [`k${n}`]: 1, [`z${n}`]: 2 })) })],
    ['lists', () => ({ checks: numbered(2_000_000, () => []) })],
    ['records with long texts', () => ({ checks: numbered(19_000, n => ({ uuid: `u${n}`, desc: '<'.repeat(300) })) })],
  ])('(%s) blocks the event loop for milliseconds', async (_, answer) => {
    const team = await given.tenant()
    const text = JSON.stringify(answer())
    provider.handle = (_, response) => void response.setHeader('Content-Type', 'application/json').end(text)
    const { body } = await team.post('/migrations', {
      provider: 'healthchecks',
      base_url: provider.url,
      api_key: 'key-of-the-provider',
    })
    expect(await blockedBy(() => provider.advance(body.data.id), 1)).toBeLessThan(2 * mostBlockedMs)
    expect(['failed', 'previewed']).toContain((await migrationOf(team, body.data.id)).state)
  })
})
