import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { kumaFile } from './kuma-file.ts'
import { importAll, migrationOf, OldProvider, sendFile } from './old-provider.ts'

/*
 * Sources that are read from a file, and asked for their statuses in shadow. `npm run bench -- shadow` does it with a
 * real Uptime Kuma.
 */
const { platform } = app.services
let provider: OldProvider
beforeAll(async () => {
  provider = await OldProvider.open()
})
afterAll(() => provider?.close())
beforeEach(() => {
  provider.received.length = 0
})

const weAreUp = (team: CallerUnderTest) =>
  platform.query(
    `update monitors set status = 'up', status_changed_at = now() - interval '1 day' where tenant_id = $1`,
    [team.tenantId],
  )
const differences = async (team: CallerUnderTest, id: string) =>
  (await team.get(`/migrations/${id}/divergences?per_page=100`)).body.data
    .map((each: { monitor_name: string; kind: string }) => `${each.monitor_name}: ${each.kind}`)
    .toSorted()
const answeredText = (text: () => string) => {
  provider.handle = (_received, response) => void response.end(text())
}

const site = (id: number, name: string) =>
  `insert into monitor (id, name, type, url, interval) values (${id}, '${name}', 'http', 'https://shop.example.com/', 60);`

async function fromKuma(team: CallerUnderTest): Promise<string> {
  const file = kumaFile(database => database.exec([site(1, 'Shop "A"'), site(2, 'Twin'), site(3, 'Twin')].join('')))
  const { body } = await team.post('/migrations', { provider: 'uptime-kuma' })
  const { id } = body.data
  await sendFile(team, id, file)
  await provider.advance(id)
  await importAll(provider, team, id)
  return id
}

const sample = (labels: string, status: number) =>
  `monitor_response_time{${labels}} 12\nmonitor_status{${labels},monitor_port="null"} ${status}\n`

test('Uptime Kuma is asked by its metrics, with the ids of its monitors', async () => {
  const team = await given.tenant()
  const id = await fromKuma(team)
  const of = (kuma: number, status: number) =>
    sample(`monitor_id="${kuma}",monitor_name="x",monitor_type="http"`, status)
  let [one, two, three] = [1, 1, 2]
  answeredText(() => `# HELP monitor_status\n${of(1, one)}${of(2, two)}${of(3, three)}`)
  const shadow = await team.post(`/migrations/${id}/shadow`, { base_url: `${provider.url}/`, api_key: 'uk1_key' })
  expect(shadow.body.data).toMatchObject({ state: 'shadow', is_compared: true })
  await weAreUp(team)
  for (let poll = 0; poll < 2; poll++) await provider.advance(id)
  expect(await migrationOf(team, id)).toMatchObject({ poll_failure: null, polled_at: expect.any(String) })
  expect(await differences(team, id)).toEqual([])
  const [asked] = provider.received
  expect(asked).toMatchObject({ method: 'GET', path: '/metrics' })
  expect(asked?.headers.authorization).toBe(`Basic ${Buffer.from(':uk1_key').toString('base64')}`)
  ;[one, two, three] = [0, 1, 2]
  for (let poll = 0; poll < 2; poll++) await provider.advance(id)
  expect(await differences(team, id)).toEqual(['Shop "A": missed'])
  answeredText(() => 'nothing that is known')
  await provider.advance(id)
  expect((await migrationOf(team, id)).poll_failure).toMatch(/names? no monitor/)
})

test('an Uptime Kuma whose metrics have no ids is compared by kind and name, where they are of one monitor', async () => {
  const team = await given.tenant()
  const id = await fromKuma(team)
  const named = (name: string) => sample(`monitor_name="${name}",monitor_type="http",monitor_url="https://a/}"`, 0)
  answeredText(() => named('Shop \\"A\\"') + named('Twin') + named('Twin') + named('Unknown'))
  await team.post(`/migrations/${id}/shadow`, { base_url: provider.url, api_key: 'admin:pass:word' })
  await weAreUp(team)
  for (let poll = 0; poll < 2; poll++) await provider.advance(id)
  expect(await differences(team, id)).toEqual(['Shop "A": missed'])
  const basic = Buffer.from('admin:pass:word').toString('base64')
  expect(provider.received.at(-1)?.headers.authorization).toBe(`Basic ${basic}`)
})

