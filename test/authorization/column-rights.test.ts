import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '#control-plane/db/migrate.ts'
import { rights } from '#control-plane/db/rights.ts'
import { openDatabases, serviceUrls } from '#test/support/databases.ts'
import { store } from '#test/support/stores.ts'

/** Columns that the role of the API may change, by table, as they are declared. */
const declared = Object.fromEntries(
  Object.entries(rights).flatMap(([table, { app }]) => {
    const columns = app.flatMap(right => (typeof right === 'object' && 'update' in right ? right.update : []))
    return columns.length > 0 ? [[table, columns.toSorted()]] : []
  }),
)

let owner: pg.Client
let app: pg.Client
const name = 'vedette_column_rights'
beforeAll(async () => {
  const { ownerUrl } = await openDatabases(name)
  const postgres = await store('postgres')
  // a copy of a database does not have its rights: every start gives them
  await migrate({ ownerUrl, appPassword: postgres.appPassword, platformPassword: postgres.platformPassword })
  owner = new pg.Client({ connectionString: ownerUrl })
  app = new pg.Client({ connectionString: serviceUrls(ownerUrl, postgres).appUrl })
  await Promise.all([owner.connect(), app.connect()])
  await app.query(`select set_config('app.tenant_id', gen_random_uuid()::text, false)`)
})
afterAll(() => Promise.all([owner?.end(), app?.end()]))

test('the role of the API may change the declared columns and no other', async () => {
  const { rows } = await owner.query<{ table: string; columns: string[] }>(`
    select c.relname as table, array_agg(a.attname::text order by a.attname::text collate "C") as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
      and has_column_privilege('vedette_app', c.oid, a.attnum, 'update')
    group by 1 order by 1`)
  expect(Object.fromEntries(rows.map(({ table, columns }) => [table, columns]))).toEqual(declared)
  const { rows: whole } = await owner.query(`
    select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace
      and has_table_privilege('vedette_app', c.oid, 'update') and c.relkind = 'r'`)
  expect(whole).toEqual([])
})

describe('columns that would raise a caller’s rights', () => {
  test.each([
    ['update users set is_super_admin = true'],
    [`update users set password_hash = 'x'`],
    [`update users set email = 'a@b.example'`],
    ['update users set email_verified_at = now()'],
    ['update users set home_tenant_id = null'],
    ['update tenants set is_reseller = true'],
    [`update tenants set plan = 'pro'`],
    [`update tenants set feature_overrides = '{"unlimited": true}'`],
    ['update tenants set paused_at = null'],
    ['update tenants set deleted_at = null'],
    ['update tenants set suspended_at = null'],
    [`insert into tenants (id, name, slug, plan, is_reseller) values (gen_random_uuid(), 'x', 'x', 'pro', true)`],
    [`select change_managed_tenant(current_tenant(), '{"plan": "pro"}')`],
    [`update tokens set kind = 'rk'`],
    [`update tokens set scopes = '{teams:manage}'`],
    ['update tokens set user_id = null'],
    ['update tokens set created_by = null'],
    [`update tokens set hash = ''`],
    ['update tokens set tenant_id = null'],
    ['update managed_teams set reseller_id = null'],
    ['update memberships set user_id = null'],
    ['update mail_recipients set confirmed_at = now()'],
    ['insert into mail_recipients (tenant_id, email, confirmed_at) values (current_tenant(), $$a@b.example$$, now())'],
    [`update incidents set tenant_id = null`],
  ])('is refused by the database: %s', async statement => {
    await expect(app.query(statement)).rejects.toMatchObject({ code: '42501' })
  })

  test('neither role of the service makes temporary tables, which would stand before the real ones', async () => {
    await expect(app.query('create temporary table users (id int)')).rejects.toMatchObject({ code: '42501' })
    const { rows } = await owner.query(
      `select role, has_database_privilege(role, current_database(), 'temporary') as may
       from unnest(array['vedette_app', 'vedette_platform']) role`,
    )
    expect(rows.map(({ may }) => may)).toEqual([false, false])
  })

  test('is open to a reseller for its own teams alone: plan, limits, name, pause and end', async () => {
    const { rows } = await owner.query(`select gen_random_uuid() as a, gen_random_uuid() as b, gen_random_uuid() as t`)
    const { a, b, t } = rows[0]
    for (const [id, plan, isReseller] of [
      [a, 'pro', true],
      [b, 'pro', true],
      [t, 'free', false],
    ])
      await owner.query('insert into tenants (id, name, slug, plan, is_reseller) values ($1, $2, $3, $4, $5)', [
        id,
        'A tenant',
        `t-${id}`,
        plan,
        isReseller,
      ])
    await owner.query('insert into managed_teams (id, reseller_id, tenant_id) values (gen_random_uuid(), $1, $2)', [
      a,
      t,
    ])
    const change = async (reseller: string, tenant: string, id = t) => {
      await app.query(`select set_config('app.reseller_id', $1, false), set_config('app.tenant_id', $2, false)`, [
        reseller,
        tenant,
      ])
      return app.query('select change_managed_tenant($1, $2)', [
        id,
        { plan: 'pro', updated_at: '2026-01-01T00:00:00Z' },
      ])
    }
    for (const [reseller, tenant, id] of [
      ['', t, t],
      [b, b, t],
      [a, a, a],
      [a, t, b],
    ])
      await expect(change(reseller, tenant, id)).rejects.toMatchObject({ code: '42501' })
    await change(a, t)
    expect((await owner.query('select plan from tenants where id = $1', [t])).rows).toEqual([{ plan: 'pro' }])
  })
})
