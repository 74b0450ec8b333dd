import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOrm } from '#control-plane/db/orm.ts'
import { advanceMigration } from '#control-plane/monitoring/migrations/advance.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { services } = app
const isWhole = process.env.WHOLE === '1'
/** WHOLE=1, as in the gate: 2,000 monitors and 200 kills. */
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
