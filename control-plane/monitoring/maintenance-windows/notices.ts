import { sql } from 'kysely'
import type { Pool } from 'pg'
import { prepared, rows, stamp } from '#control-plane/db/queries.ts'
import { insertMailsSql } from '#control-plane/outbox/mail.ts'
import { coversSql } from './covers.ts'

const noticesAtOnce = 500

/**
 * Deletes notices that are due and inserts their mails, and an update for the subscribers of each page that the window
 * names: together, so that each is sent once, whatever is killed.
 */
const send = prepared(
  'maintenance-notices',
  () => sql<{ sent: number }>`
  with due as (
    delete from maintenance_notices stored where stored.id in (
      select id from maintenance_notices where due_at <= clock_timestamp()
      order by due_at limit ${sql.lit(noticesAtOnce)} for update skip locked
    ) returning *
  ), sent as (
    ${insertMailsSql({
      tenant: 'n.tenant_id',
      type: 'maintenance',
      data: {
        team_name: 't.name',
        title: 'w.title',
        description: 'w.description',
        occasion: 'n.kind',
        starts_at: stamp('n.starts_at'),
        ends_at: stamp('n.ends_at'),
      },
      from: sql`from due n join maintenance_windows w on w.id = n.window_id
        join tenants t on t.id = n.tenant_id and t.deleted_at is null
        join memberships m on m.tenant_id = n.tenant_id and m.role in ('owner', 'admin')
          and m.disabled_at is null
        join users u on u.id = m.user_id and not u.is_service`,
    })}
  ), announced as (
    insert into status_page_updates (id, tenant_id, page_id, window_id, phase, title, body, component_ids, starts_at,
      ends_at, notify_subscribers)
    select gen_random_uuid(), n.tenant_id, g.id, w.id,
      case n.kind when 'started' then 'in_progress' when 'ended' then 'completed' else 'scheduled' end, w.title,
      w.description, array(
        select c.id from status_page_components c
        where c.page_id = g.id and (
          c.type = 'monitor' and exists (
            select from monitors m
            where m.tenant_id = c.tenant_id and m.id = c.monitor_id and ${coversSql()})
          or c.type = 'group' and exists (
            select from monitors m
            where m.tenant_id = c.tenant_id and m.group_name = c.monitor_group and ${coversSql()}))),
      n.starts_at, n.ends_at, true
    from due n join maintenance_windows w on w.id = n.window_id
      join tenants t on t.id = n.tenant_id and t.deleted_at is null
      join status_pages g on g.tenant_id = w.tenant_id and g.id = any(w.status_page_ids) and g.state = 'published'
  )
  select count(*)::int as sent from due`,
)

/** Sends the mails about maintenance windows that are due, and queues them for subscribers of pages. */
export async function sendNotices(platform: Pool): Promise<void> {
  for (let sent = noticesAtOnce; sent === noticesAtOnce; ) sent = (await rows(platform, send()))[0]?.sent ?? 0
}
