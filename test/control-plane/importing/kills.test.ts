import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOrm } from '#control-plane/db/orm.ts'
import { advanceMigration } from '#control-plane/importing/advance.ts'
import { importHistories } from '#control-plane/importing/import-history.ts'
import { importBatch } from '#control-plane/importing/import-items.ts'
import { selectMigrations } from '#control-plane/importing/row.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { OldProvider } from './old-provider.ts'

const { services } = app
/** WHOLE=1, set by hand: 2,000 monitors and 200 kills. */
const isWhole = process.env.WHOLE === '1'
const [monitors, kills] = isWhole ? [2_000, 200] : [300, 8]

let orm: Awaited<ReturnType<typeof openOrm>>
let killer: pg.Client
beforeAll(async () => {
  // one connection: the one that is killed is the one that imports
  orm = await openOrm({ ...services.config, poolSize: 1 })
  killer = new pg.Client({ connectionString: app.stores.appUrl })
  await killer.connect()
})
afterAll(async () => {
  await Promise.all([orm?.close(), killer?.end()])
})

const advance = (id: string) => advanceMigration({ services, em: orm.em }, id)

async function anImport(team: CallerUnderTest, account: string): Promise<string> {
  const lines = Array.from({ length: monitors }, (_, n) => `${account} ${n},https://s${n}.${account}.example.com/`)
  const content = ['name,url', ...lines].join('\n')
  const { body, status, text } = await team.post('/migrations', { provider: 'csv', account, content })
  expect(status, text).toBe(201)
  await advance(body.data.id)
  expect((await team.post(`/migrations/${body.data.id}/import`)).status).toBe(200)
  return body.data.id
}

/** Ends the connection that imports, after so long; the transaction that it is in is lost. */
async function killAfter(ms: number): Promise<void> {
  const [row] = await orm.em.fork().execute<{ pid: number }[]>('select pg_backend_pid() as pid')
  await pause(ms)
  await killer.query('select pg_terminate_backend($1)', [row?.pid])
}

test(
  'an import that is killed at random points makes one monitor of each record',
  async () => {
    const team = await given.tenant({ overrides: { monitors: 1_000_000 } })
    let [lost, rounds] = [0, 0]
    // what one batch takes here, of which a kill hits any moment
    let batchMs = 400
    while (lost < kills) {
      const id = await anImport(team, `a${rounds++}`)
      for (let isDone = false; !isDone; ) {
        const startedAt = performance.now()
        const kill = lost < kills ? killAfter(Math.random() * batchMs) : Promise.resolve()
        try {
          await advance(id)
        } catch {
          // a kill that comes after the end loses nothing and does not count
          lost++
        }
        await kill
        const { state, counts } = (await team.get(`/migrations/${id}`)).body.data
        isDone = state === 'imported'
        if (isDone) batchMs = Math.max(50, Math.min(batchMs, performance.now() - startedAt))
        if (isDone) expect(counts).toMatchObject({ created: monitors, updated: 0, failed: 0 })
      }
    }
    expect(lost).toBeGreaterThanOrEqual(kills)
    const { rows } = await services.platform.query(
      `select count(*)::int as made, count(distinct url)::int as different,
         (select count(*)::int from imported_monitors o where o.tenant_id = $1) as noted,
         (select count(*)::int from checks c where c.tenant_id = $1 and c.type = 'uptime') as checked
       from monitors m where m.tenant_id = $1`,
      [team.tenantId],
    )
    const all = rounds * monitors
    expect(rows[0]).toEqual({ made: all, different: all, noted: all, checked: all })
  },
  isWhole ? 1_200_000 : 90_000,
)

/** Monitors of a provider, and the outages of each. */
const [watched, outagesOfEach] = [isWhole ? 390 : 150, 10]
const [minuteMs, dayMs] = [60_000, 86_400_000]

