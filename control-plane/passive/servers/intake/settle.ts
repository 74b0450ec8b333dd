import type { Reading, ServerValue } from './readings.ts'

/** What is stored of a server between two requests: the last value of each counter, and the size of each whole. */
export type Memory = Record<string, [at: number, value: number]>

/** Of a machine with more counters the others are left out. */
const keysAtMost = 4_000
/** The growth over a longer gap has no useful rate. */
const gapMs = 15 * 60_000

const shareOf: Partial<Record<ServerValue['metric'], 'memory_used' | 'disk_used'>> = {
  memory: 'memory_used',
  disk: 'disk_used',
}

export interface Settled {
  values: ServerValue[]
  changed: Memory
  repeated?: number
}

/**
 * Converts readings to values: growth to rates, parts to percent. Pure: the same readings and memory give the same
 * values. It returns only the changed entries of `memory`, so that concurrent requests of one server do not overwrite
 * each other. A part that is sent twice for one moment counts once; `repeated`: how many had another value than the
 * first. It can pause at each reading.
 */
export function* settle(readings: readonly Reading[], memory: Memory): Generator<undefined, Settled> {
  const values: ServerValue[] = []
  const changed: Memory = {}
  const recall = (key: string) => changed[key] ?? (Object.hasOwn(memory, key) ? memory[key] : undefined)
  let keys = Object.keys(memory).length
  const keep = (key: string, at: number, value: number) => {
    const last = recall(key)
    if (!last && keys >= keysAtMost) return
    if (!last) keys++
    changed[key] = [at, value]
  }

  let repeated = 0
  const wholes = new Map<string, Map<string, Extract<Reading, { kind: 'part' }>>>()
  for (const reading of readings.toSorted((a, b) => a.at - b.at)) {
    yield
    const { metric, label, at } = reading
    switch (reading.kind) {
      case 'value':
        values.push({ metric, label, at, value: reading.value })
        break
      case 'counter': {
        const key = `${metric} ${label}`
        const last = recall(key)
        if (last && at <= last[0]) break
        keep(key, at, reading.total)
        if (!last || reading.total < last[1] || at - last[0] > gapMs) break // it restarted, or the gap is too long
        const rate = (reading.total - last[1]) / ((at - last[0]) / 1_000)
        values.push({ metric, label, at, value: metric === 'cpu' ? 100 * (1 - rate) : rate })
        break
      }
      case 'part': {
        const key = `${metric} ${label} ${at}`
        const parts = wholes.get(key)
        const first = parts?.get(reading.source)
        if (!parts) wholes.set(key, new Map([[reading.source, reading]]))
        else if (first === undefined) parts.set(reading.source, reading)
        else if (first.bytes !== reading.bytes) repeated++
      }
    }
  }
  for (const sources of wholes.values()) {
    yield
    const parts = [...sources.values()]
    const { metric, label, at } = parts[0]!
    const key = `whole ${metric} ${label}`
    const of = (...roles: string[]) => parts.filter(({ role }) => roles.includes(role)).map(({ bytes }) => bytes)
    const [reported] = of('total')
    if (reported !== undefined && recall(key)?.[1] !== reported) keep(key, at, reported)
    const [available] = of('available')
    const total = reported ?? recall(key)?.[1]
    const used =
      of('used').length > 0
        ? sum(of('used'))
        : available === undefined || total === undefined
          ? undefined
          : total - available
    const whole = of('used').length > 0 ? sum(of('used', 'rest')) : total
    if (used === undefined || whole === undefined || whole <= 0 || (of('used').length > 0 && of('rest').length === 0))
      continue
    values.push({ metric, label, at, value: (100 * used) / whole })
    const bytes = shareOf[metric]
    if (bytes) values.push({ metric: bytes, label, at, value: used })
  }
  return {
    values: values.map(value => ({ ...value, value: bound(value) })),
    changed,
    ...(repeated > 0 && { repeated }),
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)
const shares = new Set<string>(['cpu', 'memory', 'swap', 'disk'])
const bound = ({ metric, value }: ServerValue) => (shares.has(metric) ? Math.min(100, Math.max(0, value)) : value)
