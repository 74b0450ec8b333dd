import type { MailData, MailType } from '#contract/mails.ts'
import { type Db, queries } from '#control-plane/db/queries.ts'
import { writeOutbox } from '#control-plane/outbox/emit.ts'
import { mailPayload } from '#control-plane/outbox/unit-of-work.ts'

/**
 * Queues a mail to each active owner and administrator of a team, which the transaction of a request must act in. Not
 * for mails with secrets.
 */
export async function mailAdministrators<Type extends MailType>(
  db: Db,
  tenantId: string,
  type: Type,
  data: MailData<Type>,
): Promise<void> {
  const administrators = await queries(db)
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.tenant_id', '=', tenantId)
    .where('m.role', 'in', ['owner', 'admin'])
    .where('m.disabled_at', 'is', null)
    .where('u.is_service', '=', false)
    .orderBy('u.id')
    .select(['u.id as userId', 'u.email', 'u.name', 'u.language'])
    .execute()
  await writeOutbox(
    db,
    administrators.map(recipient => ({ tenantId, kind: 'mail', name: type, payload: mailPayload(recipient, data) })),
  )
}
