import pg from 'pg'
import { expect, test } from 'vitest'
import { unlimited } from '#contract/plans.ts'
import { readMigrations } from '#control-plane/db/migrate.ts'
import { openDatabases } from '#test/support/databases.ts'

test('the migration lifts the limits of operators’ own teams alone, and checks again what these kept back', async () => {
  const { ownerUrl } = await openDatabases('vedette_first_team')
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    const tenant = async (
      slug: string,
      { isOperator = true, isService = false, role = 'owner', overrides = {} } = {},
    ) => {
      const { rows } = await owner.query(
        `insert into tenants (id, name, slug, plan, feature_overrides) values (gen_random_uuid(), $1, $1, 'pro', $2)
         returning id`,
        [slug, overrides],
      )
      const { id } = rows[0]
      await owner.query(
        `with person as (
           insert into users (id, name, email, language, is_super_admin, is_service, home_tenant_id)
           values (gen_random_uuid(), $1::text, $1 || '@example.com', 'en', $3, $4, $2) returning id)
         insert into memberships (user_id, tenant_id, role) select id, $2, $5 from person`,
        [slug, id, isOperator, isService, role],
      )
      await owner.query(
        `insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, region_policy,
           confirmations, recovery_confirmations, held_by_plan)
         values (gen_random_uuid(), $1, 'Shop', 'https://example.com/', 'website', 60, 30, '{}', 1, 1, true)`,
        [id],
      )
      return id
    }
    await tenant('first', { overrides: { status_pages: 3 } })
    await tenant('customer', { isOperator: false })
    await tenant('guest', { role: 'viewer' })
    await tenant('program', { isService: true })
    const [host, managed] = [await tenant('host', { isOperator: false }), await tenant('managed')]
    await owner.query(
      `insert into managed_teams (id, reseller_id, tenant_id, name, slug, plan)
       values (gen_random_uuid(), $1, $2, '', '', '')`,
      [host, managed],
    )
    const migration = readMigrations().find(({ name }) => name.endsWith('-first-team-unlimited'))
    await owner.query(migration?.sql ?? '')
    const { rows } = await owner.query(
      `select t.slug, t.feature_overrides as overrides, m.held_by_plan as is_over
       from tenants t join monitors m on m.tenant_id = t.id order by t.slug`,
    )
    const same = { overrides: {}, is_over: true }
    expect(rows).toEqual([
      { slug: 'customer', ...same },
      { slug: 'first', overrides: { status_pages: 3, ...unlimited }, is_over: false },
      { slug: 'guest', ...same },
      { slug: 'host', ...same },
      { slug: 'managed', ...same },
      { slug: 'program', ...same },
    ])
  } finally {
    await owner.end()
  }
})
