import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClickHouseClient, openClickhouse } from '#analytics/client.ts'
import { dropReplacedParts } from '#analytics/erase-tenant.ts'
import { migrateClickhouse } from '#analytics/migrate.ts'
import { type Calendar, databaseCalendar } from '#control-plane/base/calendar.ts'
import { addManagedTeam } from '#control-plane/reselling/managed-teams/add-managed-team.ts'
import { eraseResults, purgeTeam } from '#control-plane/reselling/managed-teams/purge.ts'
import { reapplyPurges } from '#control-plane/reselling/managed-teams/reapply-purges.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { type ClickhouseServer, startClickhouse } from '#test/support/clickhouse.ts'
import { openDatabases } from '#test/support/databases.ts'
import { dump, plant, plantResults, resultsOf } from './plant.ts'

const dayMs = 86_400_000
let platform: pg.Pool
let owner: pg.Pool
let server: ClickhouseServer
let clickhouse: ClickHouseClient
let resellerId: string

beforeAll(async () => {
  const urls = await openDatabases('purge')
  platform = new pg.Pool({ connectionString: urls.platformUrl, max: 8 })
  owner = new pg.Pool({ connectionString: urls.ownerUrl, max: 2 })
  server = await startClickhouse()
  await migrateClickhouse(server.url('purge'))
  clickhouse = openClickhouse(server.url('purge'))
  resellerId = await createTenant(platform, {
    name: 'Reseller',
    slug: `r-${randomUUID()}`,
    plan: 'pro',
    isReseller: true,
  })
}, 300_000)
afterAll(async () => {
  await clickhouse?.close()
  await server?.stop()
  await platform?.end()
  await owner?.end()
})

const calendarAt = (now: Date): Calendar => ({ now: async () => now, dayMs })
const over = (deletedAt: Date) => calendarAt(new Date(deletedAt.getTime() + 30 * dayMs))
const aMarker = () => randomBytes(10).toString('hex')

async function deletedTeam(): Promise<{ id: string; tenantId: string; deletedAt: Date }> {
  const tenantId = await createTenant(platform, { name: 'Team', slug: `t-${randomUUID()}`, plan: 'pro' })
  const id = await addManagedTeam(platform, resellerId, tenantId, null)
  return { id, tenantId, deletedAt: await markDeleted(id, tenantId) }
}

async function markDeleted(teamId: string, tenantId: string, deletedAt = new Date()): Promise<Date> {
  await owner.query('update managed_teams set deleted_at = $2 where id = $1', [teamId, deletedAt])
  await owner.query('update tenants set deleted_at = $2 where id = $1', [tenantId, deletedAt])
  return deletedAt
}

const filesWith = (marker: string): Promise<string[]> =>
  new Promise(resolve =>
    execFile('grep', ['-rlaF', marker, server.folder], { maxBuffer: 1 << 26 }, (_, found) =>
      resolve(found.split('\n').filter(Boolean)),
    ),
  )

