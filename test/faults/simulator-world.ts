import type { Ineligibility } from '#control-plane/engine/agents/region.ts'
import type { Policy } from '#control-plane/engine/verdicts/quorum.ts'

/** Random numbers from a seed (mulberry32): the same seed gives the same world. */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  is(share: number): boolean {
    return this.next() < share
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least)
  }

  /** Short ones as often as long ones. */
  spread(least: number, most: number): number {
    return least * (most / least) ** this.next()
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.next() * items.length)]!
  }

  /** Moments of a process with this many an hour. */
  *moments(hours: number, perHour: number): Generator<number> {
    for (let at = 0; ; ) {
      at += (-Math.log(1 - this.next()) / perHour) * hour
      if (at >= hours * hour) return
      yield at
    }
  }
}

export const second = 1_000
export const minute = 60_000
export const hour = 3_600_000

export interface Span {
  from: number
  to: number
}

/** Faults between a region and the control plane, or inside its agent. Any regions may have any of them at once. */
export const regionFaultKinds = [
  'cut',
  'cut_out',
  'cut_in',
  'skew',
  'overloaded',
  'resolver',
  'zombie',
  'duplicates',
] as const
export type RegionFaultKind = (typeof regionFaultKinds)[number]

export interface RegionFault extends Span {
  kind: RegionFaultKind
  region: number
  skewMs: number
}

/** Faults between one region and a target: at most one region at a time, which the quorum must tolerate. */
export interface TargetFault extends Span {
  kind: 'unreachable' | 'lossy'
  region: number
  share: number
}

export interface Outage extends Span {
  hangs: boolean
}

export interface MonitorWorld {
  intervalMs: number
  timeoutMs: number
  policy: Policy
  outages: Outage[]
  targetFaults: TargetFault[]
  /** The target fails for less than the time between two runs: no outage. */
  hiccups: Span[]
  /** A little loss on every path, all the time. */
  lossShare: number
}

export interface EligibilityChange {
  at: number
  region: number
  why: Ineligibility | null
}

/** One installation over some days: its regions with their faults, and the monitors they check. */
export interface World {
  hours: number
  regions: readonly string[]
  regionFaults: RegionFault[]
  /** Times without the control plane; agents go on and keep their results. */
  stops: Span[]
  eligibilities: EligibilityChange[]
  monitors: MonitorWorld[]
}

const allRegions = ['ap', 'eu', 'sa', 'uk', 'us']

export function makeWorld(seed: number, { hours, monitors }: { hours: number; monitors: number }): World {
  const chance = new Chance(seed)
  const regions = allRegions.slice(0, chance.pick([3, 3, 3, 4, 5]))
  const monitorWorlds = Array.from({ length: monitors }, () => makeMonitor(chance, hours, regions.length))

  const regionFaults: RegionFault[] = []
  const moments = [...chance.moments(hours, 0.15)]
  // many faults come just around an outage
  for (const { outages } of monitorWorlds)
    for (const { from } of outages)
      if (chance.is(0.15)) moments.push(Math.max(0, from + chance.between(-5 * minute, 5 * minute)))
  for (const from of moments) {
    const hit = chance.is(0.3)
      ? regions.map((_, index) => index).filter(() => chance.is(0.6))
      : [Math.floor(chance.next() * regions.length)]
    const kind = chance.pick(regionFaultKinds)
    const length = chance.spread(2 * second, hour)
    for (const region of hit) {
      const start = from + chance.between(0, 3 * second)
      regionFaults.push({
        kind,
        region,
        from: start,
        to: start + length * chance.between(0.8, 1.2),
        skewMs: chance.pick([1, -1]) * chance.spread(0.2 * second, 24 * hour),
      })
    }
  }
  const stops = [...chance.moments(hours, 0.03)].map(from => ({
    from,
    to: from + chance.spread(2 * second, 30 * minute),
  }))
  const world = {
    hours,
    regions,
    regionFaults: regionFaults.sort(byStart),
    stops: merged(stops),
    monitors: monitorWorlds,
  }
  return { ...world, eligibilities: eligibilitiesOf(world, chance) }
}

