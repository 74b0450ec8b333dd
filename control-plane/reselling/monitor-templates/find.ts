import type { EntityManager } from '@mikro-orm/postgresql'
import type { InferResult } from 'kysely'
import { notFound } from '#control-plane/base/refusal.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'

export type TemplateRow = InferResult<ReturnType<typeof selectTemplates>>[number]

export const selectTemplates = (em: EntityManager, reseller: { id: string }) =>
  queries(em)
    .selectFrom('monitor_templates as t')
    .where('t.tenant_id', '=', reseller.id)
    .select(['t.id', 't.name', 't.monitors', 't.variables'])
    .select(({ ref }) => [stamp(ref('t.created_at')).as('created_at'), stamp(ref('t.updated_at')).as('updated_at')])

/** A template of this reseller, if it exists. Templates of other resellers are not found. */
export async function loadTemplate(
  em: EntityManager,
  reseller: { id: string },
  id: string,
  lock: '' | 'for update' = '',
): Promise<TemplateRow | undefined> {
  const found = selectTemplates(em, reseller).where('t.id', '=', id)
  return (lock === 'for update' ? found.forUpdate() : found).executeTakeFirst()
}

export async function findTemplate(
  em: EntityManager,
  reseller: { id: string },
  id: string,
  lock: '' | 'for update' = '',
): Promise<TemplateRow> {
  const row = await loadTemplate(em, reseller, id, lock)
  if (!row) throw notFound('Monitor template')
  return row
}
