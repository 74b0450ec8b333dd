import type { SuppressionStep } from '#control-plane/engine/suppression/step.ts'
import { warningPayloadSql, warningSuppressionSql } from './told-sql.ts'

/**
 * SQL that tells the team what a check warns of, and a snooze kept quiet, if it has not heard that much of it before. `check`: how the
 * statement names its one parameter.
 */
export const notifyMutedWarning = (check: '$1' | '?') => `
  with w as (
    update check_warnings set notified_depth = depth where check_id = ${check} and notified_depth is distinct from depth returning *
  ), told as (
    insert into outbox (tenant_id, kind, name, payload, suppression)
    select w.tenant_id, 'event', w.event, ${warningPayloadSql}, ${warningSuppressionSql('unmuted')}
    from w join checks c on c.id = w.check_id join monitors m on m.id = c.monitor_id
    returning id
  )
  select pg_notify('outbox', '') from told`

/** Tells those from whom it was held what a monitor still warns of when it flaps no more. */
export const releaseWarnings: SuppressionStep = {
  kind: 'suppressed_warning',
  name: 'noise-release-warnings',
  key: 'w.check_id',
  due: among => `w as (
    select w.* from check_warnings w join checks c on c.id = w.check_id
    where w.suppressed_by = 'flapping' and not exists (select 1 from flappings f where f.monitor_id = c.monitor_id and f.ended_at is null) and ${among}
    order by w.check_id limit 500 for update of w skip locked
  )`,
  act: `released as (
    update check_warnings held set suppressed_by = null from w where held.check_id = w.check_id
  ), told as (
    insert into outbox (tenant_id, kind, name, payload, suppression)
    select w.tenant_id, 'event', w.event, ${warningPayloadSql}, ${warningSuppressionSql('released')}
    from w join checks c on c.id = w.check_id join monitors m on m.id = c.monitor_id
    returning id
  )`,
}
