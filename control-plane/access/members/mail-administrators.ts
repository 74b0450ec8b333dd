import type { Pool, PoolClient } from 'pg'
import type { MailData, MailType } from '#contract/mails.ts'
import { recipientSql } from '#control-plane/outbox/mail.ts'

/** Queues a mail to each owner and administrator of a team. */
export async function mailAdministrators<Type extends MailType>(
  db: Pool | PoolClient,
  tenantId: string,
  type: Type,
  data: MailData<Type>,
): Promise<void> {
  await db.query(
    `insert into outbox (tenant_id, kind, name, payload, is_personal)
     select m.tenant_id, 'mail', $2, jsonb_build_object('data', $3::jsonb, 'recipient', ${recipientSql}), true
     from memberships m join users u on u.id = m.user_id and not u.is_service
     where m.tenant_id = $1 and m.role in ('owner', 'admin')`,
    [tenantId, type, JSON.stringify(data)],
  )
}
