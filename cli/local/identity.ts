import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * The start time of a process, which distinguishes it from a later one with the same pid. Undefined without a
 * process.
 */
export function birthOf(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return state === 'Z' ? undefined : rest[18]
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
  } catch {
    return undefined
  }
}

export interface Identity {
  pid: number
  birth: string
}

export const identify = (pid: number): Identity => ({ pid, birth: birthOf(pid) ?? '' })

export const isAlive = ({ pid, birth }: Identity) => birth !== '' && birthOf(pid) === birth

/** The command line of a process; empty when there is none or it may not be seen. */
export function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}
