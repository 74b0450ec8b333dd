import type { Pool } from 'pg'
import { type MailLanguage, mailLanguageOf } from '#control-plane/alerting/mail/words.ts'

/** What members of a team speak, by their address in small letters. */
export async function languagesOf(platform: Pool, tenantId: string, addresses: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await platform.query<{ email: string; language: string }>({
    name: 'deliveries-languages',
    text: `select lower(u.email) as email, u.language from memberships m join users u on u.id = m.user_id and not u.is_service
      where m.tenant_id = $1 and lower(u.email) = any($2::text[])`,
    values: [tenantId, addresses.map(address => address.toLowerCase())],
  })
  return new Map(rows.map(({ email, language }) => [email, language]))
}

/** One mail goes to all of a channel: in the language that all who are known share, else in English. */
export function sharedLanguage(languages: ReadonlyMap<string, string>): MailLanguage {
  const [first, ...others] = new Set([...languages.values()].map(mailLanguageOf))
  return first !== undefined && others.length === 0 ? first : 'en'
}
