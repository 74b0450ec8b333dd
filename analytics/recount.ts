import { z } from 'zod'
import { cellColumns, cellOfCells, cellOfResults, fingerprint, timing } from './cells.ts'
import { moment, query } from './query.ts'

/** Tenants by monitor. */
export type Monitors = ReadonlyMap<string, string>

const only = (monitors: Monitors | undefined) =>
  monitors ? 'AND tenant_id IN {tenants: Array(UUID)} AND monitor_id IN {monitors: Array(UUID)}' : ''

/** Columns of raw results that every computation of an hour reads. */
const resultColumns = 'tenant_id, monitor_id, check_id, region, due, outcome, dns_ms, connect_ms, tls_ms, first_byte_ms'

const hoursOf = (results: string) => `
    SELECT
      tenant_id, monitor_id, check_id, toStartOfHour(due) AS hour, region,${cellOfResults}
    FROM (
      SELECT ${resultColumns},${timing}
      FROM ${results}
    )
    GROUP BY tenant_id, monitor_id, check_id, hour, region`

const hoursOfResults = (where = '') =>
  hoursOf(`check_results FINAL WHERE due >= {from: DateTime} AND due < {to: DateTime} ${where}`)

const daysOfHours = (where = '') => `
    SELECT tenant_id, monitor_id, check_id, toDate(cells.hour, 'UTC') AS day, region,${cellOfCells}
    FROM results_by_hour AS cells FINAL
    WHERE cells.hour >= {from: DateTime} AND cells.hour < {to: DateTime} AND cells.total > 0 ${where}
    GROUP BY tenant_id, monitor_id, check_id, day, region`

const key = (start: string) => `tenant_id, monitor_id, check_id, ${start}, region`
const cell = cellColumns.join(', ')

/** All take `from`, `to` and `version`; those for some monitors also `tenants` and `monitors`. */
export const insertHours = (monitors?: Monitors) => insertHoursFrom(hoursOfResults(only(monitors)))

const insertHoursFrom = (hours: string) => `
  INSERT INTO results_by_hour (${key('hour')}, ${cell}, version)
  SELECT ${key('hour')}, ${cell}, {version: UInt64} FROM (${hours})`

/** Hours of generated results that are not stored: a select with the columns of `check_results`. */
export const insertHoursOf = (results: string) => insertHoursFrom(hoursOf(`(${results})`))

export const insertDays = (monitors?: Monitors) => `
  INSERT INTO results_by_day (${key('day')}, ${cell}, version)
  SELECT ${key('day')}, ${cell}, {version: UInt64} FROM (${daysOfHours(only(monitors))})`

/** Empties cells whose raw results are gone. */
export const emptyHours = (monitors?: Monitors) => `
  INSERT INTO results_by_hour (${key('hour')}, version)
  SELECT ${key('hour')}, {version: UInt64} FROM results_by_hour FINAL
  WHERE hour >= {from: DateTime} AND hour < {to: DateTime} AND total > 0 ${only(monitors)}
    AND (check_id, region, hour) NOT IN (
      SELECT check_id, region, toStartOfHour(due) FROM check_results WHERE due >= {from: DateTime} AND due < {to: DateTime} ${only(monitors)}
    )`

export const emptyDays = (monitors?: Monitors) => `
  INSERT INTO results_by_day (${key('day')}, version)
  SELECT ${key('day')}, {version: UInt64} FROM results_by_day FINAL
  WHERE day >= toDate({from: DateTime}, 'UTC') AND day < toDate({to: DateTime}, 'UTC') AND total > 0 ${only(monitors)}
    AND (check_id, region, day) NOT IN (
      SELECT check_id, region, toDate(hour, 'UTC') FROM results_by_hour FINAL
      WHERE hour >= {from: DateTime} AND hour < {to: DateTime} AND total > 0 ${only(monitors)}
    )`

const differing = (start: string, recount: string, table: string) => `
  SELECT DISTINCT tenant_id, monitor_id, toDateTime(${start}, 'UTC') AS start FROM (
    SELECT ${key(start)}, ${fingerprint} AS print FROM (${recount})
    UNION ALL
    SELECT ${key(start)}, ${fingerprint} AS print FROM ${table} FINAL
    WHERE ${start} >= {from: DateTime} AND ${start} < {to: DateTime} AND total > 0
  )
  GROUP BY ${key(start)} HAVING count() != 2 OR min(print) != max(print)`

const span = z.object({ from: z.date(), to: z.date() })
const differs = z.object({ tenant_id: z.uuid(), monitor_id: z.uuid(), start: moment })
export const differingHours = query({
  params: span,
  row: differs,
  sql: differing('hour', hoursOfResults(), 'results_by_hour'),
})
export const differingDays = query({
  params: span,
  row: differs,
  sql: differing('day', daysOfHours(), 'results_by_day'),
})
