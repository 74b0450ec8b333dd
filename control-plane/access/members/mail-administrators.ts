import type { Pool, PoolClient } from 'pg'
import type { MailData, MailType } from '#contract/mails.ts'
import { insertMailsSql } from '#control-plane/outbox/mail.ts'

const text = insertMailsSql({
  tenant: 'm.tenant_id',
  typeSql: '$2',
  dataSql: '$3::jsonb',
  from: `from memberships m join users u on u.id = m.user_id and not u.is_service
    where m.tenant_id = $1 and m.role in ('owner', 'admin') and m.disabled_at is null`,
})

/** Queues a mail to each active owner and administrator of a team. */
export async function mailAdministrators<Type extends MailType>(
  db: Pool | PoolClient,
  tenantId: string,
  type: Type,
  data: MailData<Type>,
): Promise<void> {
  await db.query(text, [tenantId, type, JSON.stringify(data)])
}
