import { randomUUID } from 'node:crypto'
import type { Objective } from '#control-plane/db/model/shapes.ts'
import { followObjectives } from '#control-plane/monitoring/objectives/follow.ts'
import { aProof } from '#test/support/a-proof.ts'
import { app, type CallerUnderTest } from '#test/support/app.ts'

const { platform } = app.services
type Owner = Pick<CallerUnderTest, 'tenantId'>

interface MonitorOptions {
  name?: string
  url?: string
  type?: string
  tags?: string[]
  isEnabled?: boolean
  status?: string | null
  kinds?: string[]
}

/** Gives a monitor an objective, also one that the API refuses. */
export async function setObjective({ id }: { id: string }, slo: Objective): Promise<void> {
  await platform.query('update monitors set slo = $2 where id = $1', [id, slo])
  await followObjectives(platform, [id])
}

/** Inserts a monitor with one check of each named kind. */
export async function aMonitor(
  owner: Owner,
  options: MonitorOptions = {},
): Promise<{ id: string; check: string; checks: string[] }> {
  const {
    name = 'Shop',
    url = 'https://shop.example/',
    type = 'website',
    tags = [],
    isEnabled = true,
    status = 'up',
    kinds = ['uptime'],
  } = options
  const id = randomUUID()
  await platform.query(
    `insert into monitors (
       id, tenant_id, name, url, type, tags, is_enabled, check_interval, timeout, region_policy, confirmations,
       recovery_confirmations, status
     )
     values ($1, $2, $3, $4, $5, $6, $7, 60, 10, '{"mode":"majority","count":null}', 2, 2, $8)`,
    [id, owner.tenantId, name, url, type, tags, isEnabled, status],
  )
  const checks: string[] = []
  for (const kind of kinds) {
    const check = randomUUID()
    await platform.query(
      `insert into checks (id, tenant_id, monitor_id, type, severity) values ($1, $2, $3, $4, 'critical')`,
      [check, owner.tenantId, id, kind],
    )
    checks.push(check)
  }
  return { id, check: checks[0] ?? '', checks }
}

interface IncidentOptions {
  monitor?: { id: string; check: string }
  checkType?: string
  severity?: string
  startedAt?: Date | string
  resolvedAt?: Date | string | null
}

let last = 0

/** Inserts an incident as the verdict engine does; without a monitor it inserts one, too. */
export async function anIncident(owner: Owner, options: IncidentOptions = {}): Promise<string> {
  const monitor = options.monitor ?? (await aMonitor(owner))
  const id = randomUUID()
  const startedAt = options.startedAt ?? new Date()
  const resolvedAt = options.resolvedAt ?? null
  await platform.query(
    `insert into incidents (
       id, tenant_id, monitor_id, check_id, check_type, number, title, cause, severity, status, started_at,
       confirmed_at, resolved_at, resolution, quorum, evidence, created_at, updated_at
     ) values (
       $1, $2, $3, $4, $5, $6, 'Shop is down', 'HTTP 503', $7, $8, $9,
       $9, $10::timestamptz, $11, $12, $13, $9, coalesce($10::timestamptz, $9)
     )`,
    [
      id,
      owner.tenantId,
      monitor.id,
      monitor.check || null,
      options.checkType ?? 'uptime',
      ++last,
      options.severity ?? 'critical',
      resolvedAt ? 'resolved' : 'investigating',
      startedAt,
      resolvedAt,
      resolvedAt ? 'recovered' : null,
      JSON.stringify(aProof),
      JSON.stringify({ error_code: 'http_status', http_status: 503, phase: 'ttfb', snippet: null }),
    ],
  )
  return id
}

/** Stores changes of verdict of a check. The check becomes as old as the first of them. */
export async function verdicts(
  owner: Owner,
  monitor: { id: string; check: string },
  changes: readonly (readonly [at: Date, verdict: string])[],
): Promise<void> {
  for (const [at, verdict] of changes)
    await platform.query(
      'insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict) values ($1, $2, $3, $4, $5)',
      [owner.tenantId, monitor.id, monitor.check, at, verdict],
    )
  await platform.query(
    `update checks set created_at = least(created_at, (select min(at) from verdict_changes where check_id = $1))
     where id = $1`,
    [monitor.check],
  )
}

/** Stores when a monitor was in maintenance. `isExcluded`: the window does not count towards uptime. */
export async function spans(
  owner: Owner,
  monitor: { id: string },
  intervals: readonly { from: number; to: number | null }[],
  isExcluded = true,
): Promise<void> {
  for (const { from, to } of intervals)
    await platform.query(
      `insert into maintenance_spans (tenant_id, monitor_id, started_at, ended_at, is_excluded)
       values ($1, $2, $3, $4, $5)`,
      [owner.tenantId, monitor.id, new Date(from), to === null ? null : new Date(to), isExcluded],
    )
}

export const minutesAgo = (minutes: number) => new Date(app.services.clock.nowMs() - minutes * 60_000)

interface ResultOptions {
  at: Date
  region?: string
  outcome?: 'up' | 'warning' | 'down' | 'unknown'
  ms?: number | null
  isUnreliable?: boolean
}

/** Stores results of a check, as ingest does. */
export async function storeResults(
  owner: Owner,
  monitor: { id: string; check: string },
  results: readonly ResultOptions[],
): Promise<void> {
  const time = (date: Date) => date.getTime()
  await app.services.clickhouse.insert({
    table: 'check_results',
    format: 'JSONEachRow',
    values: results.map(({ at, region = 'eu-west', outcome = 'up', ms = 100, isUnreliable = false }) => ({
      tenant_id: owner.tenantId,
      monitor_id: monitor.id,
      check_id: monitor.check,
      region,
      kind: 'uptime',
      due: time(at),
      attempt: 0,
      at: time(at),
      received_at: time(at),
      run_reason: 'due',
      outcome,
      response_ms: outcome === 'down' ? null : ms,
      dns_ms: 1,
      connect_ms: 2,
      first_byte_ms: ms,
      total_ms: ms,
      is_unreliable: isUnreliable,
    })),
  })
}
