import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openClickhouse } from '#analytics/client.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { monthAt } from '#control-plane/identity/digest/month.ts'
import { createUser } from '#control-plane/identity/users/create.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { type Stores, startServing, withStores } from './api.ts'
import { claim, median, quantile, round } from './figures.ts'

/** Reports of a month as PDF: how long one takes, the memory, and what ten side by side cost other requests. */
const monitors = Number(process.env.PDF_MONITORS ?? 50)
const rounds = Number(process.env.PDF_ROUNDS ?? 8)
const sideBySide = 10
const seconds = 10
const everyMs = 20
/** Each may be used some hundred times a minute. */
const sessions = 30
/** The content of a report is kept for a minute: reports of other zones are other content. */
const zones = Intl.supportedValuesOf('timeZone').filter(zone => zone.startsWith('America/'))

await withStores('pdf', async stores => {
  const tokens = await seed(stores)
  const api = await startServing(stores, 'api')
  try {
    const base = `http://127.0.0.1:${api.port}/api/v1`
    let sender = 0
    const get = async (path: string) => {
      const token = tokens[++sender % tokens.length]
      const headers = { Authorization: `Bearer ${token}`, 'X-Forwarded-For': `10.1.${sender % 250}.1` }
      const began = performance.now()
      const answer = await fetch(base + path, { headers })
      const bytes = (await answer.arrayBuffer()).byteLength
      return { status: answer.status, bytes, ms: performance.now() - began }
    }
    let made = 0
    const report = async () => {
      const answer = await get(`/monthly-report.pdf?timezone=${zones[made++ % zones.length]}`)
      if (answer.status !== 200 && answer.status !== 503) throw new Error(`a report answered ${answer.status}`)
      return answer
    }

    const measureLoad = async (untilMs: number) => {
      const took: number[] = []
      const asked: Promise<unknown>[] = []
      for (const end = performance.now() + untilMs; performance.now() < end; await sleep(everyMs))
        asked.push(get('/monitors?per_page=20').then(({ ms }) => took.push(ms)))
      await Promise.all(asked)
      return took
    }
    await measureLoad(2_000)
    const alone = await measureLoad(seconds * 1_000)

    const idleMb = memoryMb(api.pid, 'VmRSS')
    forgetPeak(api.pid)
    await report()
    const single: number[] = []
    let size = 0
    for (let round = 0; round < rounds; round++) {
      const { ms, bytes } = await report()
      single.push(ms)
      size = bytes
    }
    console.log(
      `      one after the other: p50 ${round(median(single))} ms, slowest ${round(Math.max(...single))} ms, ${round(size / 1_000)} KB`,
    )

    const peakMb = memoryMb(api.pid, 'VmHWM')
    const isOver = sleep(seconds * 1_000).then(() => true)
    let busy = true
    void isOver.then(() => {
      busy = false
    })
    let done = 0
    let refused = 0
    const makers = Array.from({ length: sideBySide }, async () => {
      while (busy) {
        const { status } = await report()
        if (status === 200) done++
        else refused++
      }
    })
    const beside = await measureLoad(seconds * 1_000)
    await Promise.all(makers)
    const [p99Alone, p99Beside] = [quantile(alone, 0.99), quantile(beside, 0.99)]
    console.log(
      `      ten side by side: ${done} reports in ${seconds} s, ${refused} refused; list of monitors p50 ${round(median(beside))} ms, p99 ${round(p99Beside)} ms (alone ${round(median(alone))} and ${round(p99Alone)} ms)`,
    )
    claim(`a month of ${monitors} monitors, p50`, median(single), 'under', 1_000, ' ms')
    claim('memory above that of the API before', peakMb - idleMb, 'under', 150, ' MB')
    claim('ten side by side, added to p99', p99Beside - p99Alone, 'under', 20, ' ms')
  } finally {
    await api.stop()
  }
})

/** From now on, the peak is that of the time that follows. */
function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

function memoryMb(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_000
}

