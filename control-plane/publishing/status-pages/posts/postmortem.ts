import { z } from 'zod'
import { text } from '#contract/line.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent, ok } from '#control-plane/http/reply.ts'
import { mayWrite } from '#control-plane/publishing/status-pages/access.ts'
import { lockPage } from '#control-plane/publishing/status-pages/row.ts'
import { touchPage } from '#control-plane/publishing/status-pages/touch.ts'
import { findPost } from './row.ts'
import { PostView } from './view.ts'

const path = '/status-pages/{status_page}/posts/{post}/postmortem'

export const setPostmortem = endpoint({
  method: 'PUT',
  path,
  operation: 'statusPages.postmortems.set',
  summary: 'Write the postmortem of an incident of a status page',
  description:
    'Also publishes it. ' + 'It can be prepared at any time, and is published when the incident is resolved.',
  access: mayWrite,
  body: z.object({
    body: text(20_000, 1).meta({ description: 'Markdown.' }),
    is_published: z.boolean().default(false),
  }),
  returns: ok({ data: PostView }),

  async handle({ em, tenant, params, body, now, audit }) {
    const page = await lockPage(em, tenant, params.status_page)
    const before = await findPost(em, tenant, page, params.post)
    if (body.is_published && before.phase !== 'resolved')
      throw invalid({ is_published: ['The incident is not resolved yet.'] }, 'incident_open')
    await queries(em)
      .updateTable('status_page_posts')
      .set({
        postmortem: body.body,
        postmortem_published_at: body.is_published ? (before.postmortem_published_at ?? now.toISOString()) : null,
        updated_at: now.toISOString(),
      })
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', before.id)
      .execute()
    const after = await findPost(em, tenant, page, before.id)
    await touchPage(em, page.id)
    const is_published = {
      before: before.postmortem_published_at !== null,
      after: after.postmortem_published_at !== null,
    }
    audit('status_page.postmortem_written', { type: 'status_page', id: page.id }, { post_id: before.id, is_published })
    return { data: after }
  },
})

export const deletePostmortem = endpoint({
  method: 'DELETE',
  path,
  operation: 'statusPages.postmortems.delete',
  summary: 'Delete the postmortem of an incident of a status page',
  access: mayWrite,
  returns: noContent,

  async handle({ em, tenant, params, now, audit }) {
    const page = await lockPage(em, tenant, params.status_page)
    const { id, postmortem } = await findPost(em, tenant, page, params.post)
    if (postmortem === null) return
    await queries(em)
      .updateTable('status_page_posts')
      .set({ postmortem: null, postmortem_published_at: null, updated_at: now.toISOString() })
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', id)
      .execute()
    await touchPage(em, page.id)
    audit('status_page.postmortem_deleted', { type: 'status_page', id: page.id }, { post_id: id })
  },
})
