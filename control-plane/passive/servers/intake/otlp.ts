import type { ServerMetric } from '#contract/server-agent.ts'
import { malformed } from '#control-plane/base/refusal.ts'
import { machineNamed } from './machine.ts'
import { type OtlpPoint, readOtlpJson, readOtlpProtobuf } from './otlp-message.ts'
import { isPseudo, labelOf, type Reading, type ServerReport } from './readings.ts'

type Attributes = ReadonlyMap<string, string>
type Read = (point: OtlpPoint) => Reading | null

const of = (attributes: Attributes, ...names: string[]) =>
  names.map(name => attributes.get(name)).find(value => value !== undefined) ?? ''
const state = (attributes: Attributes) =>
  of(
    attributes,
    'state',
    'system.memory.state',
    'system.paging.state',
    'system.filesystem.state',
    'system.cpu.state',
    'cpu.mode',
  )

const place = (metric: ServerMetric, label: string, { at }: OtlpPoint) => ({ metric, label: labelOf(label), at })
const value = (metric: ServerMetric, label: string, point: OtlpPoint, scale = 1): Reading => ({
  kind: 'value',
  ...place(metric, label, point),
  value: point.value * scale,
})

/** A total, or what was added since: the rate of either. */
function growing(metric: ServerMetric, label: string, point: OtlpPoint): Reading | null {
  if (point.sum === 'cumulative') return { kind: 'counter', ...place(metric, label, point), total: point.value }
  const seconds = (point.at - point.startAt) / 1_000
  if (point.sum !== 'delta' || seconds <= 0) return null
  return rateReading(metric, label, point, point.value / seconds)
}

const rateReading = (metric: ServerMetric, label: string, point: OtlpPoint, rate: number): Reading => ({
  kind: 'value',
  ...place(metric, label, point),
  value: metric === 'cpu' ? 100 * (1 - rate) : rate,
})

const roles: Record<string, 'used' | 'rest'> = { used: 'used', free: 'rest', buffered: 'rest', cached: 'rest' }
function part(metric: ServerMetric, label: string, point: OtlpPoint): Reading | null {
  const role = roles[state(point.attributes)]
  if (role === undefined) return null
  const mode = of(point.attributes, 'mode', 'system.filesystem.mode')
  const source = `${state(point.attributes)} ${device(point)} ${fileSystem(point)} ${mode}`
  return { kind: 'part', ...place(metric, label, point), role, source, bytes: point.value }
}

const core = ({ attributes }: OtlpPoint) => of(attributes, 'cpu', 'cpu.logical_number', 'system.cpu.logical_number')
const mount = ({ attributes }: OtlpPoint) => of(attributes, 'mountpoint', 'system.filesystem.mountpoint')
const fileSystem = ({ attributes }: OtlpPoint) => of(attributes, 'type', 'system.filesystem.type')
const device = ({ attributes }: OtlpPoint) => of(attributes, 'device', 'system.device', 'network.interface.name')
const direction = ({ attributes }: OtlpPoint) =>
  of(attributes, 'direction', 'network.io.direction', 'disk.io.direction', 'system.network.direction')

/** Our metrics by the names of OpenTelemetry's host metrics. The load of a core is computed from its idle time alone. */
const names: Record<string, Read> = {
  'system.cpu.utilization': point =>
    state(point.attributes) === 'idle' ? rateReading('cpu', core(point), point, point.value) : null,
  'system.cpu.time': point => (state(point.attributes) === 'idle' ? growing('cpu', core(point), point) : null),
  'system.cpu.load_average.1m': point => value('load', '', point),
  'system.cpu.load_average.5m': point => value('load_5m', '', point),
  'system.cpu.load_average.15m': point => value('load_15m', '', point),
  'system.memory.usage': point => part('memory', '', point),
  'system.memory.utilization': point => (state(point.attributes) === 'used' ? value('memory', '', point, 100) : null),
  'system.paging.usage': point => part('swap', device(point), point),
  'system.paging.utilization': point =>
    state(point.attributes) === 'used' ? value('swap', device(point), point, 100) : null,
  'system.filesystem.usage': point => (isPseudo(fileSystem(point)) ? null : part('disk', mount(point), point)),
  'system.filesystem.utilization': point =>
    isPseudo(fileSystem(point)) || !['', 'used'].includes(state(point.attributes))
      ? null
      : value('disk', mount(point), point, 100),
  'system.network.io': point => both(point, { receive: 'network_in', transmit: 'network_out' }),
  'system.disk.io': point => both(point, { read: 'disk_read', write: 'disk_write' }),
  'system.processes.count': point => (point.attributes.size === 0 ? value('processes', '', point) : null),
  'system.uptime': point => value('uptime', '', point),
  'hw.temperature': point => value('temperature', of(point.attributes, 'name', 'id'), point),
}

function both(point: OtlpPoint, metrics: Record<string, ServerMetric>): Reading | null {
  const metric = metrics[direction(point)]
  return metric === undefined ? null : growing(metric, device(point), point)
}

/** Parses an export of OpenTelemetry's host metrics. */
export function readOtlp(body: Buffer, type: string): ServerReport {
  const { points, others } = type === 'application/json' ? readOtlpJson(body) : readOtlpProtobuf(body)
  const hosts = new Set(points.map(({ host }) => host))
  if (hosts.size > 1)
    throw malformed('A token is for one server, and this export has several: send each with its own token.')
  const readings: Reading[] = []
  let ignored = others
  for (const point of points) {
    const reading =
      Object.hasOwn(names, point.metric) && Number.isFinite(point.value) ? names[point.metric]?.(point) : null
    if (reading) readings.push(reading)
    else if (!Object.hasOwn(names, point.metric)) ignored++
  }
  const [host = ''] = hosts
  return { readings, ignored, machine: machineNamed(host) }
}
