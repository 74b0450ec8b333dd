import type { Payload, WarningName } from '#contract/events.ts'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import type { Suppression } from '#control-plane/db/model/shapes.ts'
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
  since: stampSql('w.since'),
  regions: 'w.regions',
  details: 'w.details',
  title: 'w.reason',
}

/** The suppression of a warning `w`, as its row has it: from the reseller it is suppressed as long as from the team. */
const suppression = (stage: Suppression['stage'], isMuted = 'false') =>
  suppressionSql({
    stage: `'${stage}'`,
    by: 'w.suppressed_by',
    is_muted: isMuted,
    is_team_notified: 'w.notified_depth is not null',
    is_reseller_notified: 'w.suppressed_by is null',
  })

/**
 * SQL that emits the event of each warning `w`, of a check `c` of a monitor `m`, as `from` has them. `isMuted` is an
 * expression.
 */
export const insertWarningEventsSql = (
  stage: Suppression['stage'],
  { isMuted, from }: { isMuted?: string; from: string },
): string =>
  insertEventsSql<WarningName>({
    nameSql: 'w.event',
    tenant: 'w.tenant_id',
    payload,
    suppression: suppression(stage, isMuted),
    from,
  })

/**
 * SQL that emits the end of each warning `w`, of a check `c` of a monitor `m`, as `from` has them. `isDeleted`: what
 * warned is being deleted.
 */
export const insertClearedEventsSql = (from: string, { isDeleted = false } = {}): string =>
  insertEventsSql({
    name: 'warning.cleared',
    tenant: 'w.tenant_id',
    payload: {
      ...payload,
      warning: `replace(w.event, 'warning.', '')`,
      title: `'Over: ' || w.reason`,
      ...(isDeleted && { resolution: `'deleted'` }),
    },
    suppression: suppression('followed'),
    from,
  })