test('Gatus is asked for the newest result of each endpoint', async () => {
  const team = await given.tenant()
  const content = `endpoints:
  - name: front
    group: shop
    url: https://shop.example.com/
    conditions: ["[STATUS] == 200"]
  - name: mail
    url: tcp://mail.example.com:25
    conditions: ["[CONNECTED] == true"]
`
  const id = await provider.preview(team, { provider: 'gatus', content })
  await importAll(provider, team, id)
  // as Gatus 5 answers: an endpoint without a group has none in its answer
  const failed = { condition: '[STATUS] (503) == 200', success: false }
  const connected = { condition: '[CONNECTED] == true', success: true }
  const result = { hostname: '127.0.0.1', timestamp: '2026-11-28T03:13:37.461599704Z' }
  provider.handle = () => [
    {
      name: 'front',
      group: 'shop',
      key: 'shop_front',
      results: [{ ...result, success: false, duration: 5e7, status: 503, conditionResults: [failed] }],
    },
    {
      name: 'mail',
      key: '_mail',
      results: [{ ...result, success: true, duration: 288_299, conditionResults: [connected] }],
    },
    { name: 'new', results: [] },
    'text',
  ]
  // without an address nothing is asked
  await team.post(`/migrations/${id}/shadow`)
  await weAreUp(team)
  await provider.advance(id)
  expect(provider.received).toEqual([])
  const conditions = (await team.get(`/migrations/${id}/cutover-readiness`)).body.data.conditions
  expect(conditions.find(({ name }: { name: string }) => name === 'source_polled')).toMatchObject({ is_met: true })

  await team.post(`/migrations/${id}/shadow`, { base_url: provider.url })
  for (let poll = 0; poll < 2; poll++) await provider.advance(id)
  expect(provider.received[0]).toMatchObject({ path: '/api/v1/endpoints/statuses?page=1&pageSize=1' })
  expect(provider.received[0]?.headers.authorization).toBeUndefined()
  expect(await differences(team, id)).toEqual(['front: missed'])
  const [found] = (await team.get(`/migrations/${id}/divergences`)).body.data
  expect(found.theirs).toMatchObject({ status: 'down', reason: '[STATUS] (503) == 200', response_ms: 50 })
})

test('an address passes the guard, and a new one does not get the key of the former', async () => {
  const team = await given.tenant()
  const id = await fromKuma(team)
  const shadow = (body: Record<string, unknown>) => team.post(`/migrations/${id}/shadow`, body)
  for (const base_url of ['http://127.0.0.1:3001', 'ftp://kuma.example.com', 'kuma'])
    expect(Object.keys((await shadow({ base_url })).body.errors), base_url).toEqual(['base_url'])
  await shadow({ base_url: 'https://kuma.example.com', api_key: 'uk1_key' })
  expect((await migrationOf(team, id)).has_credentials).toBe(true)
  answeredText(() => '')
  await shadow({ base_url: provider.url })
  expect(await migrationOf(team, id)).toMatchObject({ has_credentials: false, base_url: provider.url })
  await provider.advance(id)
  expect(provider.received.map(({ headers }) => headers.authorization)).toEqual([undefined])

  const csv = await provider.preview(team, { provider: 'csv', content: 'name,url\nShop,https://shop.example.com/' })
  await team.post(`/migrations/${csv}/import`)
  await provider.advance(csv)
  const refused = await team.post(`/migrations/${csv}/shadow`, { base_url: 'https://kuma.example.com' })
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['base_url']])
})
