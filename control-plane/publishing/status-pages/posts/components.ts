import type { EntityManager } from '@mikro-orm/postgresql'
import type { SettableStatus } from '#contract/status-page.ts'
import { type FieldErrors, invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { type ComponentRow, readComponents } from '#control-plane/publishing/status-pages/components/row.ts'
import { insertConcerned } from '#control-plane/publishing/status-pages/insert.ts'

export interface Concerned {
  component_id: string
  status: SettableStatus
}

/**
 * Makes the components of a post those of the list. The page is locked, so that none of them is deleted meanwhile.
 * `follow`: their state is that of their monitors, and not what the post says.
 */
export async function writeConcerned(
  em: EntityManager,
  tenant: { id: string },
  { page, post }: { page: { id: string }; post: { id: string } },
  concerned: readonly Concerned[],
  { follow = false }: { follow?: boolean } = {},
): Promise<void> {
  const known = new Map((await readComponents(em, tenant, page.id)).map(({ id, name }) => [id, name]))
  const errors: FieldErrors = {}
  for (const [index, { component_id }] of concerned.entries())
    if (!known.has(component_id)) errors[`components.${index}.component_id`] = ['The page has no such component.']
  if (Object.keys(errors).length > 0) throw invalid(errors)
  await queries(em)
    .deleteFrom('status_page_post_components')
    .where('tenant_id', '=', tenant.id)
    .where('post_id', '=', post.id)
    .execute()
  await insertConcerned(
    { em, tenant },
    page,
    concerned.map(({ component_id, status }) => ({
      ...{ post_id: post.id, component_id, status, follows: follow },
      name: known.get(component_id) ?? null,
    })),
  )
}

/** The components of a page that show this monitor, by itself or in its group, as they are while it is down. */
export async function concernedBy(
  em: EntityManager,
  tenant: { id: string },
  page: { id: string },
  monitorId: string,
): Promise<Concerned[]> {
  const monitor = await queries(em)
    .selectFrom('monitors')
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', monitorId)
    .select('group_name')
    .executeTakeFirst()
  const shows = (component: ComponentRow) =>
    component.monitor_id === monitorId ||
    (component.monitor_group !== null && component.monitor_group === monitor?.group_name)
  return (await readComponents(em, tenant, page.id))
    .filter(shows)
    .map(({ id, status_when_down }) => ({ component_id: id, status: status_when_down }))
}