/** Monitors with a month of verdicts, incidents with their proof, and rolled-up results of three regions. */
async function seed({ platformUrl, clickhouseUrl }: Stores): Promise<string[]> {
  const platform = new pg.Pool({ connectionString: platformUrl, max: 1 })
  const clickhouse = openClickhouse(clickhouseUrl, { requestTimeoutMs: 600_000 })
  try {
    const tenantId = await createTenant(platform, { name: 'Reports', slug: 'reports', plan: 'pro' })
    const email = 'pat@people.test'
    const user = await createUser(platform, { name: 'Pat', email, password: randomUUID(), tenantId, role: 'owner' })
    const session = { kind: 'ss', tenantId, userId: user, name: 'bench', scopes: [], expiresAt: null } as const
    const tokens: string[] = []
    while (tokens.length < sessions) tokens.push((await createToken(platform, { ...session, scopes: [] })).plain)
    const { from } = monthAt(new Date(), 'UTC', -1)
    await platform.query(
      `with made as (
         insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, region_policy, confirmations,
           recovery_confirmations, created_at, slo)
         select gen_random_uuid(), $1, 'Shop number ' || n, 'https://shop-' || n || '.example.com/checkout', 'website',
           60, 10, '{"mode":"majority","count":null}', 2, 2, $2::timestamptz - interval '90 days',
           case when n % 2 = 0 then '{"target_pct": 99.9, "window_days": 30}'::jsonb end
         from generate_series(1, $3) n returning id
       )
       insert into checks (id, tenant_id, monitor_id, type, severity, created_at)
         select gen_random_uuid(), $1, id, 'uptime', 'critical', $2::timestamptz - interval '90 days' from made`,
      [tenantId, from, monitors],
    )
    await platform.query(
      `insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict)
       select tenant_id, monitor_id, id, $2::timestamptz - interval '80 days' + n * interval '5 days'
           + v.minutes * interval '1 minute', v.verdict
       from checks, generate_series(0, 22) n, (values (0, 'up'), (600, 'down'), (607, 'up')) v (minutes, verdict)
       where tenant_id = $1`,
      [tenantId, from],
    )
    const region = {
      phases: { dns: 3, connect: 18, tls: 41, first_byte: 96, total: 97 },
      error: { code: 'wrong_status', message: 'The site answered with status 503.' },
      http_status: 503,
      excerpt: null,
      at: '2026-01-15T08:30:02.000000Z',
    }
    const proof = {
      policy: { mode: 'majority', count: null },
      required: 2,
      asked: ['eu-west', 'us-east', 'ap-south'],
      failed: ['eu-west', 'us-east', 'ap-south'],
      ok: [],
      silent: [],
      excluded: [],
      regions: { 'eu-west': region, 'us-east': region, 'ap-south': region },
    }
    await platform.query(
      `insert into incidents (id, tenant_id, monitor_id, check_id, check_type, number, title, cause, severity, status,
         started_at, confirmed_at, resolved_at, resolution, quorum)
       select gen_random_uuid(), tenant_id, monitor_id, id, 'uptime', row_number() over (), 'The shop is down',
         'The site answered with status 503.', 'critical', 'resolved', at, at, at + interval '7 minutes', 'recovered', $3
       from checks, lateral (select $2::timestamptz + n * interval '5 days' as at from generate_series(0, 5) n) t
       where tenant_id = $1`,
      [tenantId, from, JSON.stringify(proof)],
    )
    const { rows } = await platform.query<{ monitor: string; check: string }>(
      'select monitor_id as monitor, id as check from checks where tenant_id = $1',
      [tenantId],
    )
    const days = Array.from({ length: 40 }, (_, n) => new Date(from.getTime() + (n - 4) * 86_400_000))
    await clickhouse.insert({
      table: 'results_by_day',
      format: 'JSONEachRow',
      values: rows.flatMap(({ monitor, check }) =>
        days.flatMap(day =>
          ['eu-west', 'us-east', 'ap-south'].map(region => ({
            tenant_id: tenantId,
            monitor_id: monitor,
            check_id: check,
            day: day.toISOString().slice(0, 10),
            region,
            total: 1_440,
            good: 1_440,
            response_count: 1_440,
            response_us_sum: 1_440 * 120_000,
            response_us_min: 40_000,
            response_us_max: 900_000,
            response_buckets: Array.from({ length: 30 }, (_, n) => 80 + n),
            response_counts: Array.from({ length: 30 }, () => 48),
            version: 1,
          })),
        ),
      ),
    })
    return tokens
  } finally {
    await clickhouse.close()
    await platform.end()
  }
}
