import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100

interface Process {
  pid: number
  parent: number
  name: string
  /** Own time and that of children it has already buried, in seconds. */
  cpuS: number
}

function readProcess(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0)
    return {
      pid,
      parent: Number(fields[1]),
      name: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim(),
      cpuS: ticks / ticksPerSecond,
    }
  } catch {
    return null
  }
}

/** A process and everything it started, alive at this moment. */
export function familyOf(root: number): Process[] {
  const all = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .map(readProcess)
    .filter(process => process !== null)
  const family = new Set([root])
  for (let grew = true; grew; ) {
    grew = false
    for (const { pid, parent } of all)
      if (family.has(parent) && !family.has(pid)) {
        family.add(pid)
        grew = true
      }
  }
  return all.filter(({ pid }) => family.has(pid))
}

/** What a family has used so far: processor seconds, and memory in bytes as `memoryOf` says. */
export function usageOf(root: number, skip: readonly number[] = []) {
  const family = familyOf(root).filter(({ pid }) => !skip.includes(pid))
  const cpuS = family.reduce((sum, process) => sum + process.cpuS, 0)
  return { cpuS, ...memoryOf(family), byPart: Map.groupBy(family, process => partOf(process.name)) }
}

/** The memory of processes in bytes: shared pages once (PSS), and as each process sees it (RSS). */
export function memoryOf(processes: readonly { pid: number }[]): { pss: number; rss: number } {
  let pss = 0
  let rss = 0
  for (const { pid } of processes) {
    try {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
      pss += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) * 1024
      rss += Number(/^Rss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) * 1024
    } catch {
      // it ended meanwhile
    }
  }
  return { pss, rss }
}

const byPart = () => Map.groupBy(familyOf(process.pid), ({ name }) => partOf(name))
const sumOf = (family: readonly Process[] = []) => family.reduce((sum, { cpuS }) => sum + cpuS, 0)

/**
 * Begins to count what this process and all it started compute. Answers, of so many things done since, the
 * milliseconds each cost each part.
 */
export function countProcessor(): (done: number) => string {
  const before = byPart()
  return done =>
    [...byPart()]
      .map(([part, family]) => `${part} ${(((sumOf(family) - sumOf(before.get(part))) * 1_000) / done).toFixed(1)}`)
      .join(', ')
}

function partOf(command: string): string {
  if (/postgres/.test(command)) return 'postgres'
  if (/clickhouse/.test(command)) return 'clickhouse'
  if (/temporal/.test(command)) return 'temporal'
  if (/main\.(ts|mjs) probe/.test(command)) return 'agents'
  if (/main\.(ts|mjs) serve/.test(command)) return 'control plane'
  return 'supervisor'
}
