import { z } from 'zod'
import { Sentence } from '#contract/sentence.ts'
import { queries, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { created, offsetPage, ok } from '#control-plane/http/reply.ts'
import { limits, mayRead, mayWrite } from '#control-plane/publishing/status-pages/access.ts'
import { emitPost } from '#control-plane/publishing/status-pages/events.ts'
import { findPage, lockPage } from '#control-plane/publishing/status-pages/row.ts'
import { touchPage } from '#control-plane/publishing/status-pages/touch.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { addUpdate } from './add-update.ts'
import { writeConcerned } from './components.ts'
import { Body, NewUpdate } from './input.ts'
import { findPost, findUpdate, selectUpdates } from './row.ts'
import { UpdateView } from './view.ts'

export const postUpdate = endpoint({
  method: 'POST',
  path: '/status-pages/{status_page}/posts/{post}/updates',
  summary: 'Post an update on an incident of a status page',
  description:
    'With its phase. ' +
    'In the phase `resolved` the incident ends now; in another one it is open, also after it was resolved. ' +
    new Sentence('An incident has at most {n} updates.', { n: limits.updates }),
  access: mayWrite,
  body: NewUpdate,
  returns: created({ data: UpdateView }),

  async handle(context) {
    const { em, tenant, params, body, now, services, audit } = context
    const page = await lockPage(em, tenant, params.status_page)
    const post = await findPost(em, tenant, page, params.post)
    const id = await addUpdate(context, page, post, body)
    const isResolved = body.phase === 'resolved'
    await queries(em)
      .updateTable('status_page_posts')
      .set({ phase: body.phase, updated_at: now.toISOString() })
      .$if(!isResolved, query => query.set({ resolved_at: null }))
      .$if(isResolved && post.resolved_at === null, query => query.set({ resolved_at: now.toISOString() }))
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', post.id)
      .execute()
    if (body.components) await writeConcerned(em, tenant, { page, post }, body.components)
    await touchPage(em, page.id)
    audit(
      'status_page.update_posted',
      { type: 'status_page', id: page.id },
      { post_id: post.id, update_id: id, phase: { before: post.phase, after: body.phase } },
    )
    const after = await findPost(em, tenant, page, post.id)
    emitPost(context, 'status_page.incident_updated', {
      page,
      post: after,
      body: body.body,
      origin: await keptOriginOf(services, tenant.id),
    })
    return { data: await findUpdate(em, tenant, post, id) }
  },
})

export const listPostUpdates = endpoint({
  method: 'GET',
  path: '/status-pages/{status_page}/posts/{post}/updates',
  summary: 'List the updates of an incident of a status page',
  description: 'Oldest first.',
  access: mayRead,
  query: offsetQuery(),
  returns: offsetPage(UpdateView),

  async handle({ em, tenant, params, query, url }) {
    const page = await findPage(em, tenant, params.status_page)
    const post = await findPost(em, tenant, page, params.post)
    const count = await queries(em)
      .selectFrom('status_page_updates')
      .where('tenant_id', '=', tenant.id)
      .where('post_id', '=', post.id)
      .select(total)
      .executeTakeFirstOrThrow()
    const data = await selectUpdates(em, tenant, post.id)
      .orderBy('u.at')
      .orderBy('u.id')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute()
    return { data, ...offsetParts(query, count.total, url) }
  },
})

export const editPostUpdate = endpoint({
  method: 'PATCH',
  path: '/status-pages/{status_page}/posts/{post}/updates/{update}',
  summary: 'Correct the text of an update',
  description: 'Subscribers are not notified again.',
  access: mayWrite,
  body: z.object({ body: Body }),
  returns: ok({ data: UpdateView }),

  async handle({ em, tenant, params, body, now, audit }) {
    const page = await lockPage(em, tenant, params.status_page)
    const post = await findPost(em, tenant, page, params.post)
    const before = await findUpdate(em, tenant, post, params.update)
    if (before.body === body.body) return { data: before }
    await queries(em)
      .updateTable('status_page_updates')
      .set({ body: body.body, updated_at: now.toISOString() })
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', before.id)
      .execute()
    await touchPage(em, page.id)
    audit(
      'status_page.update_corrected',
      { type: 'status_page', id: page.id },
      { post_id: post.id, update_id: before.id, body: { before: before.body, after: body.body } },
    )
    return { data: await findUpdate(em, tenant, post, before.id) }
  },
})