/** UptimeRobot, whose monitors had an outage on each of these days. */
async function aProviderWithPast(): Promise<OldProvider> {
  const provider = await OldProvider.open()
  const ids = Array.from({ length: watched }, (_, n) => n + 1)
  const today = Math.floor(Date.now() / dayMs) * dayMs
  const at = (ms: number) => new Date(ms).toISOString()
  const incidents = ids.flatMap(id =>
    Array.from({ length: outagesOfEach }, (_, day) => {
      const start = today - (day + 1) * dayMs + id * minuteMs
      return {
        ...{ id: `${id}-${day}`, type: 'Downtime', reason: 'Status 503', monitor: { id } },
        ...{ startedAt: at(start), resolvedAt: at(start + minuteMs) },
      }
    }),
  )
  provider.handle = ({ path }) => {
    const url = new URL(path, provider.url)
    if (url.pathname === '/v3/incidents') {
      const from = Number(url.searchParams.get('cursor') ?? '0')
      const isLast = from + 100 >= incidents.length
      const nextLink = isLast ? null : `${provider.url}/v3/incidents?cursor=${from + 100}`
      return { data: incidents.slice(from, from + 100), nextLink }
    }
    const data = ids.map(id => ({
      ...{ id, friendlyName: `Site ${id}`, type: 'HTTP', url: `https://s${id}.example.com/`, interval: 300 },
      ...{ status: 'UP', createDateTime: at(today - 80 * dayMs) },
    }))
    return { data, nextLink: null }
  }
  return provider
}

/** Of the connection in use; one that was killed after its last query says so to this one. */
async function pidOf(platform: pg.Pool): Promise<number | undefined> {
  const ask = () => platform.query<{ pid: number }>('select pg_backend_pid() as pid')
  return (await ask().catch(ask)).rows[0]?.pid
}

test(
  'the import of the past that is killed at random points stores each incident once, and leaves none out',
  async () => {
    const team = await given.tenant({ overrides: { monitors: 1_000_000 } })
    const provider = await aProviderWithPast()
    // one connection: the one that is killed is the one that imports
    const platform = new pg.Pool({ connectionString: app.stores.platformUrl, max: 1 })
    // a connection that is killed while it is in use says so to its query as well
    platform.on('error', () => undefined).on('connect', client => client.on('error', () => undefined))
    const ender = new pg.Client({ connectionString: app.stores.platformUrl })
    await ender.connect()
    let [lost, rounds, batchMs] = [0, 0, 60]
    try {
      while (lost < kills) {
        const sent = { provider: 'uptimerobot', base_url: `${provider.url}/v3`, api_key: 'u1-0123456789abcdef' }
        const id = await provider.preview(team, { ...sent, account: `a${rounds++}` })
        expect((await team.post(`/migrations/${id}/import`)).status).toBe(200)
        const row = await selectMigrations(services.platform).where('p.id', '=', id).executeTakeFirstOrThrow()
        while (await importBatch({ services, em: orm.em }, row));
        for (let isLeft = true; isLeft; ) {
          const pid = await pidOf(platform)
          const startedAt = performance.now()
          const kill =
            lost < kills &&
            pause(Math.random() * batchMs).then(() => ender.query('select pg_terminate_backend($1)', [pid]))
          try {
            isLeft = await importHistories({ platform, config: services.config }, row)
            if (isLeft) batchMs = Math.max(10, Math.min(batchMs, performance.now() - startedAt))
          } catch {
            // a kill that comes after the end loses nothing and does not count
            lost++
          }
          await kill
        }
        await provider.advance(id)
        expect((await team.get(`/migrations/${id}`)).body.data).toMatchObject({ state: 'imported' })
      }
    } finally {
      await Promise.all([provider.close(), platform.end(), ender.end()])
    }
    expect(lost).toBeGreaterThanOrEqual(kills)
    const { rows } = await services.platform.query(
      `select count(*)::int as stored, count(distinct (monitor_id, imported_id))::int as different,
         count(distinct number)::int as numbers, count(distinct monitor_id)::int as monitors, max(number)::int as last,
         (select count(*)::int from imported_histories h where h.tenant_id = $1) as spans,
         (select count(*)::int from migration_items i where i.tenant_id = $1 and i.has_history) as waiting
       from incidents i where i.tenant_id = $1 and i.imported_from is not null`,
      [team.tenantId],
    )
    const all = rounds * watched * outagesOfEach
    const spans = rounds * watched
    // a number of an incident that was lost is not given out twice, nor left out
    expect(rows[0]).toEqual({
      stored: all,
      different: all,
      numbers: all,
      last: all,
      monitors: spans,
      spans,
      waiting: 0,
    })
  },
  isWhole ? 1_200_000 : 120_000,
)
