import { z } from 'zod'
import { historyOf, momentOf, outagesBetween, type StatusChange } from '#importers/history.ts'
import { number, text } from '#importers/shapes.ts'
import type { History } from '#importers/source.ts'

const Beat = z.object({ monitor_id: number, status: number, msg: text(300), time: text(40) }).partial()
const Span = z.object({ monitor_id: number, first: text(40), last: text(40) })
const down = 0
/** As many as are read of a file: then some may be missing, of any monitor. */
const mostBeats = 200_000

/**
 * The past of each monitor by its heartbeats that changed a status: it is down from one of status 0 until one of
 * another, and known from its first heartbeat in the file to its last.
 */
export function historiesOf(
  beats: readonly unknown[],
  spans: readonly unknown[],
  now: number,
): (monitor: number) => History | null {
  const changes = new Map<number, StatusChange[]>()
  for (const row of beats) {
    const { monitor_id, status, msg, time } = Beat.parse(row)
    const at = momentOf(time ?? null)
    if (monitor_id == null || status == null || Number.isNaN(at)) continue
    const known = changes.get(monitor_id)
    const change = { at, isDown: status === down, cause: msg ?? null }
    if (known) known.push(change)
    else changes.set(monitor_id, [change])
  }
  const known = new Map(spans.map(row => Span.parse(row)).map(({ monitor_id, ...span }) => [monitor_id, span]))
  return monitor => {
    const span = known.get(monitor)
    if (!span || beats.length >= mostBeats) return null
    const [since, until] = [momentOf(span.first), momentOf(span.last)]
    if (Number.isNaN(since) || Number.isNaN(until)) return null
    return historyOf({ outages: outagesBetween(changes.get(monitor) ?? []), since, until, now })
  }
}
