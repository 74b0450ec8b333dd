import type { EntityManager } from '@mikro-orm/postgresql'
import { type InferResult, sql } from 'kysely'
import { notFound } from '#control-plane/base/refusal.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'

export type PageRow = InferResult<ReturnType<typeof selectPages>>[number]

/** The pages of a tenant, to be filtered. */
export const selectPages = (em: EntityManager, tenant: { id: string }) =>
  queries(em)
    .selectFrom('status_pages as s')
    .where('s.tenant_id', '=', tenant.id)
    .select([
      's.id',
      's.name',
      's.slug',
      's.description',
      's.state',
      's.access',
      's.allowed_email_domains',
      's.allowed_ips',
      's.locale',
      's.locales',
      's.timezone',
      's.history_days',
      's.show_uptime',
      's.show_response',
      's.show_values',
      's.uptime_mode',
      's.min_incident_minutes',
      's.noindex',
      's.hide_powered_by',
      's.theme',
      's.primary_color',
      's.logo_url',
      's.logo_url_dark',
      's.header_links',
      's.footer_links',
      's.texts',
    ])
    .select(({ ref }) => [
      sql<boolean>`${ref('s.password_hash')} is not null`.as('has_password'),
      stamp(ref('s.content_changed_at')).as('content_changed_at'),
      stamp(ref('s.created_at')).as('created_at'),
      stamp(ref('s.updated_at')).as('updated_at'),
    ])

/** A page of this tenant, or a 404. */
export async function findPage(em: EntityManager, tenant: { id: string }, id: string): Promise<PageRow> {
  const row = await selectPages(em, tenant).where('s.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Status page')
  return row
}

/** The same, and locks it: changes of one page and all it has are made one after the other. */
export async function lockPage(em: EntityManager, tenant: { id: string }, id: string): Promise<PageRow> {
  const row = await selectPages(em, tenant).where('s.id', '=', id).forUpdate('s').executeTakeFirst()
  if (!row) throw notFound('Status page')
  return row
}
