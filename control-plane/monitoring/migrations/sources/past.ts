import type { ReadOutage } from './history.ts'
import { leftOut } from './shapes.ts'
import { SourceError, type SourceItem } from './source.ts'

/** Pages of outages that are read of one source. */
const mostPages = 40

/** The outages of a source by the monitors' ids there. */
export interface Past {
  byMonitor: ReadonlyMap<string, readonly ReadOutage[]>
  /** Since when they are whole, where older ones were left unread. */
  since: number | null
}

export const noPast: Past = { byMonitor: new Map(), since: null }

interface Named {
  monitor: string | null
  outage: ReadOutage
}

/** Reads a list of outages that has the newest first, up to a number of pages. */
export async function readPast(
  read: (cursor: string | null) => Promise<{ page: Named[]; next: string | null }>,
): Promise<Past> {
  const byMonitor = new Map<string, ReadOutage[]>()
  let oldest = Number.POSITIVE_INFINITY
  let cursor: string | null = null
  const seen = new Set<string>()
  for (let pages = 1; ; pages++) {
    const { page, next }: { page: Named[]; next: string | null } = await read(cursor)
    for (const { monitor, outage } of page) {
      if (Number.isFinite(outage.start)) oldest = Math.min(oldest, outage.start)
      if (monitor !== null) byMonitor.set(monitor, [...(byMonitor.get(monitor) ?? []), outage])
    }
    if (next === null) return { byMonitor, since: null }
    if (seen.has(next) || pages === mostPages) return { byMonitor, since: oldest }
    seen.add(next)
    cursor = next
  }
}

/**
 * The past of a source. A key or a plan that does not show it is said in one item; it does not end the preview.
 */
export async function pastOf(read: () => Promise<Past>): Promise<{ past: Past | null; items: SourceItem[] }> {
  try {
    return { past: await read(), items: [] }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    const item = {
      kind: 'other',
      sourceId: 'list of incidents',
      sourceKind: 'incidents',
      name: 'Past incidents',
    } as const
    return { past: null, items: [leftOut(item, `They were not read. ${error.message}`)] }
  }
}
