import { sql } from 'kysely'
import { z } from 'zod'
import { type ResultRow, resultOutcomes, resultsPage } from '#analytics/queries/results-page.ts'
import { Phases } from '#contract/check.ts'
import { stamp } from '#contract/time.ts'
import type * as shapes from '#control-plane/db/model/shapes.ts'
import { rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { runInRegions } from '#control-plane/monitoring/checks/run-in-regions.ts'
import type { GeoAuditRow } from './row.ts'

/** A region without an answer after this time is silent. */
export const timeoutS = 30
/** By then the process that requested the runs has stored their results, unless it has ended. */
const settledAfterS = 40

export const RegionResult = z.object({
  region: z.string(),
  at: z.string().meta({ format: 'date-time' }),
  outcome: z.enum(resultOutcomes),
  error_code: z.string().nullable(),
  summary: z.string().nullable(),
  response_ms: z.number().nullable(),
  phases: Phases,
  http_status: z.int().nullable(),
  address: z.string().nullable(),
}) satisfies z.ZodType<shapes.RegionResult>
export type RegionResult = z.output<typeof RegionResult>

type Audit = Pick<GeoAuditRow, 'id' | 'monitor_id' | 'check_id'>

/** The stored results of an audit. */
export async function readResults(
  { clickhouse }: Pick<Services, 'clickhouse'>,
  tenantId: string,
  audit: Audit,
  since: Date,
): Promise<RegionResult[]> {
  const rows = await resultsPage(clickhouse, {
    tenant: tenantId,
    monitor: audit.monitor_id,
    check: audit.check_id,
    from: new Date(since.getTime() - 120_000),
    to: new Date(since.getTime() + 120_000),
    regions: [],
    outcomes: [],
    request: audit.id,
    after: null,
    backwards: true,
    limit: 100,
  })
  return rows.map(viewOf)
}

function viewOf(row: ResultRow): RegionResult {
  return {
    region: row.region,
    at: stamp(new Date(row.at_ms)),
    outcome: row.outcome,
    error_code: row.code || null,
    summary: row.reason || null,
    response_ms: row.response_ms,
    phases: {
      dns: row.dns_ms,
      connect: row.connect_ms,
      tls: row.tls_ms,
      first_byte: row.first_byte_ms,
      total: row.total_ms,
    },
    http_status: row.http_status,
    address: row.address || null,
  }
}

const keep = (
  auditId: string,
  results: string,
) => sql`update geo_audits set results = ${results}, completed_at = clock_timestamp()
  where id = ${auditId} and completed_at is null`

/** Requests the runs, waits for them, and stores their results in the audit. */
export async function carryOut(services: Services, tenantId: string, audit: Audit, since: Date): Promise<void> {
  const answers = await runInRegions(services, { request: audit.id, check: audit.check_id, tenant: tenantId })
  const answered = [...answers.values()].flatMap(({ row }) => row ?? [])
  const results =
    answered.length === answers.size ? answered.map(viewOf) : await readResults(services, tenantId, audit, since)
  await rows(services.platform, keep(audit.id, JSON.stringify(results)))
}

/** An audit with its results so far. If its process ended before it stored them, they are stored here. */
export async function withResults(services: Services, tenantId: string, audit: GeoAuditRow): Promise<GeoAuditRow> {
  if (audit.completed_at !== null) return audit
  const results = await readResults(services, tenantId, audit, new Date(audit.created_at))
  if (audit.age_s < settledAfterS) return { ...audit, results }
  await rows(services.platform, keep(audit.id, JSON.stringify(results)))
  return { ...audit, results, completed_at: stamp(new Date(Date.parse(audit.created_at) + 1_000 * timeoutS)) }
}
