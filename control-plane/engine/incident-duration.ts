import { type RawBuilder, sql } from 'kysely'

/**
 * How long an incident `i` lasted, in whole seconds, rounded down: its part of the time that was judged down. It is
 * the only duration of an incident, on every surface. `from` and `to`: moments that it is cut to. An incident that is
 * open lasts until `to`, which is required of it.
 */
export const incidentSeconds = ({ from, to }: { from?: Date; to?: Date } = {}): RawBuilder<number> =>
  sql<number>`incident_seconds(i.monitor_id, i.check_id, i.imported_from, i.started_at, i.resolved_at,
    ${from ?? sql.lit(null)}::timestamptz, ${to ?? sql.lit(null)}::timestamptz)`
