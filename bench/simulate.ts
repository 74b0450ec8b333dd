import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type ClickHouseClient, openClickhouse } from '#analytics/client.ts'
import { migrateClickhouse } from '#analytics/migrate.ts'
import { planResults, type StoredResult, storedResults } from '#analytics/queries/stored-results.ts'
import { kinds } from '#checks/index.ts'
import { clickhousePart, clickhouseUrl } from '#cli/local/embedded/clickhouse.ts'
import { makeKeys } from '#cli/local/keys.ts'
import { findPort } from '#cli/local/loopback.ts'
import { showFor } from '#cli/local/show.ts'
import { Supervisor } from '#cli/local/supervise.ts'
import type { SettingChange } from '#control-plane/backtests/changes.ts'
import { Judge, PreviousResults, SeenReader } from '#control-plane/backtests/rejudge.ts'
import { runCheck } from '#control-plane/backtests/run.ts'
import type { CheckRow } from '#control-plane/monitoring/checks/row.ts'
import { claim, median, round } from './figures.ts'

/**
 * The time of a backtest on 90 days of a monitor with three regions and a run every minute, among results of others.
 */
const days = Number(process.env.SIMULATE_DAYS ?? 90)
const others = Number(process.env.SIMULATE_OTHERS ?? 4)
const runs = 3
const regions = ['ap-south', 'eu-west', 'us-east']
const [tenant, monitor, check] = [randomUUID(), randomUUID(), randomUUID()]
const to = Math.floor(Date.now() / 60_000) * 60_000
const from = to - days * 86_400_000

const row: CheckRow = {
  id: check,
  tenant_id: tenant,
  monitor_id: monitor,
  type: 'uptime',
  is_enabled: true,
  settings: {},
  secrets: null,
  interval: null,
  severity: 'critical',
  verdict: 'up',
  verdict_since: null,
  verdict_reason: null,
  coverage: 'full',
  failing_regions: [],
  snoozed_until: null,
  snoozed_by: null,
  snooze_reason: null,
  created_at: '',
  updated_at: '',
  monitor_name: 'Shop',
  monitor_url: 'https://shop.example/',
  monitor_type: 'website',
  check_interval: 60,
  monitor_regions: regions,
  everywhere: regions,
  is_monitor_running: true,
  is_team_paused: false,
  is_paused_by_maintenance: false,
}

