import { z } from 'zod'
import { type ResultRow, resultOutcomes } from '#analytics/queries/results-page.ts'
import { runReasons } from '#contract/agent.ts'
import { Phases } from '#contract/check.ts'
import { stamp } from '#contract/time.ts'
import { resultNames, resultOf } from '#control-plane/monitoring/checks/view.ts'

const time = z.string().meta({ format: 'date-time' })

export const ResultView = z
  .object({
    check_id: z.uuid(),
    monitor_id: z.uuid(),
    region: z.string(),
    at: time,
    due_at: time,
    attempt: z.int().meta({ description: '0 for a scheduled run, else the number of the requested run.' }),
    reason: z.enum(runReasons),
    request_id: z.uuid().nullable(),
    result: z.enum(resultNames),
    outcome: z.enum(resultOutcomes).meta({ id: 'Outcome' }),
    error_code: z.string().nullable(),
    error_phase: z.string().nullable(),
    summary: z.string().nullable(),
    response_ms: z.number().nullable(),
    phases: Phases,
    http_status: z.int().nullable(),
    seen: z.record(z.string(), z.unknown()).nullable(),
    excerpt: z.string().nullable(),
    address: z.string().nullable(),
    is_suspect: z.boolean().meta({ description: 'The agent failed its self-check: stored, but no vote.' }),
  })
  .meta({ id: 'CheckResult' })

export function viewResult(row: ResultRow, check: { id: string; monitor_id: string }): z.input<typeof ResultView> {
  return {
    check_id: check.id,
    monitor_id: check.monitor_id,
    region: row.region,
    at: stamp(new Date(row.at_ms)),
    due_at: stamp(new Date(row.due_ms)),
    attempt: row.attempt,
    reason: row.run_reason,
    request_id: row.request,
    result: resultOf(row),
    outcome: row.outcome,
    error_code: row.code || null,
    error_phase: row.fault_phase || null,
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
    seen: readSeen(row.seen),
    excerpt: row.excerpt || null,
    address: row.address || null,
    is_suspect: row.is_unreliable,
  }
}

function readSeen(text: string): Record<string, unknown> | null {
  if (!text) return null
  const seen: unknown = JSON.parse(text)
  return typeof seen === 'object' && seen !== null ? (seen as Record<string, unknown>) : null
}
