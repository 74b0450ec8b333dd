import type { EntityManager } from '@mikro-orm/postgresql'
import type { InferResult } from 'kysely'
import { notFound } from '#control-plane/base/refusal.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'

export type GroupRow = InferResult<ReturnType<typeof selectGroups>>[number]

const selectGroups = (em: EntityManager, tenant: { id: string }, pageId: string) =>
  queries(em)
    .selectFrom('status_page_groups as g')
    .where('g.tenant_id', '=', tenant.id)
    .where('g.page_id', '=', pageId)
    .select(['g.id', 'g.name', 'g.position', 'g.is_open'])
    .select(({ ref }) => [stamp(ref('g.created_at')).as('created_at'), stamp(ref('g.updated_at')).as('updated_at')])

/** The groups of a page in its order. */
export const readGroups = (em: EntityManager, tenant: { id: string }, pageId: string): Promise<GroupRow[]> =>
  selectGroups(em, tenant, pageId).orderBy('g.position').orderBy('g.id').execute()

/** A group of this page, or a 404. */
export async function findGroup(
  em: EntityManager,
  tenant: { id: string },
  page: { id: string },
  id: string,
): Promise<GroupRow> {
  const row = await selectGroups(em, tenant, page.id).where('g.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Group')
  return row
}
