import { sql } from 'kysely'
import { type Db, rows } from '#control-plane/db/queries.ts'
import { isQuietSql } from '#control-plane/engine/suppression/maintenance.ts'
import { suppressionStep } from '#control-plane/engine/suppression/step.ts'
import { wakeSql } from '#control-plane/outbox/emit.ts'
import { insertWarningEventsSql } from './payload-sql.ts'

const from = sql`from w join checks c on c.id = w.check_id join monitors m on m.id = c.monitor_id`

/** Notifies the team of a warning that a snooze muted, unless it was notified of that depth before. */
export const notifyMutedWarning = (db: Db, checkId: string): Promise<unknown> =>
  rows(db)`with w as (
    update check_warnings set notified_depth = depth
    where check_id = ${checkId} and notified_depth is distinct from depth returning *
  ), published as (${insertWarningEventsSql('unmuted', { from })})
  select ${wakeSql} from published`

/** Publishes the suppressed warnings of a monitor that no longer flaps, or is no longer in maintenance. */
export const releaseWarnings = suppressionStep({
  kind: 'suppressed_warning',
  name: 'suppression-release-warnings',
  key: 'w.check_id',
  due: among => sql`w as (
    select w.* from check_warnings w join checks c on c.id = w.check_id join monitors m on m.id = c.monitor_id
    where m.is_enabled and case when w.suppressed_by in ('maintenance', 'shadow') then not ${isQuietSql('m')}
        when w.suppressed_by = 'flapping' then not exists (
          select 1 from flappings f where f.monitor_id = c.monitor_id and f.ended_at is null) end
      and ${among}
    order by w.check_id limit 500 for update of w skip locked
  )`,
  act: sql`released as (
    update check_warnings stored set suppressed_by = null from w where stored.check_id = w.check_id
  ), published as (
    ${insertWarningEventsSql('released', { from })}
  )`,
})
