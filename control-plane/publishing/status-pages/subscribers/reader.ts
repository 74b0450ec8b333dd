import { sql } from 'kysely'
import type { Row } from '#control-plane/db/queries.ts'
import { isOfDomain } from '#control-plane/publishing/status-pages/email-domains.ts'

/** What says whether a subscriber may read the page as it is now. */
export type Reader = Row<'status_page_subscribers', 'channel'> &
  Row<'status_pages', 'access' | 'allowed_email_domains'> & {
    /** Of a page with the access mode `sso`: the verified domains of the team. */
    sso_domains: readonly string[] | null
    /** Let in, or added by the team, since the page has these readers. */
    is_admitted: boolean
  }

/** The verified domains of a page `p` with the access mode `sso`. */
export const ssoDomainsSql = sql`
  (select array_agg(d.domain) from sso_domains d
    where d.tenant_id = p.tenant_id and p.access = 'sso' and d.verified_at is not null)`

/** A reader: a subscriber `s` of a page `p`. */
export const readerSql = sql`s.channel, p.access, p.allowed_email_domains, ${ssoDomainsSql} as sso_domains,
  s.admitted_as_of >= p.access_changed_at as is_admitted`

/**
 * Whether a subscriber may read the page. Domains are asked of the address, which has confirmed; a password, a network
 * or a sign-in is not seen when something is sent, so that one who was let in since the last change goes on.
 */
export function mayRead(reader: Reader, address: string): boolean {
  const isMail = reader.channel === 'email'
  switch (reader.access) {
    case 'public':
      return true
    case 'email_domain':
      return isMail ? isOfDomain(address, reader.allowed_email_domains) : reader.is_admitted
    case 'sso':
      return reader.is_admitted && (!isMail || isOfDomain(address, reader.sso_domains ?? []))
    case 'password':
    case 'ip':
      return reader.is_admitted
    default:
      return false
  }
}
