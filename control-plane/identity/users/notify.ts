import type { MailType } from '#contract/mails.ts'
import { stamp } from '#contract/time.ts'
import type { Row } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'

export type Person = Row<'users', 'id' | 'name' | 'email' | 'language'>

/** Notices without further fields. */
type Notice = Exclude<
  Extract<MailType, `security_${string}`>,
  | 'security_login_new_device'
  | 'security_role_changed'
  | 'security_account_blocked'
  | 'security_account_unblocked'
  | 'security_auth_policy_changed'
>

export const recipientOf = ({ id, name, email, language }: Person) => ({ userId: id, email, name, language })

/** The data of every notice. The IP address is that of the person themselves; an administrator's is not disclosed. */
export const noticeOf = (person: Person, now: Date, ip: string | null) => ({
  user_name: person.name,
  user_email: person.email,
  occurred_at: stamp(now),
  ip_address: ip || null,
})

/** Mails a person about a change of their account. */
export function notify(
  { mail, caller, now, ip }: Pick<RequestContext, 'mail' | 'caller' | 'now' | 'ip'>,
  type: Notice,
  person: Person,
): void {
  mail(type, recipientOf(person), noticeOf(person, now, caller.user?.id === person.id ? ip : null))
}
