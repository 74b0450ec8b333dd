/**
 * SQL for a moment as the wire has it: ISO 8601, UTC, six digits, whatever time zone the connection is in. A `Date`
 * would lose three of them.
 */
export const stampSql = (expression: string) =>
  `to_char(${expression} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
