import { readFileSync } from 'node:fs'

/** The state file of a process on Linux, from the second field on: state, parent, …; undefined elsewhere. */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return
  }
}

/** Whether the process is a shell that npm has started for its script, and not npm itself. */
function isShellOfNpm(pid) {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return words[1] === '-c' && words.some(word => word.includes('vedette.js'))
  } catch {
    return false // only Linux has /proc: the parent alone is watched
  }
}

/**
 * The ids of the processes up to npm: of npm alone, or of its shell and npm. The parents of npm are none of our
 * business: the shell of a terminal ends, and a start in the background goes on.
 */
export function ancestors() {
  const parent = process.ppid
  return isShellOfNpm(parent) ? `${parent} ${statOf(parent)?.[1]}` : String(parent)
}

/** Whether the ids are still those of our ancestors. */
function areThere(family) {
  const [parent, npm] = family.split(' ')
  return String(process.ppid) === parent && (npm === undefined || statOf(parent)?.[1] === npm)
}

/**
 * Calls back when npm is gone: it passes a signal on to its shell alone, which ends without passing it on. `family`:
 * the ancestors at the start; without it nothing is watched. Returns what ends the watch.
 */
export function whenOrphaned(family, stop) {
  if (!family) return () => {}
  let missed = 0
  const timer = setInterval(() => {
    // twice: a signal to all processes of a terminal, npm among them, is handled in between
    missed = areThere(family) ? 0 : missed + 1
    if (missed < 2) return
    clearInterval(timer)
    stop()
  }, 250)
  timer.unref()
  return () => clearInterval(timer)
}
