import { stampSql } from '#control-plane/base/stamp-sql.ts'

/** The payload of events of a warning `w`, of a check `c` of a monitor `m`. */
const aboutSql = `jsonb_build_object('monitor_id', m.id, 'monitor_name', m.name, 'monitor_url', m.url, 'check_id', c.id, 'check_type', c.type,
  'code', w.code, 'since', ${stampSql('w.since')}, 'regions', w.regions, 'details', w.details)`

export const warningPayloadSql = `${aboutSql} || jsonb_build_object('title', w.reason)`

export const clearedPayloadSql = `${aboutSql} || jsonb_build_object('warning', replace(w.event, 'warning.', ''), 'title', 'Over: ' || w.reason)`

/**
 * The event that groups a warning `w` with others: people's channels that receive it are spared the single one,
 * webhooks never are.
 */
export const warningSuppressedAsSql = `case w.suppressed_by when 'flapping' then 'monitor.flapping' end`
