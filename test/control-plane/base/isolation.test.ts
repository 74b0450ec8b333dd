import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusePowerfulRole } from '#control-plane/db/migrate.ts'
import { app, given } from '#test/support/app.ts'

let owner: pg.Client
let service: pg.Client
beforeAll(async () => {
  owner = new pg.Client({ connectionString: app.stores.ownerUrl })
  service = new pg.Client({ connectionString: app.stores.appUrl })
  await owner.connect()
  await service.connect()
})
afterAll(async () => {
  await owner.end()
  await service.end()
})

describe('row security, read from the catalogue', () => {
  test('every table is forced under it and has a policy; only the list of migrations belongs to no tenant', async () => {
    const { rows } = await owner.query<{ name: string; forced: boolean; policies: string }>(`
      select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced,
             (select count(*) from pg_policy p where p.polrelid = c.oid) as policies
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind = 'r' and c.relname <> 'schema_migrations'`)
    expect(rows.length).toBeGreaterThan(15)
    for (const table of rows)
      expect(table, table.name).toMatchObject({ forced: true, policies: expect.not.stringMatching(/^0$/) })
  })

  test('every table with a tenant’s column is forced under it, and what the service may touch has a policy that asks whose it is', async () => {
    const { rows } = await owner.query<{ name: string; forced: boolean; touched: boolean; asks: boolean | null }>(`
      select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced,
             has_table_privilege('vedette_app', c.oid, 'select, insert, update, delete') as touched,
             (select bool_and(coalesce(p.qual, p.with_check) ~ 'current_(tenant|reseller|user_id)') from pg_policies p
              where p.schemaname = 'public' and p.tablename = c.relname and 'vedette_app' = any(p.roles)) as asks
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p')
        and exists (select 1 from pg_attribute a
          where a.attrelid = c.oid and a.attname in ('tenant_id', 'reseller_id') and not a.attisdropped)`)
    expect(rows.map(row => row.name)).toEqual(
      expect.arrayContaining(['monitors', 'tokens', 'managed_teams', 'monitor_templates']),
    )
    for (const table of rows)
      expect({ ...table, asks: table.asks ?? !table.touched }, table.name).toMatchObject({ forced: true, asks: true })
  })

  test('the service roles own nothing and cannot bypass it', async () => {
    const { rows } = await owner.query<{ rolname: string }>(`
      select rolname from pg_roles r where rolname in ('vedette_app', 'vedette_platform')
        and not rolsuper and not rolbypassrls and not rolcreaterole and not rolcreatedb
        and not exists (select 1 from pg_class c where c.relowner = r.oid)`)
    expect(rows.map(row => row.rolname).sort()).toEqual(['vedette_app', 'vedette_platform'])
    await expect(refusePowerfulRole(app.stores.appUrl)).resolves.toBeUndefined()
    await expect(refusePowerfulRole(app.stores.ownerUrl)).rejects.toThrow('bypass row security')
  })

  test('the audit trail can be added to and read, never changed', async () => {
    const { rows } = await owner.query<{ privilege_type: string }>(
      `select privilege_type from information_schema.role_table_grants
        where grantee = 'vedette_app' and table_name = 'audit_entries'`,
    )
    expect(rows.map(row => row.privilege_type).sort()).toEqual(['INSERT', 'SELECT'])
  })
})

describe('row security, tried without any filter of ours', () => {
  const tables = [
    'tenants',
    'users',
    'memberships',
    'tokens',
    'managed_teams',
    'monitors',
    'checks',
    'votes',
    'verdict_changes',
    'incidents',
    'incident_updates',
    'audit_entries',
    'outbox',
  ]

  test('a session without a tenant sees no rows', async () => {
    await given.tenant()
    for (const table of tables) expect((await service.query(`select * from ${table}`)).rowCount, table).toBe(0)
    await service.query(`select set_config('app.tenant_id', '', false)`)
    for (const table of tables) expect((await service.query(`select * from ${table}`)).rowCount, table).toBe(0)
  })

  test('a tenant sees its own rows, cannot write another’s, and cannot move its own away', async () => {
    const [mine, theirs] = [await given.tenant(), await given.tenant()]
    await service.query(`select set_config('app.tenant_id', $1, false)`, [mine.tenantId])
    expect((await service.query('select distinct tenant_id from tokens')).rows).toEqual([{ tenant_id: mine.tenantId }])
    expect((await service.query('select id from tenants')).rows).toEqual([{ id: mine.tenantId }])
    await expect(
      service.query(`insert into audit_entries (id, tenant_id, action, entity_type) values ($1, $2, 'x', 'x')`, [
        randomUUID(),
        theirs.tenantId,
      ]),
    ).rejects.toThrow('row-level security')
    await expect(service.query('update tokens set tenant_id = $1', [theirs.tenantId])).rejects.toThrow(
      'permission denied',
    )
    expect((await service.query('delete from tokens where tenant_id = $1', [theirs.tenantId])).rowCount).toBe(0)
    await expect(service.query('update audit_entries set action = $1', ['y'])).rejects.toThrow('permission denied')
    await expect(service.query('select * from agent_enrolments')).rejects.toThrow('permission denied')
    await service.query(`select set_config('app.tenant_id', '', false)`)
  })

  test('a reseller sees its own teams and their tenants, and no others', async () => {
    const [reseller, rival] = [await given.reseller(), await given.reseller()]
    const team = await given.team(reseller)
    await given.team(rival)
    await service.query(`select set_config('app.reseller_id', $1, false)`, [reseller.tenantId])
    expect((await service.query('select id from managed_teams')).rows).toEqual([{ id: team.id }])
    expect((await service.query('select id from tenants order by id')).rows.map(row => row.id).sort()).toEqual(
      [reseller.tenantId, team.tenantId].sort(),
    )
    await service.query(`select set_config('app.reseller_id', '', false)`)
  })
})
