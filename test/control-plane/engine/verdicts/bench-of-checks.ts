import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { Observation, RunWatermark } from '#analytics/ingest/observation.ts'
import { type Judgement, noPhases } from '#contract/check.ts'
import type { Suppression } from '#control-plane/db/model/shapes.ts'
import { rows } from '#control-plane/db/queries.ts'
import type { Ineligibility } from '#control-plane/engine/agents/region.ts'
import type { Assigned } from '#control-plane/engine/assignments/assigned.ts'
import type { CheckRules } from '#control-plane/engine/verdicts/core.ts'
import { VerdictEngine } from '#control-plane/engine/verdicts/verdict-engine.ts'
import { type Change, withRegionGaps } from '#control-plane/monitoring/statistics/judged-time.ts'
import { milliseconds, regionGapIntervals } from '#control-plane/monitoring/statistics/verdict-intervals.ts'
import { audiencesOf } from '#test/control-plane/alerting/plan/suppressions.ts'
import { type Databases, openDatabases } from '#test/support/databases.ts'

export const regions = ['ap', 'eu', 'us']
export const defaultRules: CheckRules = {
  regions,
  policy: { mode: 'majority', count: null },
  confirmations: 2,
  recoveryConfirmations: 2,
  severity: 'critical',
  intervalMs: 60_000,
  timeoutMs: 10_000,
}

export const well: Judgement = { status: 'up' }
export const failed: Judgement = { status: 'down', code: 'refused', reason: 'The connection was refused.' }
export const poor: Judgement = { status: 'warning', code: 'slow', reason: 'The answer was slow.' }

const silent = { info() {}, warn() {}, error() {} }

interface Row {
  [column: string]: unknown
}

/** Monitors with one check each in a real database, a verdict engine that holds them, and a clock moved by hand. */
export class BenchOfChecks {
  readonly platform: pg.Pool
  readonly owner: pg.Pool
  readonly tenant = randomUUID()
  readonly assigned = new Map<string, Assigned>()
  readonly checksOf = new Map<string, string[]>()
  readonly asked: { region: string; check: string; afterMs: number }[] = []
  readonly suspected: string[][] = []
  readonly logged: string[] = []
  readonly silent: Record<string, number>[] = []
  verdictEngine: VerdictEngine
  now = Date.now()

  static async open(name?: string): Promise<BenchOfChecks> {
    const databases = await openDatabases(name)
    const bench = new BenchOfChecks(databases)
    await bench.owner.query(`insert into tenants (id, name, slug) values ($1, 'Acme', $2)`, [
      bench.tenant,
      bench.tenant,
    ])
    await bench.verdictEngine.load()
    return bench
  }

  /** The address that probes connected to, by check. */
  readonly addresses = new Map<string, string>()

  private constructor({ platformUrl, ownerUrl }: Databases) {
    this.platform = new pg.Pool({ connectionString: platformUrl, max: 4 })
    this.owner = new pg.Pool({ connectionString: ownerUrl, max: 2 })
    for (const pool of [this.platform, this.owner]) pool.on('error', () => undefined)
    this.verdictEngine = this.#makeVerdictEngine()
  }

  /** A second process that begins to decide, while the first one does not know. */
  async rival(): Promise<VerdictEngine> {
    const rival = this.#makeVerdictEngine()
    await rival.load()
    rival.eligibilityChanged(new Map(regions.map(region => [region, null])))
    return rival
  }

