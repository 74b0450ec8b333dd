import { historyOf, type ReadOutage } from './history.ts'
import { leftOut } from './shapes.ts'
import type { History } from './source.ts'
import { SourceError, type SourceInput, type SourceItem } from './source.ts'

/** Pages of outages that are read of one source. */
const mostPages = 40

/** The outages of a source by the monitors' ids there. */
export interface Past {
  byMonitor: ReadonlyMap<string, readonly ReadOutage[]>
  /** Since when they are whole, where older ones were left unread. */
  since: number | null
}

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

const unread = (why: string): SourceItem =>
  leftOut({ kind: 'other', sourceId: 'list of incidents', sourceKind: 'incidents', name: 'Past incidents' }, why)

/**
 * The past of a source. A key or a plan that does not show it is said in one item; it does not end the preview.
 */
export async function pastOf(read: () => Promise<Past>): Promise<{ past: Past | null; items: SourceItem[] }> {
  try {
    return { past: await read(), items: [] }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return { past: null, items: [unread(`They were not read. ${error.message}`)] }
  }
}

/** What is imported of the past of one monitor; null where the source did not show it. Moments in milliseconds. */
export const historyIn = (
  past: Past | null,
  { id, createdAt, isEnabled }: { id: string; createdAt: number | null; isEnabled: boolean },
  now: number,
): History | null =>
  past &&
  historyOf({
    outages: past.byMonitor.get(id) ?? [],
    since: createdAt === null ? null : Math.max(createdAt, past.since ?? 0),
    until: isEnabled ? now : null,
    now,
  })

/** Requests that stay for what is read after the past, and how long it is read. */
const reserve = 20
const mostMs = 180_000

/**
 * The items of a source that is asked for the past of each monitor by itself, with their past: as many of them as its
 * bound of requests allows, and up to the first that it refuses. The rest is said in one item.
 */
export async function withPastOfEach(
  { reach, progress }: Pick<SourceInput, 'reach' | 'progress'>,
  items: readonly SourceItem[],
  read: (sourceId: string, now: number) => Promise<{ outages: readonly ReadOutage[]; since: number | null }>,
): Promise<SourceItem[]> {
  const now = Date.now()
  const histories = new Map<SourceItem, History | null>()
  const asked = items.filter(({ wanted }) => wanted !== null)
  const until = performance.now() + mostMs
  let why = ''
  for (const item of asked) {
    if (reach.left() <= reserve || performance.now() > until) {
      why = 'More requests, or more time, would be needed than one source is given.'
      break
    }
    try {
      const past = await read(item.sourceId, now)
      histories.set(item, historyOf({ ...past, until: item.isEnabled ? now : null, now }))
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      why = error.message
      break
    }
    await progress(items.length + histories.size, items.length + asked.length)
  }
  const missing = asked.length - histories.size
  return [
    ...items.map(item => ({ ...item, history: histories.get(item) ?? null })),
    ...(missing > 0 ? [unread(`Those of ${missing} monitors were not read. ${why}`)] : []),
  ]
}
