import { arch, availableParallelism, hostname, loadavg, release, totalmem, uptime } from 'node:os'
import si from 'systeminformation'
import {
  type ServerHost,
  type ServerMetric,
  type ServerProcess,
  type ServerSample,
  serverLimits,
} from '#contract/server-agent.ts'
import { Proc } from './proc.ts'
import { isPseudo } from './pseudo.ts'

type Values = ServerSample['metrics'][ServerMetric]

const virtual = /^(lo\d*|veth|docker|br-|virbr|cni|flannel|cali|tap|utun|awdl|llw|anpi|bridge)/
const labelsAtMost = 50

const round = (value: number) => Math.round(value * 100) / 100
const percent = (part: number, whole: number) =>
  whole > 0 ? round(Math.min(100, Math.max(0, (100 * part) / whole))) : undefined

export async function readHost(version: string): Promise<ServerHost> {
  const os = await si.osInfo().catch(() => undefined)
  return {
    name: hostname().slice(0, 255),
    os: `${os?.distro ?? process.platform} ${os?.release ?? ''}`.trim().slice(0, 100),
    kernel: release().slice(0, 100),
    arch: arch(),
    cores: availableParallelism(),
    memory_bytes: totalmem(),
    agent: version,
  }
}

/**
 * Collects the metrics of this machine. Each part fails on its own and is then left out. Rates are computed since the
 * previous sample.
 */
export class Machine {
  readonly #without: ReadonlySet<string>
  readonly #source: Source = process.platform === 'linux' ? new Proc() : library
  #isWarm = false

  constructor(without: readonly string[]) {
    this.#without = new Set(without)
  }

  async sample(at: () => number): Promise<ServerSample> {
    // shares of time and rates need a previous sample
    if (!this.#isWarm) {
      await this.#read()
      await new Promise(resolve => setTimeout(resolve, 1_000))
      this.#isWarm = true
    }
    const [metrics, processes] = await this.#read()
    const known = Object.entries(metrics).filter(([, value]) =>
      typeof value === 'number' ? Number.isFinite(value) : Object.keys(value ?? {}).length > 0,
    )
    return { at: Math.round(at()), metrics: Object.fromEntries(known), ...(processes.length > 0 && { processes }) }
  }

  async #read(): Promise<[metrics: Record<string, Values>, processes: ServerProcess[]]> {
    const [load, memory, disks, networks, io, temperature, running] = await Promise.all([
      attempt(() => this.#source.load()),
      attempt(() => this.#source.memory()),
      attempt(() => this.#source.disks()).then(found => found ?? []),
      attempt(() => this.#source.networks()).then(found => found ?? []),
      attempt(() => this.#source.io()),
      attempt(() => this.#source.temperature()),
      attempt(() => this.#source.processes()),
    ])
    const mounts = disks.filter(({ type, mount, size }) => size > 0 && !isPseudo(type) && !this.#without.has(mount))
    const interfaces = networks.filter(({ iface }) => !virtual.test(iface) && !this.#without.has(iface))
    const [one, five, fifteen] = loadavg()
    const hasLoad = process.platform !== 'win32'
    return [
      {
        cpu: load && round(load.currentLoad),
        memory: memory && percent(memory.total - memory.available, memory.total),
        memory_used: memory && memory.total - memory.available,
        swap: memory && percent(memory.swapused, memory.swaptotal),
        disk: by(mounts, ({ mount, used, available }) => [mount, percent(used, used + available)]),
        disk_used: by(mounts, ({ mount, used }) => [mount, used]),
        load: hasLoad ? one && round(one) : undefined,
        load_5m: hasLoad ? five && round(five) : undefined,
        load_15m: hasLoad ? fifteen && round(fifteen) : undefined,
        network_in: by(interfaces, ({ iface, rx_sec }) => [iface, rate(rx_sec)]),
        network_out: by(interfaces, ({ iface, tx_sec }) => [iface, rate(tx_sec)]),
        disk_read: rate(io?.rx_sec),
        disk_write: rate(io?.wx_sec),
        temperature: temperature?.main ?? undefined,
        processes: running?.all,
        uptime: Math.round(uptime()),
      },
      busiest(running?.list ?? []),
    ]
  }
}

/** The queries of a machine, named as in the library. */
interface Source {
  load(): SystemInfo<{ currentLoad: number }>
  memory(): SystemInfo<{ total: number; available: number; swapused: number; swaptotal: number }>
  disks(): SystemInfo<{ mount: string; type: string; size: number; used: number; available: number }[]>
  networks(): SystemInfo<{ iface: string; rx_sec: Rate; tx_sec: Rate }[]>
  io(): SystemInfo<{ rx_sec: Rate; wx_sec: Rate }>
  temperature(): SystemInfo<{ main: number | null }>
  processes(): SystemInfo<{ all: number; list: { name: string; cpu: number; mem: number }[] }>
}
type SystemInfo<Value> = Value | Promise<Value>
type Rate = number | null | undefined

const library: Source = {
  load: () => si.currentLoad(),
  memory: () => si.mem(),
  disks: () => si.fsSize(),
  networks: () => si.networkStats('*'),
  io: () => si.fsStats(),
  temperature: () => si.cpuTemperature(),
  processes: () => si.processes(),
}

/** The value of a part; undefined when it fails. */
const attempt = async <Seen>(part: () => Seen | Promise<Seen>): Promise<Seen | undefined> => {
  try {
    return await part()
  } catch {
    return undefined
  }
}

const rate = (value: number | null | undefined) =>
  typeof value === 'number' && value >= 0 ? Math.round(value) : undefined

function by<Item>(
  items: readonly Item[],
  pair: (item: Item) => [label: string, value: number | undefined],
): Record<string, number> {
  const pairs = items
    .map(pair)
    .filter(
      (found): found is [string, number] =>
        typeof found[1] === 'number' && Number.isFinite(found[1]) && found[0] !== '',
    )
  return Object.fromEntries(
    pairs.slice(0, labelsAtMost).map(([label, value]) => [label.slice(0, serverLimits.labelChars), value]),
  )
}

/** Programs grouped by name, the busiest first: by CPU share and by memory. */
function busiest(list: readonly { name: string; cpu: number; mem: number }[]): ServerProcess[] {
  const sums = new Map<string, ServerProcess>()
  for (const { name, cpu, mem } of list) {
    const sum = sums.get(name) ?? { name: name.slice(0, 60), cpu: 0, memory: 0 }
    sum.cpu += cpu
    sum.memory += mem
    sums.set(name, sum)
  }
  const all = [...sums.values()].filter(({ name }) => name !== '')
  const first = (key: 'cpu' | 'memory') => all.toSorted((a, b) => b[key] - a[key]).slice(0, serverLimits.processes / 2)
  return [...new Set([...first('cpu'), ...first('memory')])].map(({ name, cpu, memory }) => ({
    name,
    cpu: round(Math.min(100, cpu)),
    memory: round(Math.min(100, memory)),
  }))
}
