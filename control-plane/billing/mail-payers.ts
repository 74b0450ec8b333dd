import type { PoolClient } from 'pg'
import type { MailData, MailType } from '#contract/mails.ts'
import { insertMailsSql } from '#control-plane/outbox/mail.ts'

const text = insertMailsSql({
  tenant: '$1::uuid',
  typeSql: '$2::text',
  dataSql: '$3::jsonb',
  from: `from (
    with owners as (
      select u.id, u.email, u.name, u.language, m.created_at from memberships m
      join users u on u.id = m.user_id and not u.is_service where m.tenant_id = $1 and m.role = 'owner'
    )
    select id, email, name, language from owners
    union all
    select null::uuid, s.payer ->> 'email', s.payer ->> 'name',
      coalesce((select language from owners order by created_at, id limit 1), 'en')
    from subscriptions s where s.tenant_id = $1 and s.payer ->> 'email' is not null
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
  await client.query(text, [tenantId, type, JSON.stringify(data)])
}
