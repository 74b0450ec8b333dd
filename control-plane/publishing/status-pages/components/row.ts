import type { EntityManager } from '@mikro-orm/postgresql'
import type { InferResult } from 'kysely'
import { notFound } from '#control-plane/base/refusal.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'

export type ComponentRow = InferResult<ReturnType<typeof selectComponents>>[number]

const selectComponents = (em: EntityManager, tenant: { id: string }, pageId: string) =>
  queries(em)
    .selectFrom('status_page_components as c')
    .where('c.tenant_id', '=', tenant.id)
    .where('c.page_id', '=', pageId)
    .select([
      'c.id',
      'c.type',
      'c.monitor_id',
      'c.monitor_group',
      'c.static_status',
      'c.name',
      'c.description',
      'c.group_id',
      'c.position',
      'c.show_history',
      'c.status_when_down',
    ])
    .select(({ ref }) => [stamp(ref('c.created_at')).as('created_at'), stamp(ref('c.updated_at')).as('updated_at')])

/** The components of a page in its order. */
export const readComponents = (em: EntityManager, tenant: { id: string }, pageId: string): Promise<ComponentRow[]> =>
  selectComponents(em, tenant, pageId).orderBy('c.position').orderBy('c.id').execute()

/** A component of this page, or a 404. */
export async function findComponent(
  em: EntityManager,
  tenant: { id: string },
  page: { id: string },
  id: string,
): Promise<ComponentRow> {
  const row = await selectComponents(em, tenant, page.id).where('c.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Component')
  return row
}
