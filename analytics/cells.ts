/** The columns of a roll-up cell after its key, in the order of `cellOfResults` and `cellOfHours`. */
export const cellColumns = [
  'total',
  'good',
  'warning',
  'failed',
  'unknown',
  'response_count',
  'response_us_sum',
  'response_us_min',
  'response_us_max',
  'response_buckets',
  'response_counts',
  'dns_us_sum',
  'dns_count',
  'connect_us_sum',
  'connect_count',
  'tls_us_sum',
  'tls_count',
  'first_byte_us_sum',
  'first_byte_count',
] as const

/** Each bucket of response times ends 5 % above the one before. */
export const bucketBase = 1.05

const phase = (name: string) => `
      sum(toUInt64(round(ifNull(${name}_ms, 0) * 1000))) AS ${name}_us_sum,
      toUInt32(count(${name}_ms)) AS ${name}_count`

/**
 * A cell computed from raw results. Only results that are up or warning have a response time, and unreliable ones do
 * not count. Whole microseconds, because floating point sums depend on their order and a recount must yield the
 * same.
 */
export const cellOfResults = `
      toUInt32(count()) AS total,
      toUInt32(countIf(outcome = 'up')) AS good,
      toUInt32(countIf(outcome = 'warning')) AS warning,
      toUInt32(countIf(outcome = 'down')) AS failed,
      toUInt32(countIf(outcome = 'unknown')) AS unknown,
      toUInt32(countIf(is_timed)) AS response_count,
      sumIf(response_us, is_timed) AS response_us_sum,
      toUInt32(minIf(response_us, is_timed)) AS response_us_min,
      toUInt32(maxIf(response_us, is_timed)) AS response_us_max,
      sumMapIf([toUInt8(least(255, greatest(0, ceil(log(response_us / 1000) / log(${bucketBase})))))], [toUInt32(1)], is_timed) AS buckets,
      buckets.1 AS response_buckets,
      arrayMap(n -> toUInt32(n), buckets.2) AS response_counts,${['dns', 'connect', 'tls', 'first_byte'].map(phase).join(',')}`

/** Columns that `cellOfResults` reads besides those of the table. */
export const timing = `
      (response_ms IS NOT NULL AND NOT is_unreliable) AS is_timed,
      toUInt64(round(ifNull(response_ms, 0) * 1000)) AS response_us`

const sums = (names: readonly string[], type: string) =>
  names.map(name => `${type}(sum(cells.${name})) AS ${name}`).join(',\n      ')

/** A cell computed from smaller ones, read from a table called `cells`. */
export const cellOfCells = `
      ${sums(['total', 'good', 'warning', 'failed', 'unknown', 'response_count'], 'toUInt32')},
      ${sums(['response_us_sum'], 'toUInt64')},
      toUInt32(minIf(cells.response_us_min, cells.response_count > 0)) AS response_us_min,
      toUInt32(max(cells.response_us_max)) AS response_us_max,
      sumMap(cells.response_buckets, cells.response_counts) AS buckets,
      buckets.1 AS response_buckets,
      arrayMap(n -> toUInt32(n), buckets.2) AS response_counts,
      ${['dns', 'connect', 'tls', 'first_byte'].map(name => `${sums([`${name}_us_sum`], 'toUInt64')},\n      ${sums([`${name}_count`], 'toUInt32')}`).join(',\n      ')}`

/** A hash of a cell, to compare two without transferring them. */
export const fingerprint = `cityHash64(${cellColumns.map(name => (name.endsWith('s') && name.startsWith('response_') ? `toString(${name})` : `toUInt64(${name})`)).join(', ')})`
