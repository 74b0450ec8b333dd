import { pino } from 'pino'
import { expect, test } from 'vitest'
import { UsageMeter } from '#control-plane/http/usage.ts'
import { app, given } from '#test/support/app.ts'

const { platform, clock } = app.services

test('usage of one tenant that PostgreSQL refuses is retried without loss, and all others are counted', async () => {
  const [bad, ...good] = await Promise.all(Array.from({ length: 5 }, () => given.tenant()))
  const at = clock.now()
  const period = `${at.toISOString().slice(0, 7)}-01`
  const stored = async (tenantId: string) =>
    Number(
      (
        await platform.query(
          `select coalesce(sum(count), 0) as n from usage_counters where tenant_id = $1 and metric = 'api_requests'`,
          [tenantId],
        )
      ).rows[0].n,
    )
  const most = '9223372036854775807'
  await platform.query(
    `insert into usage_counters (tenant_id, period, metric, count) values ($1, $2, 'api_requests', $3)`,
    [bad!.tenantId, period, most],
  )
  const meter = new UsageMeter(platform, pino({ level: 'silent' }))
  for (const { tenantId } of [bad!, ...good]) for (let n = 0; n < 3; n++) meter.countRequest(tenantId, at)
  await meter.flush()
  for (const { tenantId } of good) expect(await stored(tenantId)).toBe(3)
  const quarantined = async () =>
    (await platform.query('select kind from quarantined_rows where key = $1', [bad!.tenantId])).rows
  expect(await quarantined()).toEqual([{ kind: 'usage' }])

  meter.countRequest(bad!.tenantId, at)
  await meter.flush()
  await platform.query('update usage_counters set count = 10 where tenant_id = $1', [bad!.tenantId])
  await meter.retry([bad!.tenantId])
  expect(await stored(bad!.tenantId)).toBe(14)
  expect(await quarantined()).toEqual([])
  await meter.stop()
})
