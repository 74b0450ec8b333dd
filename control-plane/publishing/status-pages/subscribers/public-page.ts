import { sql } from 'kysely'
import type { Pool } from 'pg'
import { isWithin } from '#control-plane/access/tokens/allowed-ips.ts'
import { invalid, notFound } from '#control-plane/base/refusal.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import { isPassword } from '#control-plane/identity/users/password.ts'
import { isOfDomain } from '#control-plane/publishing/status-pages/email-domains.ts'
import { pageOfSlugSql } from '#control-plane/publishing/status-pages/slug.ts'
import type { SubscriberChannel } from './address.ts'
import { ssoDomainsSql } from './reader.ts'

export type PublicPage = Row<
  'status_pages',
  'id' | 'tenant_id' | 'name' | 'slug' | 'locale' | 'access' | 'password_hash' | 'allowed_email_domains' | 'allowed_ips'
> & {
  /** Of a page with the access mode `sso`: the verified domains of the team. */
  sso_domains: readonly string[] | null
  /** Since when the page has these readers. */
  access_changed_at: string
}

const published = prepared(
  'subscribe-page',
  (slug: string) => sql<PublicPage>`
    select p.id, p.tenant_id, p.name, p.slug, p.locale, p.access, p.password_hash,
      p.allowed_email_domains, p.allowed_ips,
      p.access_changed_at::text as access_changed_at, ${ssoDomainsSql} as sso_domains
    from status_pages p join tenants t on t.id = p.tenant_id and t.deleted_at is null and t.suspended_at is null
    where p.id = ${pageOfSlugSql(slug)} and p.state = 'published'`,
)

/** A published page of a living team by its address, or by a former one. */
export async function findPublicPage(platform: Pool, slug: string): Promise<PublicPage> {
  const [page] = await rows(platform, published(slug))
  if (!page) throw notFound('Status page')
  return page
}

interface Visitor {
  ip: string
  channel: SubscriberChannel
  address: string
  password?: string | undefined
  /** Has shown the password of the page on the page itself, or has signed in there. */
  isAdmitted?: boolean
}

/**
 * Refuses a subscription to a private page by one who may not see it. On a page for e-mail domains, or for people of a
 * company, the address must be of one of the domains: the question proves that it belongs to the visitor.
 */
export async function refuseStrangers(page: PublicPage, visitor: Visitor): Promise<void> {
  if (!(await maySee(page, visitor)))
    throw invalid({ address: ['This page is private: only those who may see it can subscribe.'] }, 'page_private')
}

async function maySee(
  page: PublicPage,
  { ip, channel, address, password, isAdmitted = false }: Visitor,
): Promise<boolean> {
  switch (page.access) {
    case 'public':
      return true
    case 'ip':
      return isWithin(ip, page.allowed_ips)
    case 'email_domain':
      return channel === 'email' && isOfDomain(address, page.allowed_email_domains)
    case 'password':
      return isAdmitted || (password !== undefined && isPassword(page.password_hash, password))
    case 'sso':
      return isAdmitted && channel === 'email' && isOfDomain(address, page.sso_domains ?? [])
    default:
      return false
  }
}
