import { z } from 'zod'
import { isPending } from './pending.ts'
import { RegionResult } from './results.ts'
import type { GeoAuditRow } from './row.ts'

const time = z.string().meta({ format: 'date-time' })
const states = ['answered', 'pending', 'silent', 'no_agent'] as const
const phaseNames = ['dns', 'connect', 'tls', 'first_byte', 'total'] as const

const Extreme = z.object({ region: z.string(), ms: z.number() })
const Comparison = z.object({
  phase: z.enum(phaseNames),
  fastest: Extreme,
  median_ms: z.number(),
  slowest: Extreme,
})

const shared = {
  id: z.uuid(),
  monitor_id: z.uuid(),
  check_id: z.uuid(),
  check_type: z.string(),
  status: z.enum(['pending', 'complete']),
  created_at: time,
  completed_at: time.nullable(),
}

export const GeoAuditView = z
  .object({
    ...shared,
    regions: z.array(
      z.object({
        region: z.string(),
        state: z
          .enum(states)
          .meta({ description: '`silent`: no answer within half a minute; `no_agent`: the region had no agent.' }),
        result: RegionResult.omit({ region: true }).nullable(),
      }),
    ),
    comparison: z
      .array(Comparison)
      .meta({ description: 'Each phase of the run, over the regions with a value for it.' }),
  })
  .meta({ id: 'GeoAudit' })

export const GeoAuditItem = z
  .object({ ...shared, regions_count: z.int(), answered_count: z.int() })
  .meta({ id: 'GeoAuditItem' })

const viewShared = (row: GeoAuditRow) => ({
  id: row.id,
  monitor_id: row.monitor_id,
  check_id: row.check_id,
  check_type: row.check_type,
  status: isPending(row) ? ('pending' as const) : ('complete' as const),
  created_at: row.created_at,
  completed_at: row.completed_at,
})

export const viewItem = (row: GeoAuditRow): z.input<typeof GeoAuditItem> => ({
  ...viewShared(row),
  regions_count: row.regions.length,
  answered_count: new Set(row.results?.map(({ region }) => region)).size,
})

export function viewGeoAudit(row: GeoAuditRow): z.input<typeof GeoAuditView> {
  const results = row.results ?? []
  const isOver = !isPending(row)
  return {
    ...viewShared(row),
    regions: row.regions.map(({ region, has_agent }) => {
      const found = results.find(result => result.region === region)
      const state = found ? 'answered' : !has_agent ? 'no_agent' : isOver ? 'silent' : 'pending'
      return { region, state, result: found ? withoutRegion(found) : null }
    }),
    comparison: compare(results),
  }
}

const withoutRegion = ({ region: _, ...result }: RegionResult) => result

/** The fastest and the slowest region of each phase that has a value. */
export function compare(results: readonly RegionResult[]): z.output<typeof Comparison>[] {
  return phaseNames.flatMap(phase => {
    const found = results.flatMap(({ region, phases }) => {
      const ms = phases[phase]
      return ms === null ? [] : [{ region, ms }]
    })
    const sorted = found.sort((a, b) => a.ms - b.ms)
    const [fastest, slowest] = [sorted[0], sorted.at(-1)]
    if (!fastest || !slowest) return []
    const [low, high] = [sorted[(sorted.length - 1) >> 1]!, sorted[sorted.length >> 1]!]
    return [{ phase, fastest, median_ms: Math.round(((low.ms + high.ms) / 2) * 1_000) / 1_000, slowest }]
  })
}
