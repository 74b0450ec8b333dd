import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowFindings } from '#cli/commands/doctor-rows.ts'
import { encryptConfig } from '#control-plane/alerting/channels/config.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { openDatabases } from '#test/support/databases.ts'

let platform: pg.Pool
let environment: Record<string, string>
beforeAll(async () => {
  const { platformUrl } = await openDatabases('doctor')
  platform = new pg.Pool({ connectionString: platformUrl, max: 1 })
  environment = { DATABASE_PLATFORM_URL: platformUrl, SECRET_KEY: 'the present key of this installation, long enough' }
})
afterAll(() => platform?.end())

test('vedette doctor reports quarantined rows, dead events and secrets under an earlier key', async () => {
  expect((await rowFindings(environment)).map(({ state }) => state)).toEqual(['good', 'good', 'good'])
  const tenant = await createTenant(platform, {
    name: 'Team',
    slug: `t-${randomUUID()}`,
    plan: 'pro',
    featureOverrides: {},
    isReseller: false,
  })
  for (let n = 0; n < 12; n++)
    await platform.query(
      `insert into quarantined_rows (kind, key, reason, next_try_at)
        values ('check', 'row-' || $1::int, 'Its settings cannot be read.', now())`,
      [n],
    )
  await platform.query(
    `insert into outbox (tenant_id, kind, name, payload, done_at, dead_at, dead_id)
      values ($1, 'event', 'x', '{}', now(), now(), gen_random_uuid())`,
    [tenant],
  )
  const id = randomUUID()
  const { config, secrets } = encryptConfig(
    { secretKey: 'an earlier key of this installation, long enough' },
    id,
    'webhook',
    { url: 'x', secret: 'hunter2' },
  )
  await platform.query(
    `insert into notification_channels (id, tenant_id, name, type, config, secrets)
      values ($1, $2, 'x', 'webhook', $3, $4)`,
    [id, tenant, JSON.stringify(config), secrets],
  )
  const [rows, dead, keys] = await rowFindings(environment)
  expect(rows).toMatchObject({ title: 'Quarantine', state: 'bad' })
  expect(rows!.words).toContain('12 rows are put off')
  expect(rows!.words).toContain('check row-0: Its settings cannot be read.')
  expect(rows!.words).toContain('and 2 more')
  expect(dead).toEqual({
    title: 'Dead events',
    state: 'bad',
    words: '1 events were given up: GET /api/v1/platform/dead-events',
  })
  expect(keys).toMatchObject({ state: 'bad', words: expect.stringContaining('1 in notification_channels') })
})

test('vedette doctor says so when the database does not answer', async () => {
  const findings = await rowFindings({
    ...environment,
    DATABASE_PLATFORM_URL: 'postgres://stranger:nothing@127.0.0.1:1/none',
  })
  expect(findings).toMatchObject([{ title: 'Rows', state: 'bad' }])
})
