import { z } from 'zod'
import type { Config } from '#control-plane/config.ts'
import { snippetFor } from './snippet.ts'

export const BeaconView = z
  .object({
    monitor_id: z.uuid(),
    url: z.string(),
    snippet: z.string().meta({ description: 'Goes into the head of every page.' }),
    created_at: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'WebVitalsBeacon' })

export interface BeaconRow {
  monitor_id: string
  beacon_id: string
  created_at: string
}

export function viewBeacon(
  { monitor_id, beacon_id, created_at }: BeaconRow,
  { baseUrl }: Pick<Config, 'baseUrl'>,
): z.input<typeof BeaconView> {
  const url = `${baseUrl}/api/vitals/${beacon_id}`
  return { monitor_id, url, snippet: snippetFor(url), created_at }
}
