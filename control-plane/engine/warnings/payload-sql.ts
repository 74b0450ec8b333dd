import { type RawBuilder, sql } from 'kysely'
import type { Payload, WarningName } from '#contract/events.ts'
import type { Suppression } from '#control-plane/db/model/shapes.ts'
import { type Part, stamp } from '#control-plane/db/queries.ts'
import { type FieldsSql, insertEventsSql } from '#control-plane/outbox/emit.ts'
import { suppressionSql } from '#control-plane/outbox/suppression.ts'

/** The payload of a warning `w`, of a check `c` of a monitor `m`. */
const payload: FieldsSql<Payload<WarningName>> = {
  monitor_id: 'm.id',
  monitor_name: 'm.name',
  monitor_url: 'm.url',
  check_id: 'c.id',
  check_type: 'c.type',
  code: 'w.code',
  since: stamp('w.since'),
  regions: 'w.regions',
  details: 'w.details',
  title: 'w.reason',
}

/** The suppression of a warning `w`, as its row has it: from the reseller it is suppressed as long as from the team. */
const suppression = (stage: Suppression['stage'], isMuted?: Part) =>
  suppressionSql({
    stage: sql.lit(stage),
    by: 'w.suppressed_by',
    is_team_notified: sql`w.notified_depth is not null`,
    is_reseller_notified: sql`w.suppressed_by is null`,
    ...(isMuted && { is_muted: isMuted }),
  })

/** Emits the event of each warning `w`, of a check `c` of a monitor `m`, as `from` has them. */
export const insertWarningEventsSql = (
  stage: Suppression['stage'],
  { isMuted, from }: { isMuted?: Part; from: RawBuilder<unknown> },
) =>
  insertEventsSql<WarningName>({
    nameSql: 'w.event',
    tenant: 'w.tenant_id',
    payload,
    suppression: suppression(stage, isMuted),
    from,
  })

/**
 * Emits the end of each warning `w`, of a check `c` of a monitor `m`, as `from` has them. `isDeleted`: what
 * warned is being deleted.
 */
export const insertClearedEventsSql = (from: RawBuilder<unknown>, { isDeleted = false } = {}) =>
  insertEventsSql({
    name: 'warning.cleared',
    tenant: 'w.tenant_id',
    payload: {
      ...payload,
      warning: sql`replace(w.event, 'warning.', '')`,
      title: sql`'Over: ' || w.reason`,
      ...(isDeleted && { resolution: sql.lit('deleted') }),
    },
    suppression: suppression('followed'),
    from,
  })