describe('a purge', () => {
  test('orders that a subscription at Stripe ends, unless it is over or another provider’s', async () => {
    const orderedOf = async (collection: string, provider = 'stripe') => {
      const { id, tenantId, deletedAt } = await deletedTeam()
      const ref = `sub_${randomUUID()}`
      await owner.query(
        `insert into subscriptions (tenant_id, provider, customer_ref, subscription_ref, collection)
         values ($1, $2, $3, $4, $5)`,
        [tenantId, provider, `cus_${randomUUID()}`, ref, collection],
      )
      expect(await purgeTeam(platform, id, deletedAt, over(deletedAt))).toBe('purged')
      return (await owner.query('select 1 from ended_subscriptions where subscription_ref = $1', [ref])).rowCount
    }
    expect(await orderedOf('past_due')).toBe(1)
    expect(await orderedOf('canceled')).toBe(0)
    expect(await orderedOf('active', 'manual')).toBe(0)
  })

  test('leaves nothing of the team in any table, file or trail, and its neighbour as it was', async () => {
    const [victim, neighbour] = [
      { id: randomUUID(), resellerId, marker: aMarker() },
      { id: randomUUID(), resellerId, marker: aMarker() },
    ]
    const { teamId, tables } = await plant(owner, victim)
    await plant(owner, neighbour)
    expect(tables).toEqual(
      expect.arrayContaining(['tenants', 'users', 'managed_teams', 'monitors', 'incidents', 'audit_entries', 'outbox']),
    )
    expect(tables).toEqual(
      expect.arrayContaining([
        'heartbeats',
        'ping_addresses',
        'pings',
        'agent_monitors',
        'agent_tokens',
        'pushed_reports',
        'check_warnings',
      ]),
    )
    for (const { id, marker } of [victim, neighbour])
      expect(await plantResults(clickhouse, id, marker)).toEqual(
        expect.arrayContaining([
          'check_results',
          'results_by_hour',
          'server_samples',
          'server_samples_by_hour',
          'server_hours',
          'web_vitals_by_day',
        ]),
      )
    // what the reseller's own trail says of the two
    for (const { id, marker } of [victim, neighbour]) {
      await owner.query(
        `insert into outbox (tenant_id, kind, name, payload) values ($1, 'event', 'team.deleted', $2)`,
        [resellerId, JSON.stringify({ tenant_id: id, tenant_name: marker })],
      )
      await owner.query(
        `insert into audit_entries (id, tenant_id, action, entity_type, entity_id, changes) values ($1, $2, 'team.created', 'managed_team', $3, $4)`,
        [
          randomUUID(),
          resellerId,
          id === victim.id ? teamId : randomUUID(),
          JSON.stringify({ name: { before: null, after: marker } }),
        ],
      )
    }
    const deletedAt = await markDeleted(teamId, victim.id)
    const before = {
      rows: (await dump(owner)).filter(({ row }) => isOf(neighbour, row)),
      results: await resultsOf(clickhouse, neighbour.id),
    }
    expect(new Set(before.rows.map(({ table }) => table)).size).toBeGreaterThanOrEqual(tables.length - 1)
    expect((await filesWith(victim.marker)).length).toBeGreaterThan(0)

    expect(await purgeTeam(platform, teamId, deletedAt, over(deletedAt))).toBe('purged')
    expect(await eraseResults(platform, clickhouse, victim.id)).toBe('erased')

    const after = await dump(owner)
    expect(
      after.filter(
        ({ row }) => row.includes(victim.marker) || row.includes(Buffer.from(victim.marker).toString('hex')),
      ),
    ).toEqual([])
    expect(
      after
        .filter(({ row }) => row.includes(victim.id))
        .map(({ table }) => table)
        .sort(),
    ).toEqual(['audit_entries', 'purged_tenants'])
    expect(after.filter(({ row }) => isOf(neighbour, row))).toEqual(before.rows)
    expect(await resultsOf(clickhouse, victim.id)).toEqual([])
    expect(await resultsOf(clickhouse, neighbour.id)).toEqual(before.results)

    const erased = performance.now()
    await dropReplacedParts(clickhouse)
    expect(await filesWith(victim.marker)).toEqual([])
    const seconds = (performance.now() - erased) / 1_000
    console.log(`purge: the marker was gone from ClickHouse's files ${seconds.toFixed(1)} s after its rows`)
    expect(seconds).toBeLessThan(60)
    expect((await filesWith(neighbour.marker)).length).toBeGreaterThan(0)
  }, 240_000)

  test('erases people who were in no other team, and no others', async () => {
    const [team, other] = [await deletedTeam(), await deletedTeam()]
    const person = async (isSuperAdmin: boolean, ...tenants: string[]) => {
      const id = randomUUID()
      await owner.query('insert into users (id, name, email, is_super_admin) values ($1, $2, $3, $4)', [
        id,
        'Pat',
        `${id}@people.test`,
        isSuperAdmin,
      ])
      for (const tenant of tenants)
        await owner.query(`insert into memberships (user_id, tenant_id, role) values ($1, $2, 'owner')`, [id, tenant])
      return id
    }
    const gone = await person(false, team.tenantId)
    const kept = [
      await person(false, team.tenantId, other.tenantId),
      await person(true, team.tenantId),
      await person(false, other.tenantId),
      await person(false),
    ]
    await purgeTeam(platform, team.id, team.deletedAt, over(team.deletedAt))
    const { rows } = await owner.query<{ id: string }>('select id from users where id = any($1)', [[gone, ...kept]])
    expect(rows.map(({ id }) => id).sort()).toEqual(kept.sort())
  })

  test('waits for the thirty days, to the millisecond', async () => {
    const purges = Number(process.env.EARLY_PURGES ?? 4)
    for (let n = 0; n < purges; n++) {
      const { id, deletedAt } = await deletedTeam()
      const end = deletedAt.getTime() + 30 * dayMs
      for (const early of [30 * dayMs, 1 + Math.floor(Math.random() * 30 * dayMs), 1])
        expect(await purgeTeam(platform, id, deletedAt, calendarAt(new Date(end - early)))).toEqual({
          againInMs: early,
        })
      expect(await purgeTeam(platform, id, deletedAt, calendarAt(new Date(end)))).toBe('purged')
      expect(await purgeTeam(platform, id, deletedAt, calendarAt(new Date(end)))).toBe('purged')
    }
    console.log(`purges asked for too early: 0 of ${3 * purges} done`)
  }, 600_000)

  test('of one deletion leaves a team alone that was deleted again since', async () => {
    const { id, tenantId, deletedAt } = await deletedTeam()
    const again = await markDeleted(id, tenantId, new Date(deletedAt.getTime() + 20 * dayMs))
    expect(await purgeTeam(platform, id, deletedAt, over(again))).toBe('kept')
    expect(await purgeTeam(platform, id, again, over(deletedAt))).toEqual({ againInMs: 20 * dayMs })
  })

  test('of a team that never was, or has left its reseller, erases nothing', async () => {
    expect(await purgeTeam(platform, randomUUID(), new Date(), databaseCalendar)).toBe('kept')
  })

  test('never erases the results of a tenant that lives', async () => {
    const { tenantId } = await deletedTeam()
    await plantResults(clickhouse, tenantId, aMarker())
    const before = await resultsOf(clickhouse, tenantId)
    expect(await eraseResults(platform, clickhouse, tenantId)).toBe('kept')
    expect(await eraseResults(platform, clickhouse, randomUUID())).toBe('kept')
    expect(await resultsOf(clickhouse, tenantId)).toEqual(before)
  })

  test('may be repeated when it broke off between the stores', async () => {
    const { id, tenantId, deletedAt } = await deletedTeam()
    await plantResults(clickhouse, tenantId, aMarker())
    await purgeTeam(platform, id, deletedAt, over(deletedAt))
    expect((await resultsOf(clickhouse, tenantId)).length).toBeGreaterThan(0)
    await Promise.all([1, 2, 3].map(() => eraseResults(platform, clickhouse, tenantId)))
    expect(await eraseResults(platform, clickhouse, tenantId)).toBe('erased')
    expect(await resultsOf(clickhouse, tenantId)).toEqual([])
    const { rows } = await platform.query<{ results_erased_at: Date }>(
      'select results_erased_at from purged_tenants where tenant_id = $1',
      [tenantId],
    )
    expect(rows[0]?.results_erased_at).toBeInstanceOf(Date)
  })

  test('and a restore at the same moment: the team is whole or gone, never half', async () => {
    const outcomes = { whole: 0, gone: 0 }
    for (let round = 0; round < Number(process.env.RESTORE_RACES ?? 60); round++) {
      const { id, tenantId, deletedAt } = await deletedTeam()
      const restore = async () => {
        const { rowCount } = await platform.query(
          'update managed_teams set deleted_at = null where id = $1 and deleted_at is not null',
          [id],
        )
        if (rowCount) await platform.query('update tenants set deleted_at = null where id = $1', [tenantId])
        return rowCount === 1
      }
      // who asks first, wins or loses by chance
      const purging = round % 2 ? undefined : purgeTeam(platform, id, deletedAt, over(deletedAt))
      const restoring = restore()
      const [restored, purged] = await Promise.all([
        restoring,
        purging ?? purgeTeam(platform, id, deletedAt, over(deletedAt)),
      ])
      const { rows } = await platform.query(
        `select m.deleted_at as team, t.deleted_at as tenant from managed_teams m
         join tenants t on t.id = m.tenant_id where m.id = $1`,
        [id],
      )
      expect({ restored, purged, rows }).toEqual(
        restored
          ? { restored: true, purged: 'kept', rows: [{ team: null, tenant: null }] }
          : { restored: false, purged: 'purged', rows: [] },
      )
      outcomes[restored ? 'whole' : 'gone']++
    }
    console.log(`restore against purge: ${outcomes.whole} whole, ${outcomes.gone} gone, 0 half`)
  }, 120_000)

  test('stays done when a backup of either store brings the tenant back', async () => {
    const { id, tenantId, deletedAt } = await deletedTeam()
    await plantResults(clickhouse, tenantId, aMarker())
    await purgeTeam(platform, id, deletedAt, over(deletedAt))
    await eraseResults(platform, clickhouse, tenantId)
    expect(await reapplyPurges({ platform, clickhouse, log: pino({ level: 'silent' }) })).toEqual([])

    // PostgreSQL as it was before the deletion, and ClickHouse as it is
    await owner.query('delete from purged_tenants where tenant_id = $1', [tenantId])
    await owner.query(`insert into tenants (id, name, slug) values ($1, 'Back', $2)`, [tenantId, `t-${tenantId}`])
    await owner.query('insert into managed_teams (id, reseller_id, tenant_id) values ($1, $2, $3)', [
      id,
      resellerId,
      tenantId,
    ])
    expect(await reapplyPurges({ platform, clickhouse, log: pino({ level: 'silent' }) })).toEqual([tenantId])
    expect((await platform.query('select 1 from tenants where id = $1', [tenantId])).rowCount).toBe(0)
    expect(await reapplyPurges({ platform, clickhouse, log: pino({ level: 'silent' }) })).toEqual([])

    // ClickHouse as it was, and PostgreSQL as it is
    await plantResults(clickhouse, tenantId, aMarker())
    await clickhouse.command({
      query: 'DELETE FROM purged_tenants WHERE tenant_id = {id: UUID}',
      query_params: { id: tenantId },
    })
    expect(await reapplyPurges({ platform, clickhouse, log: pino({ level: 'silent' }) })).toEqual([tenantId])
    expect(await resultsOf(clickhouse, tenantId)).toEqual([])
    expect(await reapplyPurges({ platform, clickhouse, log: pino({ level: 'silent' }) })).toEqual([])
  })

  test('finds every table of tenants hanging from them, so that none can be forgotten', async () => {
    const { rows } = await owner.query<{ name: string }>(`
      select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
      where n.nspname = 'public' and c.relkind = 'r' and c.relname <> 'purged_tenants' and not exists (
        select 1 from pg_constraint k where k.conrelid = c.oid and k.contype = 'f' and k.confdeltype = 'c'
          and a.attnum = any (k.conkey))`)
    expect(rows).toEqual([])
  })
})

/** By its id or its marker, as text or as the bytes of a hash. */
const isOf = ({ id, marker }: { id: string; marker: string }, row: string) =>
  [id, marker, Buffer.from(marker).toString('hex')].some(text => row.includes(text))
