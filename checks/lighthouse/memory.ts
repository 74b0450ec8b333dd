import { readdirSync, readFileSync } from 'node:fs'

/** Bytes of memory that the processes of a group hold for themselves; 0 where the system does not tell. */
export function memoryOf(group: number): number {
  let kilobytes = 0
  for (const entry of list('/proc')) {
    if (!/^\d+$/.test(entry) || groupOf(read(`/proc/${entry}/stat`)) !== group) continue
    for (const [, amount] of read(`/proc/${entry}/status`).matchAll(/^(?:RssAnon|RssShmem):\s+(\d+) kB/gm))
      kilobytes += Number(amount)
  }
  return kilobytes * 1_024
}

/** The third word after the name, which is in brackets and may hold anything. */
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
    return '' // it has ended meanwhile
  }
}
