import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { ComponentStatus } from '#control-plane/db/model/status-page-values.ts'
import { queries, type Row, rows } from '#control-plane/db/queries.ts'
import type { PagePost } from '#control-plane/publishing/status-pages/render/model.ts'

const mostPosts = 200
const mostUpdates = 100
/** Bytes of the updates of all incidents of a page together, and of their postmortems: older ones are left out beyond it. */
const mostBytes = 400_000
/** What an update takes beside its text. */
const aroundBytes = 200

export interface StoredPost extends PagePost {
  components: readonly (PagePost['components'][number] & { follows: boolean })[]
  countsAsDowntime: boolean
  isIncidentOver: boolean
}

/** The incidents of a page that are open or began after a moment, newest first, with their updates: two statements. */
export async function readPosts(platform: Pool, pageId: string, since: Date): Promise<StoredPost[]> {
  const db = queries(platform)
  const posts = await db
    .selectFrom('status_page_posts as p')
    .where('p.page_id', '=', pageId)
    .where(({ or, eb }) => or([eb('p.phase', '<>', 'resolved'), eb('p.started_at', '>=', since.toISOString())]))
    .orderBy('p.started_at', 'desc')
    .orderBy('p.id', 'desc')
    .limit(mostPosts)
    .select([
      'p.id',
      'p.title',
      'p.impact',
      'p.phase',
      'p.counts_as_downtime',
      'p.started_at',
      'p.resolved_at',
      'p.incident_over_at',
      'p.created_at',
      'p.updated_at',
      'p.postmortem',
      'p.postmortem_published_at',
    ])
    .select(
      sql<{ id: string; name: string; status: ComponentStatus; follows: boolean }[]>`coalesce((
        select json_agg(json_build_object('id', pc.component_id, 'name', coalesce(c.name, pc.name, ''),
          'status', pc.status, 'follows', pc.follows) order by c.position, pc.component_id)
        from status_page_post_components pc left join status_page_components c on c.id = pc.component_id
        where pc.post_id = p.id), '[]')`.as('components'),
    )
    .execute()
  const updates = await readUpdates(
    platform,
    posts.map(({ id }) => id),
  )
  let left = mostBytes
  const fits = (text: string) => {
    left -= Buffer.byteLength(text)
    return left >= 0
  }
  return posts.map(post => {
    const own = updates.get(post.id) ?? []
    const postmortem = post.postmortem_published_at === null ? null : post.postmortem
    return {
      id: post.id,
      title: post.title,
      impact: post.impact,
      phase: post.phase,
      countsAsDowntime: post.counts_as_downtime,
      isIncidentOver: post.incident_over_at !== null,
      startedAt: msOf(post.started_at),
      resolvedAt: post.resolved_at === null ? null : msOf(post.resolved_at),
      createdAt: msOf(post.created_at),
      updatedAt: Math.max(msOf(post.updated_at), own[0]?.at ?? 0),
      postmortem: postmortem !== null && fits(postmortem) ? postmortem : null,
      postmortemAt: post.postmortem_published_at === null ? null : msOf(post.postmortem_published_at),
      components: post.components,
      updates: own,
    }
  })
}

async function readUpdates(platform: Pool, posts: readonly string[]) {
  const found = await rows(platform)<
    Row<'status_page_updates', 'post_id' | 'id' | 'body' | 'at'> & { phase: PagePost['phase'] }
  >`
    select post_id, id, phase, body, at from (
      select u.*, row_number() over (partition by u.post_id order by u.at desc, u.id desc) as n,
        sum(octet_length(u.body) + ${sql.lit(aroundBytes)}) over (order by u.at desc, u.id desc) as bytes
      from status_page_updates u where u.post_id = any(${posts}::uuid[])
    ) u where n <= ${sql.lit(mostUpdates)} and bytes <= ${sql.lit(mostBytes)} order by at desc, id desc`
  return Map.groupBy(
    found.map(({ at, ...row }) => ({ ...row, at: msOf(at) })),
    ({ post_id }) => post_id,
  ) as Map<string, PagePost['updates'][number][]>
}

export const msOf = (stamp: string): number => Date.parse(stamp)
