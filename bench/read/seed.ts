import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { cellColumns, cellOfResults, timing } from '#analytics/cells.ts'
import { openClickhouse } from '#analytics/client.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { createUser } from '#control-plane/identity/users/create.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'

const dayMs = 86_400_000

export interface Amount {
  monitors: number
  results: number
}

export interface Team {
  tenant: string
  monitors: string[]
  tokens: string[]
}

/**
 * The first has a fifth of all monitors, which is the worst case of a list; the others as many as the largest plan
 * allows.
 */
export interface Seeded {
  teams: Team[]
}

const planMonitors = 200

/**
 * Three regions a monitor; of the results 120 lie in the last two hours, where no roll-up helps, the others in the
 * four weeks before. Days reach back further than any report.
 */
export async function seedReads(
  platformUrl: string,
  clickhouseUrl: string,
  { monitors, results }: Amount,
): Promise<Seeded> {
  const pool = new pg.Pool({ connectionString: platformUrl, max: 1 })
  const checks: Check[] = []
  const teams: Team[] = []
  try {
    for (let left = monitors; left > 0; ) {
      const size = Math.min(left, teams.length === 0 ? Math.max(planMonitors, monitors / 5) : planMonitors)
      const ids = Array.from({ length: size }, () => ({ monitor: randomUUID(), check: randomUUID() }))
      const team = await seedTeam(pool, ids, teams.length === 0 ? 60 : 4)
      checks.push(...ids.map(id => ({ ...id, tenant: team.tenant })))
      teams.push(team)
      left -= size
    }
    await pool.query('analyze')
  } finally {
    await pool.end()
  }
  await seedClickhouse(clickhouseUrl, checks, Math.ceil(results / monitors / regions.length))
  return { teams }
}

const regions = ['eu-west', 'us-east', 'ap-south']

interface Ids {
  monitor: string
  check: string
}
interface Check extends Ids {
  tenant: string
}

async function seedTeam(pool: pg.Pool, ids: readonly Ids[], sessions: number): Promise<Team> {
  const id = await createTenant(pool, {
    name: 'Reads',
    slug: `reads-${randomUUID()}`,
    plan: 'pro',
    featureOverrides: { monitors: null },
  })
  const userId = await createUser(pool, {
    email: `${randomUUID()}@reads.test`,
    password: randomUUID(),
    name: 'Reader',
    tenantId: id,
    role: 'owner',
  })
  const tokens: string[] = []
  for (let n = 0; n < sessions; n++)
    tokens.push(
      (await createToken(pool, { kind: 'ss', tenantId: id, userId, name: `read ${n}`, scopes: [], expiresAt: null }))
        .plain,
    )

  const [monitors, checks] = [ids.map(({ monitor }) => monitor), ids.map(({ check }) => check)]
  await pool.query(
    `insert into monitors (id, tenant_id, name, url, type, tags, check_interval, timeout, regions, region_policy,
     confirmations, recovery_confirmations, status, coverage, created_at)
       select m.id, $2, 'Site ' || n, 'https://site-' || n || '.example/', 'website', array['t' || n % 20], 60,
         10, $3, '{"mode":"majority","count":null}', 2, 2, 'up', 'full', now() - n * interval '1 minute'
       from unnest($1::uuid[]) with ordinality as m(id, n)`,
    [monitors, id, regions],
  )
  await pool.query(
    `insert into checks (id, tenant_id, monitor_id, type, severity, verdict, verdict_since, coverage)
       select c, $3, m, 'uptime', 'critical', 'up', now() - interval '3 days', 'full'
         from unnest($1::uuid[], $2::uuid[]) as i(c, m)`,
    [checks, monitors, id],
  )
  // a short outage every week, each seen as such
  await pool.query(
    `insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict)
       select $3, m, c, at, verdict from unnest($1::uuid[], $2::uuid[]) with ordinality as i(c, m, n)
       cross join lateral (
         select now() - interval '95 days' as at, 'up' as verdict
         union all
         select now() - week * interval '7 days' - (n % 5000) * interval '1 minute' + part * interval '9 minutes',
           (array['down', 'up'])[part + 1]
         from generate_series(0, 12) week, generate_series(0, 1) part
       ) v order by at`,
    [checks, monitors, id],
  )
  await pool.query(
    `insert into incidents (id, tenant_id, monitor_id, check_id, check_type, number, title, severity, status,
     started_at, confirmed_at, resolved_at, resolution, quorum)
       select gen_random_uuid(), $3, m, c, 'uptime', (n * 10 + k)::int, 'Site is down', 'critical', 'resolved',
         at, at, at + interval '9 minutes', 'recovered', '{}'
       from unnest($1::uuid[], $2::uuid[]) with ordinality as i(c, m, n), generate_series(0, 3) k,
       lateral (select now() - k * interval '21 days' - (n % 5000) * interval '1 minute' as at) t`,
    [checks, monitors, id],
  )
  return { tenant: id, monitors, tokens }
}

