import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import { type Database, json, queries } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import type { NewPage } from './input.ts'

/* The statements that make a page and its parts, for the endpoints and for pages that are imported as a whole. */

type Context = Pick<RequestContext, 'em' | 'now'> & { tenant: { id: string } }
/** A row but for the columns that are the same in all of one call. */
type New<Table extends keyof Database, Same extends string> = Omit<
  Insertable<Database[Table]>,
  'tenant_id' | 'created_at' | 'updated_at' | Same
>

/** Creates a page, and returns its id; undefined where its address is taken on this installation. */
export async function insertPage(
  { em, tenant, now }: Context,
  page: NewPage,
  passwordHash: string | null,
): Promise<string | undefined> {
  const id = randomUUID()
  const at = now.toISOString()
  const { numInsertedOrUpdatedRows } = await queries(em)
    .insertInto('status_pages')
    .values({
      id,
      tenant_id: tenant.id,
      name: page.name,
      slug: page.slug,
      description: page.description,
      state: page.state,
      access: page.access,
      password_hash: passwordHash,
      password_changed_at: passwordHash === null ? null : at,
      allowed_email_domains: page.allowed_email_domains,
      allowed_ips: page.allowed_ips,
      locale: page.locale,
      locales: page.locales,
      timezone: page.timezone,
      history_days: page.history_days,
      show_uptime: page.show_uptime,
      show_response: page.show_response,
      show_values: page.show_values,
      uptime_mode: page.uptime_mode,
      min_incident_minutes: page.min_incident_minutes,
      noindex: page.noindex,
      hide_powered_by: page.hide_powered_by,
      theme: page.theme,
      primary_color: page.primary_color,
      logo_url: page.logo_url,
      logo_url_dark: page.logo_url_dark,
      header_links: json(page.header_links),
      footer_links: json(page.footer_links),
      texts: json(page.texts),
      content_changed_at: at,
      created_at: at,
      updated_at: at,
    })
    .onConflict(conflict => conflict.column('slug').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n ? id : undefined
}

export async function insertGroups(
  context: Context,
  page: { id: string },
  groups: readonly New<'status_page_groups', 'page_id'>[],
): Promise<void> {
  const same = { ...ownOf(context), page_id: page.id }
  for (const some of inParts(groups.map(group => ({ ...group, ...same }))))
    await queries(context.em).insertInto('status_page_groups').values(some).execute()
}

export async function insertComponents(
  context: Context,
  page: { id: string },
  components: readonly New<'status_page_components', 'page_id'>[],
): Promise<void> {
  const same = { ...ownOf(context), page_id: page.id }
  for (const some of inParts(components.map(component => ({ ...component, ...same }))))
    await queries(context.em).insertInto('status_page_components').values(some).execute()
}

export async function insertPosts(
  context: Context,
  page: { id: string },
  posts: readonly New<'status_page_posts', 'page_id'>[],
): Promise<void> {
  const same = { ...ownOf(context), page_id: page.id }
  for (const some of inParts(posts.map(post => ({ ...post, ...same }))))
    await queries(context.em).insertInto('status_page_posts').values(some).execute()
}

/** The components that posts concern. */
export async function insertConcerned(
  { em, tenant }: Pick<Context, 'em' | 'tenant'>,
  page: { id: string },
  concerned: readonly New<'status_page_post_components', 'page_id'>[],
): Promise<void> {
  const same = { tenant_id: tenant.id, page_id: page.id }
  for (const some of inParts(concerned.map(each => ({ ...each, ...same }))))
    await queries(em).insertInto('status_page_post_components').values(some).execute()
}

export async function insertUpdates(
  context: Context,
  updates: readonly New<'status_page_updates', never>[],
): Promise<void> {
  const same = ownOf(context)
  for (const some of inParts(updates.map(update => ({ ...update, ...same }))))
    await queries(context.em).insertInto('status_page_updates').values(some).execute()
}

function ownOf({ tenant, now }: Context) {
  const at = now.toISOString()
  return { tenant_id: tenant.id, created_at: at, updated_at: at }
}

/** Rows of one statement: of more columns than these have, a statement could have too many values. */
const rowsAtOnce = 2_000

function* inParts<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let at = 0; at < rows.length; at += rowsAtOnce) yield rows.slice(at, at + rowsAtOnce)
}
