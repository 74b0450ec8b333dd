import { timeoutS } from './results.ts'
import type { GeoAuditRow } from './row.ts'

/** Whether a region may still answer. */
export const isPending = ({ completed_at, age_s, regions, results }: GeoAuditRow) =>
  completed_at === null &&
  age_s < timeoutS &&
  regions.some(({ region, has_agent }) => has_agent && !results?.some(result => result.region === region))
