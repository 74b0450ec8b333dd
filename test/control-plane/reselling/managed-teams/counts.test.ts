import { randomInt } from 'node:crypto'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { aMonitor, anIncident } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given, type TeamUnderTest } from '#test/support/app.ts'

const { platform } = app.services
const pool = new pg.Pool({ connectionString: app.stores.platformUrl, max: 8 })
afterAll(() => pool.end())

const columns = 'tenant_id, monitors, monitors_up, monitors_down, open_incidents, members'
const kept = async (tenants: string[]) =>
  (
    await pool.query(`select ${columns} from tenant_counts where tenant_id = any($1::uuid[]) order by tenant_id`, [
      tenants,
    ])
  ).rows
const counted = async (tenants: string[]) =>
  (
    await pool.query(
      `select t.id as tenant_id,
         (select count(*)::int from monitors m where m.tenant_id = t.id) as monitors,
         (select count(*)::int from monitors m where m.tenant_id = t.id and m.status = 'up' and m.is_enabled
           and not m.held_by_plan) as monitors_up,
         (select count(*)::int from monitors m where m.tenant_id = t.id and m.status = 'down' and m.is_enabled
           and not m.held_by_plan) as monitors_down,
         (select count(*)::int from incidents i where i.tenant_id = t.id and i.resolved_at is null) as open_incidents,
         (select count(*)::int from memberships b join users u on u.id = b.user_id where b.tenant_id = t.id
           and not u.is_service) as members
       from tenants t where t.id = any($1::uuid[]) order by t.id`,
      [tenants],
    )
  ).rows

describe('counts of a tenant', () => {
  test('follow monitors as they come, change and go', async () => {
    const team = await given.team(await given.reseller())
    const shop = (await team.post('/monitors', { name: 'Shop', url: 'https://shop.example/' })).body.data.id
    const [row] = await kept([team.tenantId])
    expect(row).toMatchObject({ monitors: 1, monitors_up: 0, monitors_down: 0, open_incidents: 0, members: 1 })
    await platform.query(`update monitors set status = 'down' where id = $1`, [shop])
    expect((await kept([team.tenantId]))[0]).toMatchObject({ monitors: 1, monitors_down: 1 })
    await team.post(`/monitors/${shop}/disable`)
    expect((await kept([team.tenantId]))[0]).toMatchObject({ monitors: 1, monitors_down: 0 })
    await team.post(`/monitors/${shop}/enable`)
    await anIncident(team, { monitor: { id: shop, check: '' } })
    expect((await kept([team.tenantId]))[0]).toMatchObject({ monitors_down: 1, open_incidents: 1 })
    await team.delete(`/monitors/${shop}`)
    expect((await kept([team.tenantId]))[0]).toMatchObject({ monitors: 0, monitors_down: 0, open_incidents: 0 })
  })

  test('leave out who stands in for a reseller', async () => {
    const team = await given.team(await given.reseller())
    const id = crypto.randomUUID()
    await platform.query('insert into users (id, name, email, is_service) values ($1, $2, $3, true)', [
      id,
      'Service',
      `${id}@service.test`,
    ])
    await platform.query(
      `insert into memberships (user_id, tenant_id, role, is_service) values ($1, $2, 'admin', true)`,
      [id, team.tenantId],
    )
    expect((await kept([team.tenantId]))[0].members).toBe(1)
    await platform.query('delete from users where id = $1', [id])
    expect((await kept([team.tenantId]))[0].members).toBe(1)
    await platform.query('delete from users where id = $1', [team.userId])
    expect((await kept([team.tenantId]))[0].members).toBe(0)
  })

  test('stay as they were when a transaction is taken back', async () => {
    const team = await given.team(await given.reseller())
    const { id } = await aMonitor(team)
    const client = await pool.connect()
    await client.query('begin')
    await client.query(`update monitors set status = 'down' where id = $1`, [id])
    await client.query('savepoint halfway')
    await client.query('delete from monitors where id = $1', [id])
    await client.query('rollback to halfway')
    await client.query('commit')
    expect(await kept([team.tenantId])).toEqual(await counted([team.tenantId]))
    await client.query('begin')
    await client.query('delete from monitors where id = $1', [id])
    await client.query('rollback')
    client.release()
    expect((await kept([team.tenantId]))[0]).toMatchObject({ monitors: 1, monitors_up: 0, monitors_down: 1 })
    expect((await platform.query('select 1 from count_deltas')).rowCount).toBe(0)
  })

  test('go with their tenant', async () => {
    const team = await given.team(await given.reseller())
    await anIncident(team)
    await platform.query('delete from tenants where id = $1', [team.tenantId])
    expect(await kept([team.tenantId])).toEqual([])
  })

  test('are read by the team and by its own reseller alone', async () => {
    const [reseller, rival] = [await given.reseller(), await given.reseller()]
    const team = await given.team(reseller)
    const service = new pg.Client({ connectionString: app.stores.appUrl })
    await service.connect()
    const seenBy = async (setting: string, id: string) => {
      await service.query('begin')
      await service.query('select set_config($1, $2, true)', [setting, id])
      const { rows } = await service.query('select tenant_id from tenant_counts')
      await service.query('rollback')
      return rows.map(row => row.tenant_id)
    }
    expect(await seenBy('app.tenant_id', team.tenantId)).toEqual([team.tenantId])
    expect(await seenBy('app.reseller_id', reseller.tenantId)).toEqual([team.tenantId])
    expect(await seenBy('app.reseller_id', rival.tenantId)).toEqual([])
    await expect(service.query('update tenant_counts set monitors = 0')).rejects.toThrow('permission denied')
    await expect(service.query('insert into count_deltas values ($1)', ['[]'])).rejects.toThrow('permission denied')
    await service.end()
  })
})

