import { sql } from 'kysely'
import { type Db, queries } from '#control-plane/db/queries.ts'

/**
 * The notice of PostgreSQL that a page changed or is gone. Its payload is JSON: `page`, the id, and `slug`, an address
 * that the page has or had; without a slug only content of the page changed. `shown` is the slug of a page whose
 * monitors changed their state, `tenant` a team or reseller whose pages show something else, `ended` whether the team
 * is deleted. It is sent once the transaction commits.
 */
export const statusPageNotice = 'status_pages'

/**
 * Marks the content of a page as changed, so that processes that serve it render it again. Every change that visitors
 * can see calls it, in its transaction. A trigger of the table sends the notice.
 */
export async function touchPage(db: Db, pageId: string): Promise<void> {
  await queries(db)
    .updateTable('status_pages')
    .set({ content_changed_at: sql<string>`clock_timestamp()` })
    .where('id', '=', pageId)
    .execute()
}
