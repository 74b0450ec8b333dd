import type { EntityManager } from '@mikro-orm/postgresql'
import type { InferResult } from 'kysely'
import { z } from 'zod'
import { phases } from '#contract/status-page.ts'
import { notFound } from '#control-plane/base/refusal.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'

const time = z.string().meta({ format: 'date-time' })

export const TemplateView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    phase: z.enum(phases),
    title: z.string().nullable(),
    body: z.string(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'StatusPageTemplate', description: 'A text prepared for updates of status pages.' })

type TemplateRow = InferResult<ReturnType<typeof selectTemplates>>[number]

/** The templates of a tenant, to be filtered. */
export const selectTemplates = (em: EntityManager, tenant: { id: string }) =>
  queries(em)
    .selectFrom('status_page_update_templates as t')
    .where('t.tenant_id', '=', tenant.id)
    .select(['t.id', 't.name', 't.phase', 't.title', 't.body'])
    .select(({ ref }) => [stamp(ref('t.created_at')).as('created_at'), stamp(ref('t.updated_at')).as('updated_at')])

/** A template of this tenant, or a 404. */
export async function findTemplate(em: EntityManager, tenant: { id: string }, id: string): Promise<TemplateRow> {
  const row = await selectTemplates(em, tenant).where('t.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Template')
  return row
}

/** The same, and locks it. */
export async function lockTemplate(em: EntityManager, tenant: { id: string }, id: string): Promise<TemplateRow> {
  const row = await selectTemplates(em, tenant).where('t.id', '=', id).forUpdate('t').executeTakeFirst()
  if (!row) throw notFound('Template')
  return row
}