async function seedClickhouse(url: string, checks: readonly Check[], results: number): Promise<void> {
  const clickhouse = openClickhouse(url, { requestTimeoutMs: 600_000 })
  const run = (query: string, query_params: Record<string, unknown> = {}) => clickhouse.command({ query, query_params })
  const now = new Date(Math.floor(Date.now() / 60_000) * 60_000)
  const recent = Math.min(120, results)
  const stepS = Math.floor((29 * 86_400 - 7_200) / Math.max(1, results - recent))
  try {
    await run('DROP TABLE IF EXISTS read_checks')
    await run('CREATE TABLE read_checks (tenant_id UUID, monitor_id UUID, check_id UUID) ENGINE = Memory')
    await clickhouse.insert({
      table: 'read_checks',
      format: 'JSONEachRow',
      values: checks.map(({ tenant, monitor, check }) => ({ tenant_id: tenant, monitor_id: monitor, check_id: check })),
    })
    const portion = 60
    for (let first = 0; first < results; first += portion)
      await run(
        `INSERT INTO check_results (tenant_id, monitor_id, check_id, region, kind, due, attempt, at, received_at,
         run_reason, outcome, code, reason,
           response_ms, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, http_status, seen, fault_phase,
             excerpt, address, is_unreliable, agent_id)
         SELECT tenant_id, monitor_id, check_id, region, 'uptime',
           subtractSeconds({now: DateTime64(3)},
             if(n < {recent: UInt32}, n * 60,
             7200 + (n - {recent: UInt32}) * {step: UInt32}) + cityHash64(check_id, region) % 60) AS due,
           0, due, due, 'due', 'up', '', '', 60 + cityHash64(check_id, region, n) % 10000 / 100 AS ms, 3, 12, 20,
             ms * 0.9, ms, 200, '', '', '', '', false, 'bench'
         FROM read_checks ARRAY JOIN ${JSON.stringify(regions).replaceAll('"', "'")} AS region
         CROSS JOIN (SELECT number + {first: UInt32} AS n FROM numbers({count: UInt32})) AS results`,
        { now, recent, step: stepS, first, count: Math.min(portion, results - first) },
      )
    await run('DROP TABLE read_checks')

    const version = Date.now()
    const today = Math.floor(version / dayMs) * dayMs
    const openHour = Math.floor(version / 3_600_000) * 3_600_000
    const cells = (table: string, start: string) => `
      INSERT INTO ${table} (tenant_id, monitor_id, check_id, ${start}, region, ${cellColumns.join(', ')}, version)
      SELECT tenant_id, monitor_id, check_id,
        ${start === 'day' ? "toDate(due, 'UTC')" : 'toStartOfHour(due)'} AS ${start}, region,
        ${cellColumns.join(', ')}, {version: UInt64}
      FROM (SELECT tenant_id, monitor_id, check_id, due_start AS due, region,${cellOfResults}
        FROM (SELECT *, ${start === 'day' ? 'toStartOfDay(due)' : 'toStartOfHour(due)'} AS due_start,${timing}
          FROM check_results WHERE due >= {from: DateTime} AND due < {to: DateTime})
        GROUP BY tenant_id, monitor_id, check_id, due, region)`
    for (let from = today - 29 * dayMs; from < today; from += 5 * dayMs)
      await run(cells('results_by_day', 'day'), {
        from: new Date(from),
        to: new Date(Math.min(today, from + 5 * dayMs)),
        version,
      })
    await run(cells('results_by_hour', 'hour'), { from: new Date(today - 2 * dayMs), to: new Date(openHour), version })
    for (const back of [29, 58, 87])
      await run(
        `INSERT INTO results_by_day SELECT * REPLACE (day - ${back} AS day) FROM results_by_day
         WHERE results_by_day.day >= toDate({from: DateTime})`,
        {
          from: new Date(today - 29 * dayMs),
        },
      )
  } finally {
    await clickhouse.close()
  }
}
