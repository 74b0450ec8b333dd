import { meantBy } from '#contract/events.ts'
import type { Channel } from '#control-plane/alerting/deliveries/delivery.ts'
import type { MonitorFilter, TenantFilter } from '#control-plane/alerting/rules/input.ts'

export interface Rule {
  event_types: readonly string[]
  monitor_filter: MonitorFilter | null
  tenant_filter: TenantFilter | null
  channel: Channel
}

/** The managed team an event is about. */
export interface Team {
  tenantId: string
  label: string | null
}

export interface Monitor {
  id: string
  tags: readonly string[]
  type: string
}

interface Entry {
  rule: Rule
  /** The name the rule is subscribed to: the event's own, or an alias. */
  as: string
}

/** Rules of one event that are limited to certain monitors, by what limits them. */
class Bucket {
  readonly all: Entry[] = []
  readonly byMonitor = new Map<string, Entry[]>()
  readonly byTag = new Map<string, Entry[]>()
  readonly byType = new Map<string, Entry[]>()

  add(entry: Entry): void {
    const filter = entry.rule.monitor_filter
    if (!filter || filter.monitor_ids.length + filter.tags.length + filter.types.length === 0) {
      this.all.push(entry)
      return
    }
    for (const id of filter.monitor_ids) push(this.byMonitor, id, entry)
    for (const tag of filter.tags) push(this.byTag, tag, entry)
    for (const type of filter.types) push(this.byType, type, entry)
  }

  get asksForMonitor(): boolean {
    return this.byTag.size > 0 || this.byType.size > 0
  }

  *of(monitorId: string | null, monitor: Monitor | undefined): Iterable<Entry> {
    yield* this.all
    if (monitorId === null) {
      // what is about no monitor is not kept back by a filter of monitors
      for (const entries of [this.byMonitor, this.byTag, this.byType]) for (const some of entries.values()) yield* some
      return
    }
    yield* this.byMonitor.get(monitorId) ?? []
    for (const tag of monitor?.tags ?? []) yield* this.byTag.get(tag) ?? []
    if (monitor) yield* this.byType.get(monitor.type) ?? []
  }
}

/** Rules of one event: those for every team, those that must look at its label, and those that name it. */
class Subscribers {
  readonly any = new Bucket()
  readonly byLabel = new Bucket()
  readonly byTeam = new Map<string, Bucket>()

  add(entry: Entry): void {
    const filter = entry.rule.tenant_filter
    if (!filter || filter.tenant_ids.length + filter.labels.length === 0) {
      this.any.add(entry)
      return
    }
    if (filter.labels.length > 0) this.byLabel.add(entry)
    for (const id of filter.tenant_ids) {
      const bucket = this.byTeam.get(id) ?? new Bucket()
      this.byTeam.set(id, bucket)
      bucket.add(entry)
    }
  }

  *buckets(teams: readonly Team[]): Iterable<Bucket> {
    yield this.any
    for (const { tenantId } of teams) {
      const bucket = this.byTeam.get(tenantId)
      if (bucket) yield bucket
    }
  }
}

/** What only a receiver that knows the beginning can do something with is told to pagers, by the rules for that beginning. */
const forPagers: Record<string, string> = { 'incident.acknowledged': 'incident.created' }
const underlying = (event: string) => forPagers[event] ?? event

/** A tenant's rules, put in order so that an event meets only those that may want it. */
export class RulesOfTenant {
  readonly #subscribers = new Map<string, Subscribers>()

  constructor(rules: readonly Rule[]) {
    for (const rule of rules)
      for (const as of rule.event_types) {
        const event = meantBy(as)
        const subscribers = this.#subscribers.get(event) ?? new Subscribers()
        this.#subscribers.set(event, subscribers)
        subscribers.add({ rule, as })
      }
  }

  /** Whether more than a monitor's id must be known to find the rules for this event. */
  asksForMonitor(event: string): boolean {
    const found = this.#subscribers.get(underlying(event))
    return found !== undefined && [found.any, found.byLabel, ...found.byTeam.values()].some(bucket => bucket.asksForMonitor)
  }

  wants(event: string): boolean {
    return this.#subscribers.has(underlying(event))
  }

  /** The channels to tell, each once, and the name to tell it by: the event's own rather than an alias. */
  match(
    event: string,
    { monitorId, monitor, teams }: { monitorId: string | null; monitor?: Monitor | undefined; teams: readonly Team[] },
  ): Map<Channel, string> {
    const told = new Map<Channel, string>()
    const found = this.#subscribers.get(underlying(event))
    if (!found) return told
    const isForPagers = event in forPagers
    const tell = ({ rule: { channel }, as }: Entry) => {
      if (isForPagers) {
        if (channel.type === 'pagerduty') told.set(channel, event)
      } else if (as === event || !told.has(channel)) told.set(channel, as)
    }
    for (const bucket of found.buckets(teams)) for (const entry of bucket.of(monitorId, monitor)) tell(entry)
    for (const entry of found.byLabel.of(monitorId, monitor))
      if (teams.some(({ label }) => entry.rule.tenant_filter?.labels.some(pattern => matchesLabel(label, pattern)))) tell(entry)
    return told
  }
}

export function matchesLabel(label: string | null, pattern: string): boolean {
  if (label === null) return false
  return pattern.endsWith('*') ? label.startsWith(pattern.slice(0, -1)) : label === pattern
}

function push(map: Map<string, Entry[]>, key: string, entry: Entry): void {
  const entries = map.get(key)
  if (entries) entries.push(entry)
  else map.set(key, [entry])
}
