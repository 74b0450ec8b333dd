import type { EntityManager } from '@mikro-orm/postgresql'
import { type InferResult, sql } from 'kysely'
import type { SettableStatus } from '#contract/status-page.ts'
import { notFound } from '#control-plane/base/refusal.ts'
import { namesOf } from '#control-plane/db/by-name.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'

export type PostRow = InferResult<ReturnType<typeof selectPosts>>[number]
export type UpdateRow = InferResult<ReturnType<typeof selectUpdates>>[number]

interface PostComponent {
  component_id: string
  status: SettableStatus
}

/** The incidents of a page, to be filtered, with the components in the order of the page. */
export const selectPosts = (em: EntityManager, tenant: { id: string }, pageId: string) =>
  queries(em)
    .selectFrom('status_page_posts as p')
    .where('p.tenant_id', '=', tenant.id)
    .where('p.page_id', '=', pageId)
    .select([
      'p.id',
      'p.incident_id',
      'p.title',
      'p.impact',
      'p.phase',
      'p.counts_as_downtime',
      'p.postmortem',
      'p.created_by',
    ])
    .select(({ ref }) => [
      sql<PostComponent[]>`coalesce((
        select jsonb_agg(jsonb_build_object('component_id', pc.component_id, 'status', pc.status)
          order by c.position, c.id)
        from status_page_post_components pc join status_page_components c on c.id = pc.component_id
        where pc.post_id = ${ref('p.id')}), '[]')`.as('components'),
      sql<string[]>`array(
        select pc.name from status_page_post_components pc
        where pc.post_id = ${ref('p.id')} and pc.name is not null
          and not exists (select from status_page_components c where c.id = pc.component_id)
        order by ${namesOf('pc.name')}, pc.component_id)`.as('former_components'),
      stamp(ref('p.started_at')).as('started_at'),
      stamp(ref('p.resolved_at')).as('resolved_at'),
      stamp(ref('p.postmortem_published_at')).as('postmortem_published_at'),
      stamp(ref('p.created_at')).as('created_at'),
      stamp(ref('p.updated_at')).as('updated_at'),
    ])

/** An incident of this page, or a 404. */
export async function findPost(
  em: EntityManager,
  tenant: { id: string },
  page: { id: string },
  id: string,
): Promise<PostRow> {
  const row = await selectPosts(em, tenant, page.id).where('p.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Incident of the page')
  return row
}

/** The updates of an incident of a page, to be filtered. */
export const selectUpdates = (em: EntityManager, tenant: { id: string }, postId: string) =>
  queries(em)
    .selectFrom('status_page_updates as u')
    .where('u.tenant_id', '=', tenant.id)
    .where('u.post_id', '=', postId)
    .select(['u.id', 'u.phase', 'u.body', 'u.notify_subscribers', 'u.created_by'])
    .select(({ ref }) => [stamp(ref('u.at')).as('at'), stamp(ref('u.updated_at')).as('updated_at')])

export async function findUpdate(
  em: EntityManager,
  tenant: { id: string },
  post: { id: string },
  id: string,
): Promise<UpdateRow> {
  const row = await selectUpdates(em, tenant, post.id).where('u.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Update')
  return row
}
