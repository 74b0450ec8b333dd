import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { basename } from 'node:path'
import { isPseudo } from './pseudo.ts'

/*
 * What Linux reports in /proc and /sys. The library runs a dozen programs for the same data (df, ps, lsblk, …), at a
 * hundred times the cost.
 */

const sectorBytes = 512
const hangsAfterMs = 2_000
/** Devices built on others, or in memory: their bytes are counted elsewhere. */
const madeUp = /^(loop|ram|zram|sr|fd|dm-|md)/
const sensors = /^(coretemp|k10temp|zenpower|cpu_thermal|acpitz)$/

const read = (path: string) => readFileSync(path, 'utf8')
const linesOf = (path: string) => read(path).split('\n').filter(Boolean)

/** The growth per second of counters since the previous call; undefined the first time and after a reset. */
class Growth {
  readonly #before = new Map<string, { total: number; at: number }>()

  of(key: string, total: number): number | undefined {
    const at = performance.now()
    const before = this.#before.get(key)
    this.#before.set(key, { total, at })
    return before && at > before.at && total >= before.total
      ? ((total - before.total) * 1_000) / (at - before.at)
      : undefined
  }
}

interface RunningProcess {
  name: string
  ticks: number
}

export class Proc {
  readonly #growth = new Growth()
  readonly #hanging = new Set<string>()
  #cpu: { busy: number; all: number } | undefined
  #running: { all: number; by: Map<string, RunningProcess> } | undefined
  #pageBytes: number | undefined
  #memoryBytes: number | undefined

  /** Share of time in which any core was busy since the previous call. */
  load() {
    const line = read('/proc/stat')
    const ticks = line.slice(0, line.indexOf('\n')).split(/\s+/).slice(1).map(Number)
    const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0, steal = 0] = ticks
    const now = {
      busy: user + nice + system + irq + soft + steal,
      all: user + nice + system + idle + wait + irq + soft + steal,
    }
    const before = this.#cpu ?? { busy: 0, all: 0 }
    this.#cpu = now
    return {
      currentLoad: now.all > before.all ? (100 * (now.busy - before.busy)) / (now.all - before.all) : Number.NaN,
    }
  }

  memory() {
    const lines = new Map(linesOf('/proc/meminfo').map(line => line.split(/:\s+/) as [string, string]))
    const bytes = (name: string) => Number.parseInt(lines.get(name) ?? '', 10) * 1_024
    return {
      total: bytes('MemTotal'),
      available: bytes('MemAvailable'),
      swaptotal: bytes('SwapTotal'),
      swapused: bytes('SwapTotal') - bytes('SwapFree'),
    }
  }

  /**
   * Of several mounts of one device, the one nearest the root. A mount that does not respond is left out, and not
   * queried again until it does.
   */
  async disks() {
    const mounts = linesOf('/proc/self/mounts')
      .map(line => line.split(' ').map(plain))
      .map(([source = '', mount = '', type = '']) => ({ source, mount, type }))
      .filter(({ type, mount }) => !isPseudo(type) && !this.#hanging.has(mount))
      .sort((a, b) => a.mount.length - b.mount.length)
    const first = [...new Map(mounts.toReversed().map(mount => [mount.source, mount])).values()]
    const found = await Promise.all(
      first.map(async ({ mount, type }) => ({ mount, type, ...(await this.#space(mount)) })),
    )
    return found.filter(({ size }) => size > 0)
  }

  networks() {
    return linesOf('/proc/net/dev').flatMap(line => {
      const [iface, counters] = line.split(/:\s*/)
      if (iface === undefined || counters === undefined) return []
      const name = iface.trim()
      const counts = counters.split(/\s+/).map(Number)
      return [
        {
          iface: name,
          rx_sec: this.#growth.of(`in ${name}`, counts[0]!),
          tx_sec: this.#growth.of(`out ${name}`, counts[8]!),
        },
      ]
    })
  }

  io() {
    const whole = new Set(readdirSync('/sys/block').filter(name => !madeUp.test(name)))
    const [sectorsRead, sectorsWritten] = linesOf('/proc/diskstats')
      .map(line => line.trim().split(/\s+/))
      .filter(([, , name]) => name !== undefined && whole.has(name))
      .reduce(([reads, writes], fields) => [reads! + Number(fields[5]), writes! + Number(fields[9])], [0, 0])
    return {
      rx_sec: this.#growth.of('read', sectorsRead! * sectorBytes),
      wx_sec: this.#growth.of('written', sectorsWritten! * sectorBytes),
    }
  }

  /** The warmest sensor of the processor. */
  temperature() {
    const folders = readdirSync('/sys/class/hwmon').map(name => `/sys/class/hwmon/${name}`)
    const values = folders
      .filter(folder => sensors.test(read(`${folder}/name`).trim()))
      .flatMap(folder =>
        readdirSync(folder).flatMap(name =>
          /^temp\d+_input$/.test(name) ? [Number(read(`${folder}/${name}`)) / 1_000] : [],
        ),
      )
    return { main: values.length > 0 ? Math.max(...values) : null }
  }

  /** Processes by program name, never by arguments. */
  processes() {
    this.#pageBytes ??= Number(/KernelPageSize:\s+(\d+)/.exec(read('/proc/self/smaps'))?.[1] ?? 4) * 1_024
    this.#memoryBytes ??= this.memory().total
    const all = this.#cpu?.all ?? 0 // of the same sample, whose load was read first
    const by = new Map<string, RunningProcess>()
    const list: { name: string; cpu: number; mem: number }[] = []
    for (const pid of readdirSync('/proc')) {
      if (!/^\d+$/.test(pid)) continue
      const stat = attempt(() => read(`/proc/${pid}/stat`))
      if (stat === undefined) continue // the process ended meanwhile
      const end = stat.lastIndexOf(')')
      const fields = stat.slice(end + 2).split(' ')
      // a process id may be reused, but with another start time
      const key = `${pid} ${fields[19]}`
      const before = this.#running?.by.get(key)
      const ticks = Number(fields[11]) + Number(fields[12])
      const name = before?.name ?? nameOf(pid, stat.slice(stat.indexOf('(') + 1, end))
      by.set(key, { name, ticks })
      const cpu =
        this.#running && all > this.#running.all
          ? (100 * (ticks - (before?.ticks ?? 0))) / (all - this.#running.all)
          : 0
      list.push({ name, cpu, mem: (100 * Number(fields[21]) * this.#pageBytes) / this.#memoryBytes })
    }
    this.#running = { all, by }
    return { all: list.length, list }
  }

  async #space(mount: string): Promise<{ size: number; used: number; available: number }> {
    this.#hanging.add(mount)
    const asked = statfs(mount).then(
      ({ bsize, blocks, bfree, bavail }) => ({
        size: blocks * bsize,
        used: (blocks - bfree) * bsize,
        available: bavail * bsize,
      }),
      () => nothing,
    )
    asked.finally(() => this.#hanging.delete(mount))
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<typeof nothing>(resolve => {
      timer = setTimeout(resolve, hangsAfterMs, nothing)
    })
    return Promise.race([asked, late]).finally(() => clearTimeout(timer))
  }
}

const nothing = { size: 0, used: 0, available: 0 }

/** Spaces and similar characters are written as octal numbers. */
const plain = (text: string) =>
  text.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))

/** The executable; the process name where we may not read it. */
const nameOf = (pid: string, itself: string) =>
  attempt(() => basename(readlinkSync(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, '')) || itself

function attempt<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
