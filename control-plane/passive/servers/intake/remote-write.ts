import { type ServerMetric, serverLimits } from '#contract/server-agent.ts'
import { invalid, malformed, tooLarge } from '#control-plane/base/refusal.ts'
import { machineNamed } from './machine.ts'
import { Fields } from './protobuf.ts'
import { type Faults, isPseudo, labelOf, type Reading, type ServerReport } from './readings.ts'

type Labels = ReadonlyMap<string, string>
interface Sample {
  at: number
  value: number
}
type Read = (labels: Labels, sample: Sample) => Reading | null

const of = (name: string) => (labels: Labels) => labels.get(name) ?? ''

const value =
  (metric: ServerMetric, label = (_: Labels) => '', of = (sample: Sample) => sample.value): Read =>
  (labels, sample) => ({ kind: 'value', metric, label: labelOf(label(labels)), at: sample.at, value: of(sample) })
const counter =
  (metric: ServerMetric, label: (labels: Labels) => string): Read =>
  (labels, { at, value: total }) => ({ kind: 'counter', metric, label: labelOf(label(labels)), at, total })
const part =
  (metric: ServerMetric, role: 'available' | 'total', label = (_: Labels) => ''): Read =>
  (labels, { at, value: bytes }) => ({
    kind: 'part',
    metric,
    label: labelOf(label(labels)),
    at,
    role,
    source: `${role} ${of('device')(labels)} ${of('fstype')(labels)}`,
    bytes,
  })

const idle = counter('cpu', of('cpu'))
const onDisk =
  (read: Read): Read =>
  (labels, sample) =>
    isPseudo(of('fstype')(labels)) ? null : read(labels, sample)

/** Our metrics by the names of node_exporter's. */
const names: Record<string, Read> = {
  node_cpu_seconds_total: (labels, sample) => (of('mode')(labels) === 'idle' ? idle(labels, sample) : null),
  node_memory_MemTotal_bytes: part('memory', 'total'),
  node_memory_MemAvailable_bytes: part('memory', 'available'),
  node_memory_SwapTotal_bytes: part('swap', 'total'),
  node_memory_SwapFree_bytes: part('swap', 'available'),
  node_filesystem_size_bytes: onDisk(part('disk', 'total', of('mountpoint'))),
  node_filesystem_avail_bytes: onDisk(part('disk', 'available', of('mountpoint'))),
  node_load1: value('load'),
  node_load5: value('load_5m'),
  node_load15: value('load_15m'),
  node_network_receive_bytes_total: counter('network_in', of('device')),
  node_network_transmit_bytes_total: counter('network_out', of('device')),
  node_disk_read_bytes_total: counter('disk_read', of('device')),
  node_disk_written_bytes_total: counter('disk_write', of('device')),
  node_hwmon_temp_celsius: value('temperature', labels => `${of('chip')(labels)} ${of('sensor')(labels)}`.trim()),
  node_thermal_zone_temp: value('temperature', labels => `${of('type')(labels)} ${of('zone')(labels)}`.trim()),
  node_processes_pids: value('processes'),
  node_boot_time_seconds: value('uptime', undefined, sample => sample.at / 1_000 - sample.value),
}

/** What a request holds, also of series that are left out as they are not known here. */
export interface WriteCounts {
  samples: number
  histograms: number
  exemplars: number
}

export interface WriteReport extends ServerReport {
  faults: Faults
  /** Without those of series that are faulty. */
  counts: WriteCounts
}

interface Series extends WriteCounts {
  labels: Labels
  values: Sample[]
}

class Gathering implements WriteReport {
  readonly readings: Reading[] = []
  ignored = 0
  readonly faults: Faults = { count: 0, why: null }
  readonly counts: WriteCounts = { samples: 0, histograms: 0, exemplars: 0 }
  machine: string | null = null
  readonly #instances = new Set<string>()
  readonly #hosts = new Set<string>()
  #node = ''
  #series = 0
  #values = 0

