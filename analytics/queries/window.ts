import { z } from 'zod'
import { bucketBase } from '#analytics/cells.ts'
import { closedBefore } from '#analytics/rollup.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const floorTo = (step: number, time: number) => Math.floor(time / step) * step

/**
 * A time range, divided by the table it is read from: whole closed days, closed hours before and after them, raw
 * results at its end.
 */
export const Window = z.object({ from: z.date(), to: z.date(), now: z.date() }).transform(({ from, to, now }) => {
  const end = to.getTime()
  const start = floorTo(hourMs, from.getTime())
  const closed = Math.max(start, Math.min(floorTo(hourMs, end), closedBefore(now).getTime()))
  const firstDay = Math.ceil(start / dayMs) * dayMs
  const lastDay = floorTo(dayMs, closed)
  const hasDays = firstDay < lastDay
  return {
    from: new Date(start),
    days_from: new Date(hasDays ? firstDay : closed),
    days_to: new Date(hasDays ? lastDay : closed),
    closed: new Date(closed),
    to: new Date(end),
  }
})

/** Conditions for the rows of each table that belong to a `Window`, and the day (UTC) of each row. */
export const spans = {
  results_by_day: {
    day: 'results_by_day.day',
    within: 'results_by_day.day >= toDate({days_from: DateTime}) AND results_by_day.day < toDate({days_to: DateTime})',
  },
  results_by_hour: {
    day: "toDate(hour, 'UTC')",
    within:
      '(hour >= {from: DateTime} AND hour < {days_from: DateTime} OR hour >= {days_to: DateTime} AND hour < ' +
      '{closed: DateTime})',
  },
  check_results: { day: "toDate(due, 'UTC')", within: 'due >= {closed: DateTime64(3)} AND due < {to: DateTime64(3)}' },
} as const

const bucketOf = `toUInt8(least(255, greatest(0, ceil(log(us / 1000) / log(${bucketBase})))))`
const phases = ['dns', 'connect', 'tls', 'first_byte'] as const

/**
 * Columns of the inner selects below: those of a cell, and the same of a raw result. `us` is its time, `is_timed`
 * whether the time counts.
 */
const figures = {
  total: '1',
  response_count: 'is_timed',
  response_us_sum: 'if(is_timed, us, 0)',
  response_us_min: 'if(is_timed, us, 0)',
  response_us_max: 'if(is_timed, us, 0)',
  response_buckets: `if(is_timed, [${bucketOf}], [])`,
  response_counts: 'if(is_timed, [toUInt32(1)], [])',
  ...Object.fromEntries(
    phases.flatMap(name => [
      [`${name}_us_sum`, `toUInt64(round(ifNull(${name}_ms, 0) * 1000))`],
      [`${name}_count`, `isNotNull(${name}_ms)`],
    ]),
  ),
} satisfies Record<string, string>

/**
 * The cells of a `Window` as one table: monitor_id, check_id, region, day, and the named figures. `where` selects
 * tenant, monitors and checks. Hours at the edges of the window are included whole; raw results are cut exactly.
 */
export function cellsIn(where: string, names: readonly string[]): string {
  return `(${closedCells(where, names)}
        UNION ALL
        ${openCells(where, names)}
      )`
}

/** Closed days and hours only. */
export function closedCells(where: string, names: readonly string[]): string {
  const stored = (table: 'results_by_day' | 'results_by_hour') => `
        SELECT monitor_id, check_id, region, ${spans[table].day} AS day, ${names
          .map(name => `${table}.${name} AS ` + `${name}`)
          .join(', ')}
        FROM ${table} FINAL
        WHERE ${where} AND ${spans[table].within}`
  return `${stored('results_by_day')}
        UNION ALL${stored('results_by_hour')}`
}

function openCells(where: string, names: readonly string[]): string {
  const known = names.map(name => `${(figures as Record<string, string>)[name]} AS ${name}`)
  const hasPhases = names.some(name => name.startsWith('dns_'))
  return `SELECT monitor_id, check_id, region, day, ${known.join(', ')}
        FROM (
          SELECT monitor_id, check_id, region, ${spans.check_results.day} AS day, toUInt64(round(ifNull(response_ms, 0) * 1000)) AS us,
                 (response_ms IS NOT NULL AND NOT is_unreliable) AS is_timed${hasPhases ? phases.map(name => `, ${name}_ms`).join('') : ''}
          FROM check_results FINAL
          WHERE ${where} AND ${spans.check_results.within}
        )`
}
