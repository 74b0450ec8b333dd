import { createGeoAudit } from './create.ts'
import { getGeoAudit } from './get.ts'
import { listGeoAudits } from './list.ts'

export const geoAudits = [createGeoAudit, listGeoAudits, getGeoAudit]
