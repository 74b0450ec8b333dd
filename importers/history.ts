import { oneLine } from './shapes.ts'
import type { History } from './source.ts'

/** Bounds of what is imported of the past. */
export const historyLimits = { days: 90, incidents: 100, causeChars: 300, idChars: 255 } as const

/** An outage as it was read, in milliseconds; `end` is null while it lasts. */
export interface ReadOutage {
  id: string | null
  start: number
  end: number | null
  cause?: string | null
}

interface Read {
  outages: readonly ReadOutage[]
  /** Since when all outages of the monitor are among these; null: it is not known since when it was watched. */
  since: number | null
  /** Until when: the moment of reading, if it is watched; null: it is paused, since a moment that is not known. */
  until: number | null
  now: number
}

const dayMs = 86_400_000

/** The earliest moment of which anything is imported. */
export const historyStart = (now: number): number => now - historyLimits.days * dayMs

/**
 * What is imported of the outages of a monitor: at most the last ninety days, and of those the newest hundred outages.
 * The time in which all outages are known becomes shorter where some are left out, and ends where one lasts.
 */
export function historyOf({ outages, since, until, now }: Read): History | null {
  const earliest = historyStart(now)
  const valid = outages.filter(({ start, end }) => Number.isFinite(start) && start < now && (end ?? now) > start)
  const watchedUntil = until ?? Math.max(earliest, ...valid.map(({ end }) => end ?? earliest))
  const lasting = Math.min(now, watchedUntil, ...valid.filter(({ end }) => end === null).map(({ start }) => start))
  const ended = valid
    .flatMap(outage =>
      outage.end !== null && outage.end <= now && outage.end > earliest ? [{ ...outage, end: outage.end }] : [],
    )
    .sort((a, b) => b.start - a.start)
  const shown = ended.slice(0, historyLimits.incidents)
  // before the end of an outage that is left out, others may be missing
  const leftOut = ended.slice(historyLimits.incidents).map(({ end }) => end)
  const known = since ?? Math.min(lasting, ...shown.map(({ start }) => start))
  const from = Math.max(earliest, known, ...leftOut)
  if (from >= lasting && shown.length === 0) return null
  return {
    from: iso(Math.min(from, lasting)),
    until: iso(lasting),
    incidents: shown.map(({ id, start, end, cause }) => ({
      id: (id || iso(start)).slice(0, historyLimits.idChars),
      startedAt: iso(start),
      resolvedAt: iso(end),
      cause: oneLine(cause ?? '', historyLimits.causeChars) || null,
    })),
  }
}

/** A moment from which a monitor was down, or was not. */
export interface StatusChange {
  at: number
  isDown: boolean
  cause?: string | null
}

/** The outages between changes of a status. */
export function outagesBetween(changes: readonly StatusChange[]): ReadOutage[] {
  const outages: ReadOutage[] = []
  let began: StatusChange | null = null
  for (const change of changes.filter(({ at }) => Number.isFinite(at)).sort((a, b) => a.at - b.at)) {
    if (began && !change.isDown)
      outages.push({ id: iso(began.at), start: began.at, end: change.at, cause: began.cause ?? null })
    if (!change.isDown) began = null
    else began ??= change
  }
  if (began) outages.push({ id: null, start: began.at, end: null })
  return outages
}

const iso = (at: number) => new Date(at).toISOString()

/** The moment of a text of a source, in milliseconds; NaN for any other text. A text without a zone is UTC. */
export function momentOf(text: string | null): number {
  if (text === null) return Number.NaN
  const isWithoutZone = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?$/.test(text)
  return Date.parse(isWithoutZone ? `${text.replace(' ', 'T')}Z` : text)
}
