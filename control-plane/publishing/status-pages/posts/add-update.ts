import { randomUUID } from 'node:crypto'
import { Sentence } from '#contract/sentence.ts'
import type { Phase } from '#contract/status-page.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries, total } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { limits } from '#control-plane/publishing/status-pages/access.ts'
import { insertUpdates } from '#control-plane/publishing/status-pages/insert.ts'
import type { PageRow } from '#control-plane/publishing/status-pages/row.ts'

interface NewUpdate {
  phase: Phase
  body: string
  notify_subscribers: boolean
}

/** Adds an update to a post of a locked page. Its subscribers are notified if the page is published now. */
export async function addUpdate(
  context: Pick<RequestContext, 'em' | 'tenant' | 'now' | 'caller'>,
  page: Pick<PageRow, 'state'>,
  post: { id: string },
  update: NewUpdate,
): Promise<string> {
  const { em, tenant, now, caller } = context
  const updates = queries(em)
    .selectFrom('status_page_updates')
    .where('tenant_id', '=', tenant.id)
    .where('post_id', '=', post.id)
  const count = await updates.select(total).executeTakeFirstOrThrow()
  if (count.total >= limits.updates)
    throw invalid({ body: [new Sentence('An incident has at most {n} updates.', { n: limits.updates })] })
  const id = randomUUID()
  await insertUpdates(context, [
    {
      id,
      post_id: post.id,
      phase: update.phase,
      body: update.body,
      at: now.toISOString(),
      created_by: caller.user?.id ?? null,
      notify_subscribers: update.notify_subscribers && page.state === 'published',
    },
  ])
  return id
}
