import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import type { MailData, MailType } from '#contract/mails.ts'
import { json, rows } from '#control-plane/db/queries.ts'
import { insertMailsSql } from '#control-plane/outbox/mail.ts'

const mails = (tenantId: string, type: string, data: object) =>
  insertMailsSql({
    tenant: sql`${tenantId}::uuid`,
    typeSql: sql`${type}::text`,
    dataSql: json(data),
    from: sql`from (
    with owners as (
      select u.id, u.email, u.name, u.language, m.created_at from memberships m
      join users u on u.id = m.user_id and not u.is_service where m.tenant_id = ${tenantId} and m.role = 'owner'
    )
    select id, email, name, language from owners
    union all
    select null::uuid, s.payer ->> 'email', s.payer ->> 'name',
      coalesce((select language from owners order by created_at, id limit 1), 'en')
    from subscriptions s where s.tenant_id = ${tenantId} and s.payer ->> 'email' is not null
      and not exists (select 1 from owners o where lower(o.email) = lower(s.payer ->> 'email'))
  ) u`,
  })

/** Queues a mail to each owner of a team, and to the address of its payer. */
export async function mailPayers<Type extends Extract<MailType, `billing_${string}`>>(
  client: PoolClient,
  tenantId: string,
  type: Type,
  data: MailData<Type>,
): Promise<void> {
  await rows(client, mails(tenantId, type, data))
}
