import type { RequestContext } from '#control-plane/http/endpoint.ts'
import type { PostRow } from './posts/row.ts'
import type { PageRow } from './row.ts'
import { pageUrl } from './view.ts'

type Context = Pick<RequestContext, 'emit'>

const fieldsOf = (page: PageRow, origin: string) => ({
  status_page_id: page.id,
  status_page_name: page.name,
  status_page_url: pageUrl(page, origin),
})

/** Publishes inside the team that visitors can see a page now. */
export const emitPublished = (context: Context, page: PageRow, origin: string): void =>
  context.emit('status_page.published', fieldsOf(page, origin))

/** Publishes inside the team what visitors of a page can read now. Of a draft they can read nothing. */
export function emitPost(
  context: Context,
  event: 'status_page.incident_posted' | 'status_page.incident_updated',
  { page, post, body, origin }: { page: PageRow; post: PostRow; body: string; origin: string },
): void {
  if (page.state !== 'published') return
  const { incident_id, title, impact, phase, started_at, resolved_at } = post
  context.emit(event, {
    ...fieldsOf(page, origin),
    post_id: post.id,
    incident_id,
    title,
    impact,
    phase,
    body,
    started_at,
    resolved_at,
  })
}
