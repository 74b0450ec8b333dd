import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'
import type { RegionResult } from './results.ts'
import type { AskedRegion } from './row.ts'

/** Runs from all regions side by side. */
export const GeoAudit = defineEntity({
  name: 'GeoAudit',
  tableName: 'geo_audits',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    monitorId: p.uuid(),
    checkId: p.uuid(),
    checkType: p.string().length(40),
    regions: p.json<AskedRegion[]>(),
    results: p.json<RegionResult[]>().nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    completedAt: timestamp().nullable(),
  },
})