  #makeVerdictEngine(): VerdictEngine {
    return new VerdictEngine({
      pool: this.platform,
      clock: { nowMs: () => this.now },
      log: {
        ...silent,
        warn: (_: unknown, text?: string) => void this.logged.push(String(text)),
        error: (_: unknown, text?: string) => void this.logged.push(String(text)),
      },
      find: check => this.assigned.get(check),
      checksOf: monitor => this.checksOf.get(monitor)?.filter(check => this.assigned.has(check)) ?? [],
      requestRun: (region, check, afterMs) => void this.asked.push({ region, check, afterMs }),
      onUnreliable: found => void this.suspected.push([...found]),
      onSilent: silent => void this.silent.push(Object.fromEntries([...silent].sort())),
    })
  }

  async close(): Promise<void> {
    await this.verdictEngine.stop(100)
    await Promise.all([this.platform.end(), this.owner.end()])
  }

  /** A process of its own again: all memory gone. */
  async restart(watermarks: Iterable<RunWatermark> | AsyncIterable<RunWatermark> = [], areWhole = true): Promise<void> {
    await this.verdictEngine.stop()
    this.verdictEngine = this.#makeVerdictEngine()
    await this.verdictEngine.load(watermarks, areWhole)
  }

  /** Each of a host of its own, unless one is named. */
  async add(
    count: number,
    rules: Partial<CheckRules> = {},
    dependsOn: readonly string[] = [],
    host: string | null = null,
  ): Promise<Assigned[]> {
    const made = Array.from({ length: count }, (_, index): Assigned => {
      const name = `Site ${this.assigned.size + index}`
      return {
        check: randomUUID(),
        monitor: randomUUID(),
        monitorName: name,
        tenant: this.tenant,
        kind: 'uptime',
        url: `https://${host ?? `site-${this.assigned.size + index}.example.com`}/`,
        settings: {},
        dependsOn,
        rules: { ...defaultRules, ...rules },
        wanted: regions,
        regionsAtMost: null,
        keepDays: 90,
      }
    })
    const rows = JSON.stringify(
      made.map(one => ({ id: one.monitor, check_id: one.check, name: one.monitorName, url: one.url })),
    )
    await this.owner.query(
      `insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, region_policy, confirmations,
        recovery_confirmations)
       select id, $2, name, url, 'website', 60, 10, '{"mode":"majority","count":null}', 2, 2
       from json_to_recordset($1::json) as r(id uuid, name text, url text)`,
      [rows, this.tenant],
    )
    await this.owner.query(
      `insert into checks (id, tenant_id, monitor_id, type, severity) select check_id, $2, id, 'uptime', 'critical'
        from json_to_recordset($1::json) as r(id uuid, check_id uuid)`,
      [rows, this.tenant],
    )
    for (const one of made) {
      this.assigned.set(one.check, one)
      this.checksOf.set(one.monitor, [one.check])
    }
    return made
  }

  /** Another check of the same monitor. */
  async addCheck(of: Assigned, kind: Assigned['kind'], rules: Partial<CheckRules> = {}): Promise<Assigned> {
    const one: Assigned = { ...of, check: randomUUID(), kind, rules: { ...of.rules, ...rules } }
    await this.owner.query(
      'insert into checks (id, tenant_id, monitor_id, type, severity) values ($1, $2, $3, $4, $5)',
      [one.check, one.tenant, one.monitor, kind, one.rules.severity ?? 'warning'],
    )
    this.assigned.set(one.check, one)
    this.checksOf.get(of.monitor)?.push(one.check)
    return one
  }

  /** Who may vote from now on; everyone else is silent. */
  eligible(...names: string[]): void {
    this.verdictEngine.eligibilityChanged(
      new Map<string, Ineligibility | null>(regions.map(region => [region, names.includes(region) ? null : 'silent'])),
    )
  }

  resultOf(one: Assigned, region: string, judgement: Judgement, attempt = 0): Observation {
    const { check, monitor, tenant } = one
    const error = judgement.status === 'up' ? null : { code: judgement.code, message: judgement.reason }
    return {
      check,
      monitor,
      tenant,
      region,
      due: this.now,
      attempt,
      at: this.now,
      receivedAt: this.now,
      judgement,
      isUnreliable: false,
      evidence: {
        phases: { ...noPhases, dns: 1.5, connect: 2, total: 20.125 },
        error,
        http_status: judgement.status === 'up' ? 200 : null,
        excerpt: null,
        address: this.addresses.get(check) ?? null,
      },
    }
  }

  /** One round of results of these checks from these regions, a second after the last. */
  async round(checks: readonly Assigned[], judgement: Judgement, from: readonly string[] = regions): Promise<void> {
    this.now += 1_000
    for (const region of from) await this.verdictEngine.decide(checks.map(one => this.resultOf(one, region, judgement)))
  }

  async rows(sql: string, ...values: unknown[]): Promise<Row[]> {
    return (await this.owner.query(sql, values)).rows
  }

  incidents(one: Assigned): Promise<Row[]> {
    return this.rows('select * from incidents where check_id = $1 order by number', one.check)
  }

  /** What the history of a check says, also by the gaps of its regions. */
  async history(one: Assigned): Promise<string[]> {
    return (await this.changes(one)).map(({ verdict }) => verdict)
  }

  async changes(one: Assigned): Promise<Change[]> {
    const db = this.platform
    const stored = await rows<Change>(
      db,
      sql`select ${milliseconds('at')} as at, verdict from verdict_changes
        where check_id = ${one.check} order by verdict_changes.at, id`,
    )
    const within = [sql`${new Date(0)}::timestamptz`, sql`${new Date(this.now + 1)}::timestamptz`] as const
    const gaps = await rows(db, regionGapIntervals(sql`r.check_id = ${one.check}`, ...within))
    const all = withRegionGaps(stored, gaps).filter(({ at }) => at <= this.now)
    // a gap may end with a change; other changes at one moment are all shown
    return all.filter(({ at }, n) => !gaps.some(({ to }) => to === at) || all[n + 1]?.at !== at)
  }

  /** The changes that are stored of the check itself. */
  async own(one: Assigned): Promise<unknown[]> {
    const rows = await this.rows('select verdict from verdict_changes where check_id = $1 order by at, id', one.check)
    return rows.map(({ verdict }) => verdict)
  }

  async events(): Promise<Row[]> {
    const rows = await this.rows(
      `select name, payload, suppression from outbox where tenant_id = $1 and kind = 'event' order by id`,
      this.tenant,
    )
    return rows.flatMap(({ name, payload, suppression }) =>
      audiencesOf(suppression as Suppression | null).map(audience => ({ name, payload, ...audience })),
    )
  }

  /** Lets the verdict engine's own timer come round. */
  async letTimePass(ms: number): Promise<void> {
    this.now += ms
    await pause(600)
  }
}
