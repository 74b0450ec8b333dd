import { randomBytes, randomUUID } from 'node:crypto'
import { queries } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { takePlaces } from '#control-plane/tenancy/plans/enforce.ts'
import type { ImportedPage } from './page.ts'

type Context = Pick<RequestContext, 'em' | 'tenant' | 'now' | 'emit' | 'audit'>

/**
 * Creates a status page of another provider as a draft: visitors do not see it, and no notification is sent of its past
 * incidents. Its components have the status that they had there, until a person sets another or gives them a monitor.
 */
export async function importPage(context: Context, page: ImportedPage): Promise<string> {
  const { em, tenant, audit } = context
  const at = context.now.toISOString()
  await takePlaces(context, 'status_pages', 1)
  const { id, slug } = await insertPage(context, page)
  const db = queries(em)
  const own = { tenant_id: tenant.id, created_at: at, updated_at: at }
  const groups = new Map(page.groups.map(({ key }) => [key, randomUUID()]))
  if (page.groups.length > 0)
    await db
      .insertInto('status_page_groups')
      .values(
        page.groups.map(({ key, name }, position) => ({ ...own, id: groups.get(key)!, page_id: id, name, position })),
      )
      .execute()
  const components = new Map(page.components.map(({ key }) => [key, randomUUID()]))
  if (page.components.length > 0)
    await db
      .insertInto('status_page_components')
      .values(
        page.components.map(({ key, group, status, ...component }, position) => ({
          ...own,
          id: components.get(key)!,
          page_id: id,
          group_id: groups.get(group ?? '') ?? null,
          type: 'static' as const,
          static_status: status,
          name: component.name,
          description: component.description,
          position,
          show_history: component.show_history,
        })),
      )
      .execute()
  const named = new Map(page.components.map(({ key, name }) => [key, { id: components.get(key)!, name }]))
  await insertPosts(context, { id, components: named }, page.posts)
  audit('status_page.created', { type: 'status_page', id }, { name: page.name, slug, access: 'public' })
  return id
}

/** The address of a page is unique on the whole installation: one that is taken gets an ending. */
async function insertPage({ em, tenant, now }: Context, page: ImportedPage): Promise<{ id: string; slug: string }> {
  const id = randomUUID()
  const at = now.toISOString()
  for (let attempt = 1; ; attempt++) {
    const ending = attempt === 1 ? '' : attempt < 5 ? `-${attempt}` : `-${randomBytes(4).toString('hex')}`
    const slug = page.slug + ending
    const { numInsertedOrUpdatedRows } = await queries(em)
      .insertInto('status_pages')
      .values({
        id,
        tenant_id: tenant.id,
        name: page.name,
        slug,
        description: page.description,
        state: 'draft',
        access: 'public',
        timezone: page.timezone,
        noindex: page.noindex,
        uptime_mode: 'manual',
        content_changed_at: at,
        created_at: at,
        updated_at: at,
      })
      .onConflict(conflict => conflict.column('slug').doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 1n) return { id, slug }
  }
}

/** Rows of one statement: of more columns than these have, a statement could have too many values. */
const rowsAtOnce = 2_000

async function insertPosts(
  { em, tenant, now }: Context,
  page: { id: string; components: ReadonlyMap<string, { id: string; name: string }> },
  posts: ImportedPage['posts'],
): Promise<void> {
  const db = queries(em)
  const own = { tenant_id: tenant.id }
  const at = now.toISOString()
  const times = { created_at: at, updated_at: at }
  const withIds = posts.map(post => ({ ...post, id: randomUUID() }))
  const rows = withIds.map(post => ({
    ...own,
    ...times,
    id: post.id,
    page_id: page.id,
    title: post.title,
    impact: post.impact,
    phase: post.phase,
    counts_as_downtime: post.counts_as_downtime,
    started_at: post.started_at,
    resolved_at: post.resolved_at,
    postmortem: post.postmortem,
    postmortem_published_at: post.postmortem === null ? null : (post.resolved_at ?? at),
  }))
  const concerned = withIds.flatMap(({ id: post_id, components }) =>
    components.flatMap(({ key, status }) => {
      const component = page.components.get(key)
      if (component === undefined) return []
      return [{ ...own, post_id, component_id: component.id, page_id: page.id, status, name: component.name }]
    }),
  )
  const updates = withIds.flatMap(({ id: post_id, updates }) =>
    updates.map(({ phase, body, at }) => ({
      ...own,
      ...times,
      id: randomUUID(),
      post_id,
      phase,
      body,
      at,
      notify_subscribers: false,
    })),
  )
  for (const some of inParts(rows)) await db.insertInto('status_page_posts').values(some).execute()
  for (const some of inParts(concerned)) await db.insertInto('status_page_post_components').values(some).execute()
  for (const some of inParts(updates)) await db.insertInto('status_page_updates').values(some).execute()
}

function* inParts<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let at = 0; at < rows.length; at += rowsAtOnce) yield rows.slice(at, at + rowsAtOnce)
}
