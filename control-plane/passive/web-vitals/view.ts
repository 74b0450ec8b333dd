import { z } from 'zod'
import type { Row } from '#control-plane/db/queries.ts'
import { snippetFor } from './snippet.ts'

export const BeaconView = z
  .object({
    monitor_id: z.uuid(),
    url: z.string(),
    snippet: z.string().meta({ description: 'For the head of every page.' }),
    created_at: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'WebVitalsBeacon' })

export type BeaconRow = Row<'vitals_beacons', 'monitor_id' | 'beacon_id' | 'created_at'>

export function viewBeacon(
  { monitor_id, beacon_id, created_at }: BeaconRow,
  origin: string,
): z.input<typeof BeaconView> {
  const url = `${origin}/api/vitals/${beacon_id}`
  return { monitor_id, url, snippet: snippetFor(url), created_at }
}
