import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { OutgoingMail } from '#control-plane/alerting/channels/kinds/kind.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import { type Language, languageOfTag } from '#locales/languages.ts'

/** The recipient of one mail of a channel. */
export interface MailReader {
  address: string
  /** As the person has set it; a reseller that sends the mail itself receives it. */
  language: string
  timezone: string
}

const readers = prepared(
  'deliveries-readers',
  (tenantId: string, addresses: readonly string[]) => sql<Row<'users', 'email' | 'language' | 'timezone'>>`
    select lower(u.email) as email, u.language, u.timezone
    from memberships m join users u on u.id = m.user_id and not u.is_service
    where m.tenant_id = ${tenantId} and lower(u.email) = any(${addresses}::text[])`,
)

/**
 * The recipients of a channel, each with a language and a time zone: those that a member of the team has set, else
 * those of the channel.
 */
export async function readersOf(
  platform: Pool,
  tenantId: string,
  { recipients, language, timezone }: Pick<OutgoingMail, 'recipients' | 'language' | 'timezone'>,
): Promise<MailReader[]> {
  const found = await rows(
    platform,
    readers(
      tenantId,
      recipients.map(address => address.toLowerCase()),
    ),
  )
  const members = new Map(found.map(row => [row.email, row]))
  const shared = { language: language ?? sharedLanguage(found.map(row => row.language)), timezone }
  return recipients.map(address => {
    const member = members.get(address.toLowerCase())
    return { address, language: member?.language ?? shared.language, timezone: member?.timezone ?? shared.timezone }
  })
}

/** The language that all members among the recipients share, else English. */
function sharedLanguage(languages: readonly string[]): Language {
  const [first, ...others] = new Set(languages.map(languageOfTag))
  return first !== undefined && others.length === 0 ? first : 'en'
}
