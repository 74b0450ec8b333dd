import { readFileSync } from 'node:fs'

/** The ids of the parent process (the shell of `npm start`) and of its parent (npm). */
export function ancestors() {
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8')
    return `${process.ppid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]}`
  } catch {
    return String(process.ppid) // only Linux has /proc
  }
}

/**
 * Calls back when npm is gone: it passes a signal on to its shell alone, which ends without passing it on. `family`:
 * the ancestors at the start; without it nothing is watched.
 */
export function whenOrphaned(family, stop) {
  if (!family) return
  const timer = setInterval(() => {
    if (ancestors() === family) return
    clearInterval(timer)
    stop()
  }, 250)
  timer.unref()
}
