import { z } from 'zod'
import { decodeRow } from '#analytics/ingest/rows.ts'
import { query } from '#analytics/query.ts'
import { runReasons } from '#contract/agent.ts'
import { outcomes } from '#contract/check.ts'

export const resultOutcomes = [...outcomes, 'unknown'] as const

const ms = z.number().nullable()

const ResultRow = z.object({
  region: z.string(),
  due_ms: z.int(),
  attempt: z.int(),
  at_ms: z.int(),
  run_reason: z.enum(runReasons),
  request: z.uuid().nullable(),
  outcome: z.enum(resultOutcomes),
  code: z.string(),
  reason: z.string(),
  response_ms: ms,
  dns_ms: ms,
  connect_ms: ms,
  tls_ms: ms,
  first_byte_ms: ms,
  total_ms: ms,
  http_status: z.int().nullable(),
  seen: z.string(),
  fault_phase: z.string(),
  excerpt: z.string(),
  address: z.string(),
  is_unreliable: z.boolean(),
})
export type ResultRow = z.output<typeof ResultRow>

/** A result as `encodeRow` has it, before it can be read from the store. */
export function resultRowOf(line: string): ResultRow {
  const { due, at, ...row } = decodeRow(line)
  return ResultRow.parse({ ...row, due_ms: due, at_ms: at })
}

/**
 * Raw results of one check, newest first, or oldest first when read backwards. Of duplicates only the first is
 * returned. Read in the table's order, so that the last page costs as much as the first.
 */
export const resultsPage = query({
  params: z
    .object({
      tenant: z.uuid(),
      monitor: z.uuid(),
      check: z.uuid(),
      from: z.date(),
      to: z.date(),
      regions: z.array(z.string().max(40)).max(100),
      outcomes: z.array(z.enum(resultOutcomes)),
      /** Only results of this requested run. */
      request: z.uuid().optional(),
      /** The row to continue from: its due time, region and attempt. */
      after: z.object({ due_ms: z.int(), region: z.string().max(40), attempt: z.int() }).nullable(),
      backwards: z.boolean(),
      limit: z.int().min(1).max(1_000),
    })
    .transform(({ after, ...same }) => ({
      ...same,
      after_due: after?.due_ms ?? 0,
      after_region: after?.region ?? '',
      after_attempt: after?.attempt ?? 0,
      goes_on: after !== null,
    })),
  row: ResultRow,
  sql: ({ regions, outcomes, request, goes_on, backwards }) => {
    const direction = backwards ? 'ASC' : 'DESC'
    return `
      SELECT region, toUnixTimestamp64Milli(due) AS due_ms, attempt, toUnixTimestamp64Milli(at) AS at_ms, run_reason, request, outcome, code, reason,
             response_ms, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, http_status, seen, fault_phase, excerpt, address, is_unreliable
      FROM check_results
      WHERE tenant_id = {tenant: UUID} AND monitor_id = {monitor: UUID} AND check_id = {check: UUID}
        AND due >= {from: DateTime64(3)} AND due < {to: DateTime64(3)}
        ${regions.length > 0 ? 'AND region IN {regions: Array(String)}' : ''}
        ${request === undefined ? '' : 'AND request = {request: UUID}'}
        ${outcomes.length > 0 ? 'AND outcome IN {outcomes: Array(String)}' : ''}
        ${
          goes_on
            ? `AND due ${backwards ? '>=' : '<='} fromUnixTimestamp64Milli({after_due: Int64})
        AND (due, region, attempt) ${backwards ? '>' : '<'} (fromUnixTimestamp64Milli({after_due: Int64}), {after_region: String}, {after_attempt: UInt16})`
            : ''
        }
      ORDER BY due ${direction}, region ${direction}, attempt ${direction}, version DESC
      LIMIT 1 BY due, region, attempt
      LIMIT {limit: UInt32}
    `
  },
})