function makeMonitor(chance: Chance, hours: number, regions: number): MonitorWorld {
  const intervalMs = chance.pick([10, 30, 60, 60, 60, 60, 60, 60, 120, 300]) * second
  const outages = apart(
    [...chance.moments(hours, 0.06)].map(from => ({
      from,
      to: from + chance.spread(3 * second, 2 * hour),
      hangs: chance.is(0.3),
    })),
    15 * minute,
  )
  const targetFaults = apart(
    [...chance.moments(hours, 0.06)].map((from): TargetFault => {
      const kind = chance.is(0.6) ? 'unreachable' : 'lossy'
      return {
        kind,
        region: Math.floor(chance.next() * regions),
        from,
        to: from + chance.spread(2 * second, 2 * hour),
        share: kind === 'lossy' ? 0.3 : 1,
      }
    }),
    15 * minute,
  ).flatMap(fault => (chance.is(0.3) ? [fault, ...wandered(fault, chance, regions)] : [fault]))
  return {
    intervalMs,
    timeoutMs: 10 * second,
    policy: chance.is(0.7)
      ? { mode: 'majority', count: null }
      : chance.pick<Policy>([
          { mode: 'all', count: null },
          { mode: 'count', count: 2 },
        ]),
    outages,
    targetFaults,
    hiccups: apart(
      [...chance.moments(hours, 0.2)].map(from => ({ from, to: from + chance.spread(50, 850) })),
      minute,
    ),
    // 10 % of packets lost on every path: of six exchanges, each sent up to four times, one gets through nowhere
    lossShare: targetFaults.length === 0 && chance.is(0.3) ? 6e-4 : 0,
  }
}

/** Failures of one region after the other: they are no quorum, because they are not at one moment. */
function wandered({ region, to }: TargetFault, chance: Chance, regions: number): TargetFault[] {
  const wandered: TargetFault[] = []
  for (let from = to, at = region; wandered.length < 3; ) {
    from += chance.spread(2 * second, 30 * second)
    at = (at + 1 + Math.floor(chance.next() * (regions - 1))) % regions
    wandered.push({ kind: 'unreachable', region: at, from, to: from + chance.spread(2 * second, 2 * minute), share: 1 })
    from = wandered[wandered.length - 1]!.to
  }
  return wandered
}

/** When each region is eligible, as the gateway of agents would find it: late by a beat or a lease. */
function eligibilitiesOf(
  { regions, regionFaults, stops }: Omit<World, 'eligibilities'>,
  chance: Chance,
): EligibilityChange[] {
  const bad: (Span & { region: number; why: Ineligibility })[] = []
  for (const { kind, region, from, to, skewMs } of regionFaults) {
    const noticed = from + chance.between(0, 5 * second)
    const over = to + chance.between(0, 5 * second)
    if (kind === 'cut' || kind === 'cut_out') bad.push({ region, from: from + 15 * second, to: over, why: 'silent' })
    if (kind === 'overloaded') bad.push({ region, from: noticed, to: over, why: 'overloaded' })
    if (kind === 'resolver') bad.push({ region, from: noticed + 5 * second, to: over, why: 'self_test_failed' })
    // sometimes the fault stays unnoticed
    if (kind === 'skew' && Math.abs(skewMs) > 5 * second && chance.is(0.7))
      bad.push({ region, from: noticed, to: over, why: 'clock_off' })
  }
  for (const { from, to } of stops)
    for (let region = 0; region < regions.length; region++)
      bad.push({ region, from, to: to + chance.between(0.5 * second, 12 * second), why: 'never_seen' })

  const changes: EligibilityChange[] = []
  for (let region = 0; region < regions.length; region++) {
    changes.push({ at: 0, region, why: null })
    const spans = bad.filter(span => span.region === region && span.to > span.from).sort(byStart)
    let until = 0
    for (const { from, to, why } of spans) {
      if (from > until) {
        if (until > 0) changes.push({ at: until, region, why: null })
        changes.push({ at: from, region, why })
      }
      until = Math.max(until, to)
    }
    if (until > 0) changes.push({ at: until, region, why: null })
  }
  return changes.sort((a, b) => a.at - b.at)
}

export const byStart = (a: Span, b: Span) => a.from - b.from

export function merged<Item extends Span>(spans: Item[]): Item[] {
  const result: Item[] = []
  for (const span of spans.sort(byStart)) {
    const last = result.at(-1)
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else result.push({ ...span })
  }
  return result
}

/** Keeps those that start well after the one before has ended. */
function apart<Item extends Span>(spans: Item[], gapMs: number): Item[] {
  const result: Item[] = []
  for (const span of spans.sort(byStart))
    if (span.from > (result.at(-1)?.to ?? Number.NEGATIVE_INFINITY) + gapMs) result.push(span)
  return result
}
