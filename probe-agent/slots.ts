import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'

/** Files that do not belong to runs: the spool, the connection to the control plane, sockets of audits and crawls. */
const otherFiles = 512
/** A run has a socket, or the pipes of a process; a name with two families may have two sockets. */
const filesEach = 2
/** Memory of a large run: a TLS connection and a response being read. */
const bytesEach = 256 * 1_024
/** The rest is for results, audits and other processes of the machine. */
const memoryShare = 1 / 4
const [least, most] = [100, 20_000]
const defaultOpenFiles = 4_096

export interface Machine {
  /** Files this process may have open; Node raises the soft limit to the hard limit when it starts. */
  openFiles: number
  memoryBytes: number
}

/** As many concurrent runs as sockets and memory allow. */
export function slotsOf({ openFiles, memoryBytes }: Machine): number {
  const bySockets = (openFiles - otherFiles) / filesEach
  const byMemory = (memoryBytes * memoryShare) / bytesEach
  return Math.min(most, Math.max(least, Math.floor(Math.min(bySockets, byMemory))))
}

export function thisMachine(): Machine {
  return { openFiles: openFilesOf(), memoryBytes: Math.min(totalmem(), process.constrainedMemory() || Infinity) }
}

/** The limit on Linux; elsewhere a value that every system allows. */
function openFilesOf(): number {
  try {
    return Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Infinity)
  } catch {
    return defaultOpenFiles
  }
}
