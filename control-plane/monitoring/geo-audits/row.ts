import type { EntityManager } from '@mikro-orm/postgresql'
import { type InferResult, sql } from 'kysely'
import { notFound } from '#control-plane/base/refusal.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'

export type GeoAuditRow = InferResult<ReturnType<typeof selectGeoAudits>>[number]

/** Geo audits of this tenant. `age_s`: seconds since the request, by the database's clock. */
export const selectGeoAudits = (em: EntityManager, tenant: { id: string }) =>
  queries(em)
    .selectFrom('geo_audits as g')
    .where('g.tenant_id', '=', tenant.id)
    .select(['g.id', 'g.monitor_id', 'g.check_id', 'g.check_type', 'g.regions', 'g.results'])
    .select(({ ref }) => [
      stamp(ref('g.created_at')).as('created_at'),
      stamp(ref('g.completed_at')).as('completed_at'),
      sql<number>`extract(epoch from clock_timestamp() - g.created_at)::float8`.as('age_s'),
    ])

export async function findGeoAudit(em: EntityManager, tenant: { id: string }, id: string): Promise<GeoAuditRow> {
  const row = await selectGeoAudits(em, tenant).where('g.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Geo audit')
  return row
}
