import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type ClickHouseClient, openClickhouse } from '#analytics/client.ts'
import { serverSeries } from '#analytics/queries/server-series.ts'
import { serverHoursBefore } from '#analytics/server-hours.ts'
import { serverMetricNames } from '#contract/server-agent.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { createUser } from '#control-plane/identity/users/create.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { type Stores, withApi } from './api.ts'
import { claim, quantile, round } from './figures.ts'

/** Charts of servers that reported every minute for a month, all metrics of one server at once. */
const servers = Number(process.env.CHART_SERVERS ?? 50)
const days = Number(process.env.CHART_DAYS ?? 30)
const requests = Number(process.env.CHART_REQUESTS ?? 50)
const hourMs = 3_600_000
const series = [
  ...['0', '1'].map(core => ['cpu', core]),
  ...['memory', 'memory_used', 'swap', 'load', 'load_5m', 'load_15m', 'processes'].map(metric => [metric, '']),
  ['disk', '/'],
  ['network_in', 'eth0'],
  ['network_out', 'eth0'],
]

interface Seeded {
  tenant: string
  token: string
  monitors: string[]
}

await withApi('charts', seed, async ({ port, clickhouseUrl }, { tenant, token, monitors }) => {
  const clickhouse = openClickhouse(clickhouseUrl)
  try {
    const figures: { median: number; rows: number }[] = []
    for (const [name, hours] of [
      ['1 h', 1],
      ['24 h', 24],
      ['7 d', 168],
      ['30 d', 720],
    ] as const) {
      const took: number[] = []
      for (let i = 0; i < requests; i++) {
        const to = new Date()
        const from = new Date(to.getTime() - Math.min(hours, days * 24) * hourMs)
        const began = performance.now()
        const answer = await fetch(
          `http://127.0.0.1:${port}/api/v1/agent-monitors/${monitors[i % monitors.length]}/metrics?from=${from.toISOString()}&to=${to.toISOString()}`,
          { headers: { Authorization: `Bearer ${token}`, 'X-Forwarded-For': `10.1.${i % 250}.1` } },
        )
        const { data } = JSON.parse(await answer.text())
        took.push(performance.now() - began)
        if (answer.status !== 200 || data.length < series.length - 1)
          throw new Error(`a chart answered ${answer.status} with ${data?.length} series`)
      }
      const rows = await rowsRead(clickhouse, { tenant, monitor: monitors[0]!, hours })
      figures.push({ median: quantile(took, 0.5), rows })
      const samples = series.length * Math.min(hours, days * 24) * 60
      console.log(
        `      ${name}, all metrics: p50 ${round(quantile(took, 0.5))} ms, p99 ${round(quantile(took, 0.99))} ms; ${rows} rows read, of ${samples} samples`,
      )
    }
    const [hour, month] = [figures[0]!, figures.at(-1)!]
    claim('a month beside an hour, rows read', month.rows / hour.rows, 'under', 2, ' times')
    claim('a month beside an hour, p50', month.median / hour.median, 'under', 2, ' times')
  } finally {
    await clickhouse.close()
  }
})

async function seed({ platformUrl, clickhouseUrl }: Stores): Promise<Seeded> {
  const platform = new pg.Pool({ connectionString: platformUrl, max: 1 })
  const clickhouse = openClickhouse(clickhouseUrl, { requestTimeoutMs: 600_000 })
  try {
    const tenant = await createTenant(platform, {
      name: 'Charts',
      slug: 'charts',
      plan: 'pro',
      featureOverrides: { monitors: null },
    })
    const user = await createUser(platform, {
      name: 'Pat',
      email: 'pat@people.test',
      password: randomUUID(),
      tenantId: tenant,
      role: 'owner',
    })
    const { plain } = await createToken(platform, {
      kind: 'ss',
      tenantId: tenant,
      userId: user,
      name: 'bench',
      scopes: [],
      expiresAt: null,
    })
    const monitors = Array.from({ length: servers }, () => randomUUID())
    await platform.query(
      `with made as (
         insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, region_policy,
           confirmations, recovery_confirmations)
         select id, $1, 'Server', 'agent://server', 'agent', 60, 10, '{"mode":"majority","count":null}', 2, 2
           from unnest($2::uuid[]) as id returning id
       )
       insert into checks (id, tenant_id, monitor_id, type, settings, severity)
         select gen_random_uuid(), $1, id, 'agent', '{}', 'critical' from made`,
      [tenant, monitors],
    )
    const began = performance.now()
    for (const [metric, label] of series)
      await clickhouse.command({
        query: `INSERT INTO server_samples (tenant_id, monitor_id, metric, label, at, value, keep_days, received_at)
          SELECT {tenant: UUID}, arrayJoin({monitors: Array(UUID)}), {metric: String}, {label: String},
            now64(3, 'UTC') - toIntervalMinute(number) AS at, rand() % 1000 / 10, 396, at
          FROM numbers({minutes: UInt32})`,
        query_params: { tenant, monitors, metric, label, minutes: days * 1_440 },
      })
    await clickhouse.command({
      query: readFileSync(
        join(import.meta.dirname, '..', 'analytics', 'schema', '0022_server_hours_so_far.sql'),
        'utf8',
      ),
    })
    console.log(
      `      ${series.length * servers * days * 1_440} samples of ${servers} servers in ${round((performance.now() - began) / 1_000)} s`,
    )
    return { tenant, token: plain, monitors }
  } finally {
    await clickhouse.close()
    await platform.end()
  }
}

/** What the store says it read for the question behind a chart. */
async function rowsRead(
  clickhouse: ClickHouseClient,
  { tenant, monitor, hours }: { tenant: string; monitor: string; hours: number },
): Promise<number> {
  let read = 0
  const asking = {
    query: async (question: Parameters<ClickHouseClient['query']>[0]) => {
      const result = await clickhouse.query({ ...question, format: 'JSON' })
      const { data, statistics } = await result.json<object>()
      read = statistics?.rows_read ?? 0
      return { json: async () => data }
    },
  }
  const bucket = hours <= 3 ? 60 : hours <= 24 ? 300 : 3_600
  await serverSeries(asking as unknown as ClickHouseClient, {
    tenant,
    monitor,
    metrics: [...serverMetricNames],
    from: new Date(Date.now() - hours * hourMs),
    to: new Date(),
    computed: new Date(bucket >= 3_600 ? serverHoursBefore(Date.now()) : 0),
    bucket_s: bucket,
    most: 50_001,
  })
  return read
}
