import type { MailData } from '#contract/mails.ts'
import { queries } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { noticeOf, recipientOf } from '#control-plane/identity/users/notify.ts'

type Notice = MailData<'security_auth_policy_changed'>

/** Mails all active members of the team that the rules of signing in to it were changed. */
export async function mailPolicyChange(
  { em, tenant, mail, now }: Pick<RequestContext, 'em' | 'tenant' | 'mail' | 'now'>,
  { change, mfaDueAt = null }: { change: Notice['change']; mfaDueAt?: string | null },
): Promise<void> {
  const members = await queries(em)
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.tenant_id', '=', tenant.id)
    .where('m.disabled_at', 'is', null)
    .where('u.is_service', '=', false)
    .orderBy('u.id')
    .select(['u.id', 'u.name', 'u.email', 'u.language'])
    .execute()
  for (const member of members)
    mail('security_auth_policy_changed', recipientOf(member), {
      ...noticeOf(member, now, null),
      team_name: tenant.name,
      change,
      mfa_due_at: mfaDueAt,
    })
}
