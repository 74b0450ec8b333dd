import { type RawBuilder, sql } from 'kysely'

/**
 * SQL: how long an incident lasted, in whole seconds, rounded down: its part of the time that was judged down. It is
 * the only duration of an incident, on every surface. `from` and `to`: moments that it is cut to. An incident that is
 * open lasts until `to`, which is required of it. Names `to` after `from`.
 */
export const incidentSecondsSql = ({ incident = 'i', from = 'null', to = 'null' } = {}): string =>
  `incident_seconds(${['monitor_id', 'check_id', 'imported_from', 'started_at', 'resolved_at']
    .map(column => `${incident}.${column}`)
    .join(', ')}, ${from}::timestamptz, ${to}::timestamptz)`

/** The same within a statement written as `sql`. */
export const incidentSeconds = ({ from, to }: { from?: Date; to?: Date } = {}): RawBuilder<number> =>
  sql<number>`incident_seconds(i.monitor_id, i.check_id, i.imported_from, i.started_at, i.resolved_at,
    ${from ?? null}::timestamptz, ${to ?? null}::timestamptz)`
