import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'

/** Words that addresses of the service need, or that would pass for a page of the service itself. */
const reserved: ReadonlySet<string> = new Set([
  'about',
  'admin',
  'api',
  'app',
  'assets',
  'auth',
  'badge',
  'console',
  'docs',
  'embed',
  'feed',
  'health',
  'help',
  'history',
  'incidents',
  'index',
  'login',
  'logout',
  'maintenance',
  'metrics',
  'new',
  'ops',
  'ping',
  'preview',
  'robots',
  'setup',
  'sitemap',
  'static',
  'status',
  'subscribe',
  'subscribers',
  'summary',
  'support',
  'unsubscribe',
  'vedette',
  'www',
])

/** The id of the page that a slug leads to, by its address or by a former one. */
export const pageOfSlugSql = (slug: string): RawBuilder<string> => sql`(
  select id from status_pages where slug = ${slug}
  union all select page_id from status_page_former_slugs where slug = ${slug} limit 1)`

/** The address of a page: `/status/{slug}`. It is unique on the whole installation. */
export const Slug = z
  .string()
  .min(3)
  .max(63)
  .regex(/^[a-z\d](?:[a-z\d-]*[a-z\d])?$/, 'Must be small letters, digits and hyphens, with none of these at an end.')
  .refine(slug => !reserved.has(slug), 'Is a reserved word.')