/**
 * As the verdict engine and many people at once: whole groups of several tenants in one transaction, and single
 * monitors in others.
 */
test('are exact after a storm of writers, of whom none waits in a circle', async () => {
  const reseller: CallerUnderTest = await given.reseller()
  const teams: TeamUnderTest[] = []
  const monitors: { id: string; check: string; team: TeamUnderTest }[] = []
  for (let n = 0; n < 6; n++) {
    const team = await given.team(reseller)
    teams.push(team)
    for (let m = 0; m < 8; m++) monitors.push({ ...(await aMonitor(team)), team })
  }
  const tenants = teams.map(team => team.tenantId)
  const some = () => [...monitors].sort(() => randomInt(3) - 1).slice(0, randomInt(1, 12))
  const failures: string[] = []
  const inTransaction = async (work: (client: pg.PoolClient) => Promise<unknown>) => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      await work(client)
      await client.query(randomInt(10) === 0 ? 'rollback' : 'commit')
    } catch (error) {
      await client.query('rollback')
      failures.push(String(error))
    } finally {
      client.release()
    }
  }
  // ids in order, as in the engine's statements: the test proves that the counts add no deadlock
  const engine = () =>
    inTransaction(async client => {
      const group = some().sort((a, b) => (a.id < b.id ? -1 : 1))
      const status = ['up', 'down', 'warning'][randomInt(3)]
      await client.query(`insert into incidents (id, tenant_id, monitor_id, check_type, number, title, severity,
        started_at, confirmed_at, quorum)
        select gen_random_uuid(), m.tenant_id, m.id, 'uptime', (random() * 2000000000)::int, 'x', 'minor', now(),
          now(), '{}' from monitors m where m.id = '${group[0]!.id}' for key share`)
      for (const { id } of group) await client.query('update monitors set status = $2 where id = $1', [id, status])
    })
  const person = () =>
    inTransaction(async client => {
      const one = monitors[randomInt(monitors.length)]!
      await client.query('update monitors set is_enabled = not is_enabled where id = $1', [one.id])
      await client.query(
        `update incidents set resolved_at = now() where id = (select id from incidents where monitor_id = $1
         and resolved_at is null order by id limit 1 for update skip locked)`,
        [one.id],
      )
    })
  await Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; n < 60; n++) await (writer % 2 ? engine() : person())
    }),
  )
  expect(failures).toEqual([])
  expect(await kept(tenants)).toEqual(await counted(tenants))
  for (const table of ['incidents', 'monitors'])
    await pool.query(`delete from ${table} where tenant_id = any($1::uuid[])`, [tenants])
  expect(
    (await kept(tenants)).every(
      row => row.monitors === 0 && row.monitors_up === 0 && row.monitors_down === 0 && row.open_incidents === 0,
    ),
  ).toBe(true)
}, 120_000)
