import { readdirSync, readFileSync } from 'node:fs'

/** Private memory of the processes of a group in bytes; 0 where the system does not report it. */
export function memoryOf(group: number): number {
  let kilobytes = 0
  for (const entry of list('/proc')) {
    if (!/^\d+$/.test(entry) || groupOf(read(`/proc/${entry}/stat`)) !== group) continue
    for (const [, amount] of read(`/proc/${entry}/status`).matchAll(/^(?:RssAnon|RssShmem):\s+(\d+) kB/gm))
      kilobytes += Number(amount)
  }
  return kilobytes * 1_024
}

/** The third word after the name, which is in brackets and may contain anything. */
const groupOf = (stat: string) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2])

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // the process has ended meanwhile
  }
}
