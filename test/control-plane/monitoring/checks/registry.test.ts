import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { migrateClickhouse } from '#analytics/migrate.ts'
import { isPassiveKind, type KindName, kindNames } from '#checks/index.ts'
import { events } from '#contract/events.ts'
import { endpoints } from '#control-plane/endpoints.ts'
import { describe as describeApi } from '#control-plane/http/openapi/document.ts'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { follow } from '#test/support/follow.ts'

// biome-ignore lint/suspicious/noExplicitAny: read as a user's script would
type Json = any

/** What a kind cannot do without. */
const settings: Partial<Record<KindName, Record<string, unknown>>> = { tcp: { port: 443 } }
const probedKinds = kindNames.filter(name => !isPassiveKind(name))

let tenant: CallerUnderTest
let reseller: CallerUnderTest
beforeAll(async () => {
  await migrateClickhouse(app.stores.clickhouseUrl)
  tenant = await given.tenant()
  reseller = await given.reseller()
}, 120_000)

describe.each(probedKinds)('a check of kind %s', type => {
  test('can be created and read, and has a time series', async () => {
    const monitor = await aMonitor(tenant, { kinds: [] })
    const made = await tenant.post(`/monitors/${monitor.id}/checks`, { type, settings: settings[type] ?? {} })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    expect(made.body.data).toMatchObject({ type, status: null })
    const series = await tenant.get(`/checks/${made.body.data.id}/timeseries`)
    expect([series.status, series.body.data]).toEqual([200, []])
    const batch = await tenant.post('/checks/timeseries-batch', { check_ids: [made.body.data.id] })
    expect(batch.body.data).toEqual([{ check_id: made.body.data.id, points: [] }])
  })

  test('can be part of a template', async () => {
    const checks = [{ type, settings: settings[type] ?? {} }]
    const monitors = [
      { name_template: '{{name}}', url_template: 'https://{{name}}.example.com', type: 'website', checks },
    ]
    const { status, body } = await reseller.post('/reseller/monitor-templates', {
      name: `T ${randomUUID()}`,
      monitors,
      variables: [{ name: 'name' }],
    })
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body.data.monitors[0].checks).toMatchObject([{ type }])
  })
})

test('the API document has a schema for the settings of each kind, discriminated by type', () => {
  const document: Json = JSON.parse(JSON.stringify(describeApi(endpoints, 'http://localhost')))
  const schemaAt = (ref: string) => document.components.schemas[ref.split('/').at(-1)!]
  const body = follow<Json>(
    document,
    document.paths['/api/v1/monitors/{monitor}/checks'].post.requestBody.content['application/json'].schema,
  )
  const answer = follow<Json>(document, document.paths['/api/v1/checks/{check}'].get.responses['200'])
  const shown = follow<Json>(
    document,
    follow<Json>(document, answer.content['application/json'].schema).properties.data,
  )
  for (const union of [body, shown]) {
    expect(union.discriminator.propertyName).toBe('type')
    expect(Object.keys(union.discriminator.mapping).sort()).toEqual(kindNames.toSorted())
    for (const [type, ref] of Object.entries<string>(union.discriminator.mapping)) {
      expect(schemaAt(ref).properties.type).toMatchObject({ const: type })
      expect(schemaAt(ref).properties.settings.properties, type).toBeDefined()
    }
  }
  expect(schemaAt(body.discriminator.mapping.ssl).properties.settings.properties).toHaveProperty('warn_days')
})

test('a deleted check ends its warnings and notifies their audience', async () => {
  const one = await given.tenant()
  const [kept, gone] = [await aMonitor(one, { kinds: ['ssl', 'uptime'] }), await aMonitor(one, { kinds: ['ssl'] })]
  for (const check of [...kept.checks, gone.check])
    await app.services.platform.query(
      `insert into check_warnings (
       check_id, tenant_id, event, depth, since, code, reason, regions, details, notified_depth
     )
       values ($1, $2, 'warning.ssl_expiring', 1, now(), 'ssl_expiring', 'Soon.', '{eu}', '{}', 1)`,
      [check, one.tenantId],
    )
  expect((await one.delete(`/checks/${kept.check}`)).status).toBe(204)
  expect((await one.delete(`/monitors/${gone.id}`)).status).toBe(204)
  const { rows } = await app.services.platform.query<{ payload: Record<string, unknown> }>(
    `select payload from outbox where tenant_id = $1 and name = 'warning.cleared' order by id`,
    [one.tenantId],
  )
  expect(rows.map(({ payload }) => payload.check_id)).toEqual([kept.check, gone.check])
  for (const { payload } of rows) expect(events.get('warning.cleared')!.schema.safeParse(payload).error).toBeUndefined()
})
