import { sql } from 'kysely'
import { Sentence } from '#contract/sentence.ts'
import { mintLink } from '#control-plane/base/mail-link.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { advisoryLock, queries, type Row, rows, total } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { strangersAmong } from './states.ts'

/**
 * Limits against spam: addresses that a team asks in a day, teams that ask one address in a day, questions to an
 * address in a week.
 */
export const askLimits = { aDay: 100, teamsADay: 5, aWeek: 3 }

type AskContext = Pick<RequestContext, 'em' | 'tenant' | 'services' | 'caller' | 'mail'>

/** Asks recipients of a channel who are no members of the team to confirm, each once: who was asked is known. */
export async function askRecipients(context: AskContext, addresses: readonly string[]): Promise<void> {
  const { em, tenant } = context
  const strangers = await strangersAmong(em, tenant, addresses)
  if (strangers.length === 0) return
  // counting and adding is serialised for each team
  await advisoryLock(em, `mail_recipients:${tenant.id}`)
  const added = await rows(em)<Row<'mail_recipients', 'email'>>`insert into mail_recipients (tenant_id, email)
   select ${tenant.id}::uuid, r.email::citext from unnest(${strangers.map(({ email }) => email)}::text[]) as r(email)
   on conflict (tenant_id, email) do update set token_hash = mail_recipients.token_hash
   where mail_recipients.requested_at = '{}' and mail_recipients.confirmed_at is null
     and mail_recipients.unsubscribed_at is null
   returning email`
  if (added.length === 0) return
  const today = await queries(em)
    .selectFrom('mail_recipients')
    .where('tenant_id', '=', tenant.id)
    .where('created_at', '>', sql<string>`clock_timestamp() - interval '1 day'`)
    .select(total)
    .executeTakeFirstOrThrow()
  if (today.total > askLimits.aDay)
    throw invalid(
      { 'config.recipients': [new Sentence('At most {n} new addresses are asked a day.', { n: askLimits.aDay })] },
      'too_many_recipients',
    )
  for (const { email } of added) await sendQuestion(context, email)
}

/** Mails the question to an address, unless too many teams have asked it today. Earlier links become void. */
export async function sendQuestion({ em, tenant, services, caller, mail }: AskContext, email: string): Promise<void> {
  const others = await queries(services.platform)
    .selectFrom('mail_recipients')
    .where('email', '=', email)
    .where('tenant_id', '<>', tenant.id)
    .where(
      ({ ref }) =>
        sql<boolean>`exists (
          select 1 from unnest(${ref('requested_at')}) a where a > clock_timestamp() - interval '1 day')`,
    )
    .select(total)
    .executeTakeFirstOrThrow()
  if (others.total >= askLimits.teamsADay) return
  const { hash, url } = mintLink(`${services.config.baseUrl}/mail-recipient`)
  await rows(em)`update mail_recipients set token_hash = decode(${hash.toString('hex')}, 'hex'),
     requested_at = array(
       select a from unnest(requested_at) a where a > clock_timestamp() - interval '7 days') || clock_timestamp()
   where tenant_id = ${tenant.id} and email = ${email}::citext`
  mail(
    'recipient_confirm',
    { userId: null, email, name: null, language: caller.user?.language ?? 'en' },
    {
      team_name: tenant.name,
      confirm_url: url,
      unsubscribe_url: url.replace('/mail-recipient#', '/mail-recipient/unsubscribe#'),
    },
  )
}
