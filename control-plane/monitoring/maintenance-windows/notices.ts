import type { Pool } from 'pg'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import { insertMailsSql } from '#control-plane/outbox/mail.ts'

const noticesAtOnce = 500

/** Deletes notices that are due and inserts their mails: together, so that each is sent once, whatever is killed. */
const send = `
  with due as (
    delete from maintenance_notices stored where stored.id in (
      select id from maintenance_notices where due_at <= clock_timestamp()
      order by due_at limit ${noticesAtOnce} for update skip locked
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
        starts_at: stampSql('n.starts_at'),
        ends_at: stampSql('n.ends_at'),
      },
      from: `from due n join maintenance_windows w on w.id = n.window_id
        join tenants t on t.id = n.tenant_id and t.deleted_at is null
        join memberships m on m.tenant_id = n.tenant_id and m.role in ('owner', 'admin')
          and m.disabled_at is null
        join users u on u.id = m.user_id and not u.is_service`,
    })}
  )
  select count(*)::int as sent from due`

/** Sends the mails about maintenance windows that are due. */
export async function sendNotices(platform: Pool): Promise<void> {
  for (let sent = noticesAtOnce; sent === noticesAtOnce; )
    sent = (await platform.query<{ sent: number }>({ name: 'maintenance-notices', text: send })).rows[0]?.sent ?? 0
}
