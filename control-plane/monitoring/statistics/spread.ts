import { z } from 'zod'
import { quantileOf, type responseSpread } from '#analytics/queries/response-spread.ts'

const ms = z.number().nullable()

/** Response times in milliseconds. Percentiles are right within 2.5 %. */
export const Spread = z.object({
  total_checks: z.int(),
  avg_ms: ms,
  min_ms: ms,
  max_ms: ms,
  p50_ms: ms,
  p95_ms: ms,
  p99_ms: ms,
  phases: z.object({ dns_ms: ms, connect_ms: ms, tls_ms: ms, first_byte_ms: ms }),
})
export type Spread = z.input<typeof Spread>

type Row = Omit<Awaited<ReturnType<typeof responseSpread>>[number], 'region'>
type Distribution = Pick<Row, 'min_ms' | 'max_ms' | 'buckets'>

const rounded = (value: number | null) => (value === null ? null : Math.round(value * 100) / 100)
const known = (values: readonly (number | null)[]) => values.filter(value => value !== null)

/** The least and the greatest response time of all rows together, and a function for its percentiles. */
function quantilesOf(rows: readonly Distribution[]) {
  const buckets = rows.map(row => row.buckets)
  const [least, most] = [known(rows.map(row => row.min_ms)), known(rows.map(row => row.max_ms))]
  const [min, max] = [least.length > 0 ? Math.min(...least) : null, most.length > 0 ? Math.max(...most) : null]
  // one bucket has all times below a millisecond, so the minimum and maximum are more exact
  const quantile = (q: number) => {
    const found = quantileOf(buckets, q)
    return rounded(found === null || min === null || max === null ? found : Math.min(max, Math.max(min, found)))
  }
  return { min, max, quantile }
}

/** Mean and percentiles of all rows together in milliseconds; null without response times. */
export function timesOf(rows: readonly (Distribution & { timed: number; time_us: number })[]) {
  const { quantile } = quantilesOf(rows)
  const timed = rows.reduce((sum, row) => sum + row.timed, 0)
  const time = rows.reduce((sum, row) => sum + row.time_us, 0)
  return {
    avg_response_ms: timed > 0 ? Math.round(time / timed / 100) / 10 : null,
    p50_response_ms: quantile(0.5),
    p95_response_ms: quantile(0.95),
    p99_response_ms: quantile(0.99),
  }
}

/** The spread of the results of all rows together. */
export function viewSpread(rows: readonly Row[]): Spread {
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0)
  const mean = (time: number, count: number) => (count > 0 ? rounded(time / count) : null)
  const { min, max, quantile } = quantilesOf(rows)
  return {
    total_checks: sum(row => row.total_checks),
    avg_ms: mean(
      sum(row => row.time_ms),
      sum(row => row.timed),
    ),
    min_ms: rounded(min),
    max_ms: rounded(max),
    p50_ms: quantile(0.5),
    p95_ms: quantile(0.95),
    p99_ms: quantile(0.99),
    phases: {
      dns_ms: mean(
        sum(row => row.dns_ms),
        sum(row => row.dns_timed),
      ),
      connect_ms: mean(
        sum(row => row.connect_ms),
        sum(row => row.connect_timed),
      ),
      tls_ms: mean(
        sum(row => row.tls_ms),
        sum(row => row.tls_timed),
      ),
      first_byte_ms: mean(
        sum(row => row.first_byte_ms),
        sum(row => row.first_byte_timed),
      ),
    },
  }
}
