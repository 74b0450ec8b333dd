import { isDeepStrictEqual } from 'node:util'
import { stamp } from '#contract/time.ts'
import { changesOf } from '#control-plane/base/changes.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mayWrite } from '#control-plane/publishing/status-pages/access.ts'
import { lockPage } from '#control-plane/publishing/status-pages/row.ts'
import { touchPage } from '#control-plane/publishing/status-pages/touch.ts'
import { writeConcerned } from './components.ts'
import { PostChanges, validateSpan } from './input.ts'
import { findPost, type PostRow } from './row.ts'
import { PostView } from './view.ts'

const names = ['title', 'impact', 'counts_as_downtime', 'components', 'started_at', 'resolved_at'] as const

export const updatePost = endpoint({
  method: 'PATCH',
  path: '/status-pages/{status_page}/posts/{post}',
  summary: 'Update an incident of a status page',
  description: 'Its phase follows its updates.',
  access: mayWrite,
  body: PostChanges,
  returns: ok({ data: PostView }),

  async handle({ em, tenant, params, body, now, audit }) {
    const page = await lockPage(em, tenant, params.status_page)
    const before = await findPost(em, tenant, page, params.post)
    if (body.resolved_at && before.phase !== 'resolved')
      throw invalid({ resolved_at: ['Only an incident in the phase resolved has an end.'] })
    if (body.started_at || body.resolved_at) validateSpan(spanOf(before, body), now)
    const after = {
      title: body.title ?? before.title,
      impact: body.impact ?? before.impact,
      counts_as_downtime: body.counts_as_downtime ?? before.counts_as_downtime,
      components: body.components ?? before.components,
      started_at: body.started_at ? stamp(body.started_at) : before.started_at,
      resolved_at: body.resolved_at ? stamp(body.resolved_at) : before.resolved_at,
    }
    const changed = names.filter(name => !isDeepStrictEqual(ordered(before[name]), ordered(after[name])))
    if (changed.length === 0) return { data: before }
    await queries(em)
      .updateTable('status_page_posts')
      .set({
        title: after.title,
        impact: after.impact,
        counts_as_downtime: after.counts_as_downtime,
        started_at: after.started_at,
        resolved_at: after.resolved_at,
        updated_at: now.toISOString(),
      })
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', before.id)
      .execute()
    if (changed.includes('components')) await writeConcerned(em, tenant, { page, post: before }, after.components)
    await touchPage(em, page.id)
    audit(
      'status_page.incident_updated',
      { type: 'status_page', id: page.id },
      {
        post_id: before.id,
        ...changesOf(changed, before, after),
      },
    )
    return { data: await findPost(em, tenant, page, before.id) }
  },
})

/** Components are the same in any order. */
const ordered = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(item => JSON.stringify(Object.entries(item).toSorted())).toSorted() : value

function spanOf(post: PostRow, changes: { started_at?: Date | undefined; resolved_at?: Date | undefined }) {
  const end = changes.resolved_at ?? post.resolved_at
  return {
    started_at: changes.started_at ?? new Date(post.started_at),
    resolved_at: end === null ? null : new Date(end),
  }
}
