import { type ServerMetric, serverLimits } from '#contract/server-agent.ts'
import { malformed, tooLarge } from '#control-plane/base/refusal.ts'
import { Fields } from './protobuf.ts'
import { isPseudo, labelOf, type Reading, type ServerReport } from './readings.ts'

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

/** Parses Prometheus remote write 1.0, unpacked. It takes tens of milliseconds and can pause at each series. */
export function* readRemoteWrite(body: Buffer): Generator<undefined, ServerReport> {
  const readings: Reading[] = []
  const instances = new Set<string>()
  let ignored = 0
  let seen = 0
  let series = 0
  for (const request = new Fields(body); request.next(); ) {
    if (request.number !== 1) continue
    const { labels, samples } = yield* readSeries(request.message(), serverLimits.batchValues - seen)
    seen += samples.length
    if (++series > serverLimits.batchValues) throw tooLarge()
    const name = of('__name__')(labels)
    if (!Object.hasOwn(names, name)) {
      ignored += samples.length
      continue
    }
    instances.add(of('instance')(labels))
    for (const sample of samples) {
      // the marker at the end of a series is not a number
      const reading = Number.isFinite(sample.value) ? names[name]?.(labels, sample) : null
      if (reading) readings.push(reading)
    }
  }
  if (instances.size > 1)
    throw malformed(
      'A token is for one server, and this request has several instances: keep one of them by write_relabel_configs.',
    )
  return { readings, ignored }
}

function* readSeries(
  series: Fields,
  samplesAtMost: number,
): Generator<undefined, { labels: Map<string, string>; samples: Sample[] }> {
  const labels = new Map<string, string>()
  const samples: Sample[] = []
  while (series.next()) {
    yield
    if (series.number === 1) {
      let [name, text] = ['', '']
      for (const label = series.message(); label.next(); )
        if (label.number === 1) name = label.text()
        else if (label.number === 2) text = label.text()
      labels.set(name, text)
    } else if (series.number === 2) {
      const sample: Sample = { at: 0, value: 0 }
      for (const fields = series.message(); fields.next(); )
        if (fields.number === 1) sample.value = fields.double()
        else if (fields.number === 2) sample.at = fields.int()
      if (samples.push(sample) > samplesAtMost) throw tooLarge()
    }
  }
  return { labels, samples }
}
