import type { Pool, PoolClient } from 'pg'
import type { MailData, MailType } from '#contract/mails.ts'
import type { MailRecipient } from '#control-plane/base/side-effects.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { insertMailsSql } from '#control-plane/outbox/mail.ts'

const administrators = (tenant: '$1' | '?') => `from memberships m join users u on u.id = m.user_id and not u.is_service
  where m.tenant_id = ${tenant} and m.role in ('owner', 'admin') and m.disabled_at is null`

const insert = insertMailsSql({
  tenant: 'm.tenant_id',
  typeSql: '$2',
  dataSql: '$3::jsonb',
  from: administrators('$1'),
})

/** Queues a mail to each active owner and administrator of a team. */
export async function mailAdministrators<Type extends MailType>(
  db: Pool | PoolClient,
  tenantId: string,
  type: Type,
  data: MailData<Type>,
): Promise<void> {
  await db.query(insert, [tenantId, type, JSON.stringify(data)])
}

const read = `select u.id as "userId", u.email, u.name, u.language ${administrators('?')} order by u.id`

/** The same in the transaction of a request, which must act in the team. Not for mails with secrets. */
export async function mailAdministratorsIn<Type extends MailType>(
  { em, mail }: Pick<RequestContext, 'em' | 'mail'>,
  tenantId: string,
  type: Type,
  data: MailData<Type>,
): Promise<void> {
  for (const recipient of await em.execute<MailRecipient[]>(read, [tenantId])) mail(type, recipient, data, { tenantId })
}