const folder = mkdtempSync(join(tmpdir(), 'vedette-simulate-'))
const supervisor = new Supervisor({ dataDir: folder, show: showFor({ isJson: false, isTty: false }) })
try {
  const options = { dataDir: join(folder, 'clickhouse'), port: await findPort(0), password: makeKeys().clickhouse }
  await supervisor.start(clickhousePart(options, process.env))
  await migrateClickhouse(clickhouseUrl(options))
  const clickhouse = openClickhouse(clickhouseUrl(options), { requestTimeoutMs: 600_000 })
  await seed(clickhouse)
  await measure(clickhouse)
  await clickhouse.close()
} finally {
  await supervisor.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Sometimes one region fails, or all do; sizes differ from run to run. */
async function seed(clickhouse: ClickHouseClient): Promise<void> {
  const columns =
    'tenant_id, monitor_id, check_id, region, kind, due, attempt, at, received_at, run_reason, ' +
    'outcome, code, response_ms, total_ms, http_status, seen'
  const insertResults = (ids: string, count: string) => `
    INSERT INTO check_results (${columns})
    SELECT {tenant: UUID}, ${ids}, r.1, 'uptime',
      fromUnixTimestamp64Milli(toInt64({from: Int64} + minute * 60000 + r.2)) AS due, 0, due,
      due + toIntervalMillisecond(400), 'due',
      multiIf(minute % 4321 BETWEEN 100 AND 112, 'down', minute % 977 < 3
        AND r.2 = 20000, 'down', 'up') AS outcome, if(outcome = 'up', '', 'refused'),
      if(outcome = 'up', 100 + minute % 50, NULL), if(outcome = 'up', 100 + minute % 50, NULL),
        if(outcome = 'up', 200, NULL),
      if(outcome = 'up', concat('{"status":200,"redirects":0,"bytes":',
        toString(14000 + cityHash64(minute, r.2) % 4000),
        ',"truncated":false,"content_type":"text/html; charset=utf-8","found_present":null,"found_absent":null,"failed":[]}'), '')
    FROM (SELECT number % ${days * 1_440} AS minute, intDiv(number, ${days * 1_440}) AS other
      FROM numbers(${days * 1_440} * ${count}))
    ARRAY JOIN [('ap-south', 0), ('eu-west', 20000), ('us-east', 40000)] AS r`
  const params = { tenant, monitor, check, from }
  await clickhouse.command({ query: insertResults('{monitor: UUID}, {check: UUID}', '1'), query_params: params })
  if (others > 0)
    await clickhouse.command({
      query: insertResults(
        `toUUID(concat('00000000-0000-4000-8000-', leftPad(toString(other), 12, '0'))), toUUID(concat('00000000-0000-4000-9000-', leftPad(toString(other), 12, '0')))`,
        String(others),
      ),
      query_params: params,
    })
}

async function measure(clickhouse: ClickHouseClient): Promise<void> {
  const of = { tenant, monitor, check, regions, from: new Date(from), to: new Date(to) }
  const config = { secretKey: 'a secret key for measuring, long enough', previousSecretKeys: [] }
  const history = {
    check: row,
    rules: {
      regions,
      policy: { mode: 'majority' as const, count: null },
      confirmations: 2,
      recoveryConfirmations: 2,
      severity: 'critical' as const,
      intervalMs: 60_000,
      timeoutMs: 10_000,
    },
    startsAt: from,
    changes: [],
    parentsDown: [],
    eligibilities: { first: new Map(), later: [], knownSince: null },
    reports: null,
    monitoringGaps: [],
  }
  const policy = { check: null, setting: 'region_policy', from: null, to: { mode: 'any', count: null } }
  const rules: SettingChange[] = [
    policy,
    { check: null, setting: 'confirmations', from: 2, to: 3 },
    { check: null, setting: 'recovery_confirmations', from: 2, to: 4 },
  ]
  const thresholds: SettingChange[] = [
    { check, setting: 'degraded_after_ms', from: null, to: 120 },
    { check, setting: 'expected_status', from: ['200-299'], to: [200] },
  ]
  for (const [name, changes, settings] of [
    ['quorum, confirmations and recovery', rules, []],
    [
      'two thresholds on what was seen',
      thresholds,
      [{ degraded_after_ms: 120 }, { expected_status: [200] }, { degraded_after_ms: 120, expected_status: [200] }],
    ],
  ] as const) {
    const withSeen = settings.length > 0
    const go = async () => {
      const { results, unchanged, changed } = await runCheck(
        { clickhouse, config: config as never },
        { tenant: { id: tenant }, history, changes, to, resultsLeft: 3_000_000 },
      )
      return `${results} results, ${unchanged.incidents.length} incidents as it was, ${changed.incidents.length} by other settings`
    }
    /** Reads the stored results with only some of the steps of a backtest. */
    const pass = async (read: ((text: string) => unknown) | undefined, each?: (result: StoredResult) => void) => {
      const { rows, spans } = await planResults(clickhouse, of, withSeen)
      let found = 0
      for await (const batch of storedResults(clickhouse, of, spans, read)) {
        found += batch.length
        if (each) for (const result of batch) each(result)
      }
      if (found !== rows) throw new Error(`${found} results were read of ${rows}`)
    }
    console.log(`      ${await go()}`)
    const steps: [string, () => Promise<unknown>][] = [
      ['plan', () => planResults(clickhouse, of, withSeen)],
      ['read', () => pass(withSeen ? () => null : undefined)],
    ]
    if (withSeen) {
      steps.push(['parse', () => pass(new SeenReader(kinds.uptime).read)])
      steps.push([
        'judge',
        () => {
          const back = new PreviousResults()
          const judges = settings.map(changed => new Judge(kinds.uptime, kinds.uptime.settings.parse(changed), back))
          return pass(new SeenReader(kinds.uptime).read, result => {
            for (const { rejudge } of judges) rejudge(result)
          })
        },
      ])
    }
    const found = new Map<string, Taken>()
    for (const [step, work] of [...steps, ['replay', go] as const]) found.set(step, await timed(work))
    const whole = found.get('replay')!
    claim(`${days} days by other settings: ${name}`, whole.wall / 1_000, 'under', 2, ' s')
    // each step does all that those before it do, and one thing more
    let before: Taken = { wall: 0, cpu: 0, delay: 0 }
    for (const [step, taken] of found) {
      console.log(
        `      ${step.padEnd(7)} ${round(taken.wall - before.wall)} ms, of these ${round(taken.cpu - before.cpu)} ms at work here`,
      )
      before = taken
    }
    console.log(
      `      altogether ${round(whole.cpu)} ms at work here; the event loop waited ${round(whole.delay)} ms at most`,
    )
  }
  console.log(`      ${round(process.memoryUsage().rss / 1e6)} MB in memory`)
}

interface Taken {
  wall: number
  cpu: number
  delay: number
}

/**
 * Medians of some runs: milliseconds by the clock, of the processor in this process, and the longest turn of the
 * event loop.
 */
async function timed(work: () => Promise<unknown>): Promise<Taken> {
  const taken: Taken[] = []
  for (let run = 0; run < runs; run++) {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const [began, cpu] = [performance.now(), process.cpuUsage()]
    await work()
    const { user, system } = process.cpuUsage(cpu)
    const wall = performance.now() - began
    delay.disable()
    taken.push({ wall, cpu: (user + system) / 1_000, delay: delay.max / 1e6 })
  }
  const middle = (of: keyof Taken) => median(taken.map(one => one[of]))
  return { wall: middle('wall'), cpu: middle('cpu'), delay: middle('delay') }
}
