import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'

/** Files that are no run's: the spool, the line to the control plane, the sockets of audits and crawls. */
const otherFiles = 512
/** A run has a socket, or the pipes of a program; a name of two families may have two. */
const filesEach = 2
/** What a run may hold at its largest: a TLS connection and an answer that is read. */
const bytesEach = 256 * 1_024
/** The rest is for results, audits and whatever else this machine does. */
const memoryShare = 1 / 4
const [least, most] = [100, 20_000]
const usualOpenFiles = 4_096

export interface Machine {
  /** Files that this process may have open; Node raises the soft limit to the hard one at its start. */
  openFiles: number
  memoryBytes: number
}

/** As many runs at once as sockets and memory allow. */
export function slotsOf({ openFiles, memoryBytes }: Machine): number {
  const bySockets = (openFiles - otherFiles) / filesEach
  const byMemory = (memoryBytes * memoryShare) / bytesEach
  return Math.min(most, Math.max(least, Math.floor(Math.min(bySockets, byMemory))))
}

export function thisMachine(): Machine {
  return { openFiles: openFilesOf(), memoryBytes: Math.min(totalmem(), process.constrainedMemory() || Infinity) }
}

/** As Linux tells it; elsewhere what every system allows. */
function openFilesOf(): number {
  try {
    return Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Infinity)
  } catch {
    return usualOpenFiles
  }
}
