import { stampSql } from '#control-plane/base/stamp-sql.ts'
import { type Suppression, suppressionSql } from '#control-plane/outbox/suppression.ts'

/** The payload of events of a warning `w`, of a check `c` of a monitor `m`. */
const aboutSql = `jsonb_build_object('monitor_id', m.id, 'monitor_name', m.name, 'monitor_url', m.url, 'check_id', c.id,
  'check_type', c.type,
  'code', w.code, 'since', ${stampSql('w.since')}, 'regions', w.regions, 'details', w.details)`

export const warningPayloadSql = `${aboutSql} || jsonb_build_object('title', w.reason)`

export const clearedPayloadSql = `${aboutSql} || jsonb_build_object('warning', replace(w.event, 'warning.', ''),
  'title', 'Over: ' || w.reason)`

/** The suppression of a warning `w`, as its row has it: from the reseller it is suppressed as long as from the team. */
export const warningSuppressionSql = (stage: Suppression['stage'], isMuted = 'false'): string =>
  suppressionSql({
    stage: `'${stage}'`,
    by: 'w.suppressed_by',
    is_muted: isMuted,
    is_team_notified: 'w.notified_depth is not null',
    is_reseller_notified: 'w.suppressed_by is null',
  })
