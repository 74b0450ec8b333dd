import { performance } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

interface Limits {
  /** The time between two samples of how much the process does. */
  everyMs: number
  /** Samples in a row in which it must do next to nothing. */
  samples: number
  /** The share of the time in which it computes, from which on it is not at rest. */
  busyFrom: number
  /** The least time between two collections. */
  apartMs: number
  /** After the first, how much the heap must have grown since the one before. */
  growth: number
}

/**
 * Gives memory back to the system once the process is at rest: one full collection after the start, and later ones
 * only after the heap has grown. The engine's own collections keep the pages that were freed, and its memory reducer,
 * which gives them back, marks the heap of a process at rest every 20 s in vain. A collection stops the process for
 * some tenths of a second, so a busy process makes none. Returns the end of it.
 */
export function keepSmallAtRest({
  everyMs = 15_000,
  samples = 3,
  busyFrom = 0.1,
  apartMs = 300_000,
  growth = 1.2,
}: Partial<Limits> = {}): () => void {
  let before = performance.eventLoopUtilization()
  let quiet = 0
  let last: { at: number; bytes: number } | undefined
  const sample = () => {
    const now = performance.eventLoopUtilization()
    quiet = performance.eventLoopUtilization(now, before).utilization < busyFrom ? quiet + 1 : 0
    before = now
    if (quiet < samples) return
    const hasGrown =
      !last || (performance.now() - last.at > apartMs && getHeapStatistics().total_physical_size > last.bytes * growth)
    if (!hasGrown) return
    collect()
    last = { at: performance.now(), bytes: getHeapStatistics().total_physical_size }
    before = performance.eventLoopUtilization()
  }
  const timer = setInterval(sample, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** The one kind of collection that also gives back the pages that the engine keeps for later. */
function collect(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as NodeJS.GCFunction
  setFlagsFromString('--no-expose-gc')
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
