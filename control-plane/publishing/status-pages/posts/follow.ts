import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { Loop } from '#control-plane/base/loop.ts'
import { prepared, rows, stamp } from '#control-plane/db/queries.ts'
import { insertMailsSql } from '#control-plane/outbox/mail.ts'

const everyMs = 2_000
/** Posts of one statement. */
const atOnce = 100

// the page before its posts, as requests lock them; what one of these has locked waits for the next round
const follow = prepared(
  'posts-follow',
  () => sql<{ n: number }>`
  with due as materialized (
    select p.id, p.tenant_id, p.page_id, p.title, p.created_by, g.name as page_name, g.state, i.monitor_id,
      i.resolved_at
    from status_page_posts p join status_pages g on g.id = p.page_id
    join incidents i on i.id = p.incident_id and i.resolved_at is not null
    where p.phase <> 'resolved' and p.incident_id is not null and p.incident_over_at is null
    order by p.id limit ${sql.lit(atOnce)} for update of g, p skip locked
  ), moved as (
    update status_page_posts p set incident_over_at = clock_timestamp(), updated_at = clock_timestamp(),
      phase = case when p.phase in ('investigating', 'identified') then 'monitoring' else p.phase end
    from due where p.id = due.id
  ), followed as (
    update status_page_post_components pc set follows = true
    from due d join status_page_components c on c.page_id = d.page_id left join monitors m on m.id = d.monitor_id
    where pc.post_id = d.id and pc.component_id = c.id
      and (c.monitor_id = d.monitor_id or c.type = 'group' and c.monitor_group = m.group_name)
  ), touched as (
    update status_pages g set content_changed_at = clock_timestamp() where g.id in (select page_id from due)
  ), mailed as (
    ${insertMailsSql<'status_page_post_open'>({
      tenant: 'd.tenant_id',
      type: 'status_page_post_open',
      data: {
        team_name: 't.name',
        page_name: 'd.page_name',
        title: 'd.title',
        ended_at: stamp('d.resolved_at'),
      },
      from: sql`from due d join tenants t on t.id = d.tenant_id and t.deleted_at is null
        join memberships m on m.tenant_id = d.tenant_id and m.disabled_at is null and (m.user_id = d.created_by
          or m.role in ('owner', 'admin') and not exists (select from memberships a
            where a.tenant_id = d.tenant_id and a.user_id = d.created_by and a.disabled_at is null))
        join users u on u.id = m.user_id and not u.is_service
        where d.state = 'published' order by u.id`,
    })}
  )
  select count(*)::int as n from due`,
)

/**
 * Posts whose incident is over while they are open: each is in the phase `monitoring`, its components follow their
 * monitors, and its author, or the administrators in their place, are mailed once that the page still announces it.
 */
export async function followIncidents(platform: Pool): Promise<void> {
  let followed = atOnce
  while (followed === atOnce) followed = (await rows(platform, follow()))[0]?.n ?? 0
}

/** Follows the incidents of posts. Any number of processes may do so. */
export const watchPosts = ({ platform, log }: { platform: Pool; log: Pick<Logger, 'warn' | 'error'> }): Loop =>
  new Loop({ everyMs, round: () => followIncidents(platform), log, failure: 'status page post failure' }).start()