  /** Counts a series before it is read. */
  begin(): void {
    if (++this.#series > serverLimits.batchValues) throw tooLarge()
  }

  /** Counts one value of whatever kind. */
  count(): void {
    if (++this.#values > serverLimits.batchValues) throw tooLarge()
  }

  fault({ samples, histograms, exemplars }: WriteCounts, why: string): void {
    const count = samples + histograms + exemplars
    if (count === 0) return
    this.faults.count += count
    this.faults.why ??= invalid({ samples: [why] })
  }

  add({ labels, values, ...counts }: Series): void {
    const name = of('__name__')(labels)
    if (name === '') {
      this.fault(counts, 'A series has no name: its label __name__ is missing.')
      return
    }
    for (const kind of ['samples', 'histograms', 'exemplars'] as const) this.counts[kind] += counts[kind]
    if (name === 'node_uname_info') this.#node = of('nodename')(labels)
    if (!Object.hasOwn(names, name)) {
      this.ignored += values.length
      return
    }
    this.#instances.add(of('instance')(labels))
    this.#hosts.add(of('host')(labels))
    for (const sample of values) {
      // the marker at the end of a series is not a number
      const reading = Number.isFinite(sample.value) ? names[name]?.(labels, sample) : null
      if (reading) this.readings.push(reading)
    }
  }

  end(): WriteReport {
    if (this.#instances.size > 1)
      throw malformed(
        'A token is for one server, and this request has several instances: keep one of them by write_relabel_configs.',
      )
    const [instance = ''] = this.#instances
    const [host = ''] = this.#hosts.size === 1 ? this.#hosts : []
    this.machine = machineNamed(host) ?? machineNamed(instance) ?? machineNamed(this.#node)
    return this
  }
}

/** Parses Prometheus remote write 1.0, unpacked. It takes tens of milliseconds and can pause at each series. */
export function* readRemoteWrite(body: Buffer): Generator<undefined, WriteReport> {
  const found = new Gathering()
  for (const request = new Fields(body); request.next(); ) {
    if (request.number !== 1) continue
    found.begin()
    const labels = new Map<string, string>()
    const series = { labels, values: [] as Sample[], samples: 0, histograms: 0, exemplars: 0 }
    for (const fields = request.message(); fields.next(); ) {
      yield
      if (fields.number === 1) {
        let [name, text] = ['', '']
        for (const label = fields.message(); label.next(); )
          if (label.number === 1) name = label.text()
          else if (label.number === 2) text = label.text()
        labels.set(name, text)
      } else readValue(fields, { 2: 'samples', 3: 'exemplars', 4: 'histograms' }, series, found)
    }
    found.add(series)
  }
  return found.end()
}

/** A text that many series name must not be long; what is stored of a label is shorter. */
const symbolBytes = 1_000

/** The same of version 2.0, whose series name their labels by their places in a list of texts. */
export function* readRemoteWriteTwo(body: Buffer): Generator<undefined, WriteReport> {
  const found = new Gathering()
  const symbols: string[] = []
  const messages: Fields[] = []
  for (const request = new Fields(body); request.next(); ) {
    yield
    if (request.number === 4) symbols.push(request.text(symbolBytes))
    else if (request.number === 5) {
      found.begin()
      messages.push(request.message())
    }
  }
  for (const fields of messages) {
    const refs: number[] = []
    const series = { values: [] as Sample[], samples: 0, histograms: 0, exemplars: 0 }
    while (fields.next()) {
      yield
      if (fields.number === 1) for (const ref of fields.ints()) refs.push(ref)
      else readValue(fields, { 2: 'samples', 3: 'histograms', 4: 'exemplars' }, series, found)
    }
    const labels = labelsAt(refs, symbols)
    if (labels === null) found.fault(series, 'A series names labels that are not in the list of symbols.')
    else found.add({ ...series, labels })
  }
  return found.end()
}

/** Labels by the places of their names and values; null: there is no such place. */
function labelsAt(refs: readonly number[], symbols: readonly string[]): Labels | null {
  const labels = new Map<string, string>()
  for (let at = 0; at < refs.length; at += 2) {
    const [name, text] = [symbols[refs[at]!], symbols[refs[at + 1]!]]
    if (name === undefined || text === undefined) return null
    labels.set(name, text)
  }
  return labels
}

/** Reads a sample; of histograms and exemplars it only counts them. */
function readValue(
  fields: Fields,
  kinds: Readonly<Record<number, keyof WriteCounts>>,
  series: Omit<Series, 'labels'>,
  found: Gathering,
): void {
  const kind = kinds[fields.number]
  if (kind === undefined) return
  found.count()
  series[kind]++
  if (kind !== 'samples') return
  const sample: Sample = { at: 0, value: 0 }
  for (const parts = fields.message(); parts.next(); )
    if (parts.number === 1) sample.value = parts.double()
    else if (parts.number === 2) sample.at = parts.int()
  series.values.push(sample)
}
