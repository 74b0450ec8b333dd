import { pino } from 'pino'
import { expect, test } from 'vitest'
import { VitalsBatch } from '#control-plane/passive/web-vitals/batch.ts'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, given } from '#test/support/app.ts'

const { platform, clickhouse } = app.services

test('measurements of one monitor that ClickHouse refuses are lost alone', async () => {
  const lines: string[] = []
  const batch = new VitalsBatch({
    platform,
    clickhouse,
    log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
  })
  const owners = await Promise.all(Array.from({ length: 4 }, () => given.tenant()))
  const sites = await Promise.all(
    owners.map(async owner => ({ tenant: owner.tenantId, monitor: (await aMonitor(owner)).id })),
  )
  const [bad, ...good] = sites
  for (const site of good) batch.add({ ...site, metric: 'LCP', value: 1_000, page: '/', connection: '4g' }, new Date())
  // a connection that no browser has, as the table knows them
  batch.add(
    { ...bad!, metric: 'LCP', value: 1_000, page: 'half \ud83d a pair', connection: 'half \ud83d a pair' },
    new Date(),
  )
  await batch.flush()
  for (const { monitor } of good) {
    const found = await clickhouse.query({
      query: `SELECT count() AS n FROM web_vitals_by_day WHERE monitor_id = '${monitor}'`,
      format: 'JSONEachRow',
    })
    expect((await found.json<{ n: number }>())[0]).toEqual({ n: 1 })
  }
  await expect
    .poll(async () => (await platform.query('select kind from quarantined_rows where key = $1', [bad!.monitor])).rows)
    .toEqual([{ kind: 'web_vitals' }])
  expect(lines.join('')).not.toContain('is lost')
})
