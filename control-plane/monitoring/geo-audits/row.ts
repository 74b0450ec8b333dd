import type { EntityManager } from '@mikro-orm/postgresql'
import { notFound } from '#control-plane/base/refusal.ts'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import type { RegionResult } from './results.ts'

/** A region that was to look, and whether an agent of it was there to be asked. */
export interface AskedRegion {
  region: string
  has_agent: boolean
}

export interface GeoAuditRow {
  id: string
  monitor_id: string
  check_id: string
  check_type: string
  regions: AskedRegion[]
  results: RegionResult[] | null
  created_at: string
  completed_at: string | null
  /** Seconds since it was asked for, by the database's clock. */
  age_s: number
}

/** Columns of `GeoAuditRow`, of `geo_audits` known as `g`. */
export const selectGeoAudits = `g.id, g.monitor_id, g.check_id, g.check_type, g.regions, g.results, ${stampSql('g.created_at')} as created_at,
  ${stampSql('g.completed_at')} as completed_at, extract(epoch from clock_timestamp() - g.created_at)::float8 as age_s`

export async function findGeoAudit(em: EntityManager, tenant: { id: string }, id: string): Promise<GeoAuditRow> {
  const [row] = await em.execute<GeoAuditRow[]>(
    `select ${selectGeoAudits} from geo_audits g where g.id = ? and g.tenant_id = ?`,
    [id, tenant.id],
  )
  if (!row) throw notFound('Geo audit')
  return row
}
