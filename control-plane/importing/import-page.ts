import { randomBytes, randomUUID } from 'node:crypto'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { NewPage } from '#control-plane/publishing/status-pages/input.ts'
import {
  insertComponents,
  insertConcerned,
  insertGroups,
  insertPage,
  insertPosts,
  insertUpdates,
} from '#control-plane/publishing/status-pages/insert.ts'
import { reserveQuota } from '#control-plane/tenancy/plans/enforce.ts'
import type { ImportedPage } from '#importers/page.ts'

type Context = Pick<RequestContext, 'em' | 'tenant' | 'now' | 'emit' | 'audit'>

/**
 * Creates a status page of another provider as a draft: visitors do not see it, and no notification is sent of its past
 * incidents. Its components have the status that they had there, until a person sets another or gives them a monitor.
 */
export async function importPage(context: Context, page: ImportedPage): Promise<string> {
  await reserveQuota(context, 'status_pages', 1)
  const { id, slug } = await createPage(context, page)
  const groups = new Map(page.groups.map(({ key }) => [key, randomUUID()]))
  await insertGroups(
    context,
    { id },
    page.groups.map(({ key, name }, position) => ({ id: groups.get(key)!, name, position })),
  )
  const components = new Map(page.components.map(({ key, name }) => [key, { id: randomUUID(), name }]))
  await insertComponents(
    context,
    { id },
    page.components.map(({ key, group, status, ...component }, position) => ({
      id: components.get(key)!.id,
      name: component.name,
      description: component.description,
      show_history: component.show_history,
      group_id: groups.get(group ?? '') ?? null,
      type: 'static' as const,
      static_status: status,
      position,
    })),
  )
  await createPosts(context, { id, components }, page.posts)
  context.audit('status_page.created', { type: 'status_page', id }, { name: page.name, slug, access: 'public' })
  return id
}

/** The address of a page is unique on the whole installation: one that is taken gets an ending. */
async function createPage(context: Context, page: ImportedPage): Promise<{ id: string; slug: string }> {
  const { name, description, timezone, noindex } = page
  const defaults = NewPage.parse({ name: 'Page', slug: 'page', uptime_mode: 'manual' })
  for (let attempt = 1; ; attempt++) {
    const ending = attempt === 1 ? '' : attempt < 5 ? `-${attempt}` : `-${randomBytes(4).toString('hex')}`
    const slug = page.slug + ending
    const id = await insertPage(context, { ...defaults, name, slug, description, timezone, noindex }, null)
    if (id !== undefined) return { id, slug }
  }
}

async function createPosts(
  context: Context,
  page: { id: string; components: ReadonlyMap<string, { id: string; name: string }> },
  posts: ImportedPage['posts'],
): Promise<void> {
  const withIds = posts.map(post => ({ ...post, id: randomUUID() }))
  await insertPosts(
    context,
    page,
    withIds.map(post => ({
      id: post.id,
      title: post.title,
      impact: post.impact,
      phase: post.phase,
      counts_as_downtime: post.counts_as_downtime,
      started_at: post.started_at,
      resolved_at: post.resolved_at,
      postmortem: post.postmortem,
      postmortem_published_at: post.postmortem === null ? null : (post.resolved_at ?? context.now.toISOString()),
    })),
  )
  const concerned = withIds.flatMap(({ id: post_id, components }) =>
    components.flatMap(({ key, status }) => {
      const component = page.components.get(key)
      return component === undefined ? [] : [{ post_id, component_id: component.id, status, name: component.name }]
    }),
  )
  await insertConcerned(context, page, concerned)
  const updates = withIds.flatMap(({ id: post_id, updates }) =>
    updates.map(({ phase, body, at }) => ({ id: randomUUID(), post_id, phase, body, at, notify_subscribers: false })),
  )
  await insertUpdates(context, updates)
}
