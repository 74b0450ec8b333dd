import { canonicalName } from '#contract/events.ts'
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

/** Rules of one event: those for every team, those that name it, and those that name its label or how that begins. */
class Subscribers {
  readonly #any = new Bucket()
  readonly #byTeam = new Map<string, Bucket>()
  readonly #byLabel = new Map<string, Bucket>()
  readonly #byPrefix = new Map<string, Bucket>()
  readonly #prefixLengths = new Set<number>()
  asksForMonitor = false

  add(entry: Entry): void {
    const filter = entry.rule.tenant_filter
    this.asksForMonitor ||=
      entry.rule.monitor_filter !== null &&
      entry.rule.monitor_filter.tags.length + entry.rule.monitor_filter.types.length > 0
    if (!filter || filter.tenant_ids.length + filter.labels.length === 0) {
      this.#any.add(entry)
      return
    }
    for (const id of filter.tenant_ids) bucketAt(this.#byTeam, id).add(entry)
    for (const pattern of filter.labels) {
      if (!pattern.endsWith('*')) {
        bucketAt(this.#byLabel, pattern).add(entry)
        continue
      }
      const prefix = pattern.slice(0, -1)
      this.#prefixLengths.add(prefix.length)
      bucketAt(this.#byPrefix, prefix).add(entry)
    }
  }

  *buckets(teams: readonly Team[]): Iterable<Bucket> {
    yield this.#any
    for (const { tenantId, label } of teams) {
      yield* found(this.#byTeam, tenantId)
      if (label === null) continue
      yield* found(this.#byLabel, label)
      for (const length of this.#prefixLengths)
        if (length <= label.length) yield* found(this.#byPrefix, label.slice(0, length))
    }
  }
}

/** What only a receiver that knows the beginning can do something with is told to pagers, by the rules for that beginning. */
const forPagers: Record<string, string> = { 'incident.acknowledged': 'incident.created' }
const underlying = (event: string) => forPagers[event] ?? event

/** Flapping and storms are grouped for people's channels only: a webhook receives every single event it subscribed to. */
export const isForPeople = (channel: Pick<Channel, 'type'>): boolean => channel.type !== 'webhook'

/** People who subscribed to single outages are notified of many as one, also without a rule that names the grouped event. */
const toldForMany: Record<string, string> = {
  'monitor.flapping': 'incident.created',
  'monitor.flapping_resolved': 'incident.resolved',
  'storm.detected': 'incident.created',
  'storm.resolved': 'incident.resolved',
}

/** A tenant's rules, put in order so that an event meets only those that may want it. */
export class RulesOfTenant {
  readonly #subscribers = new Map<string, Subscribers>()

  constructor(rules: readonly Rule[] = []) {
    for (const rule of rules) this.add(rule)
  }

  add(rule: Rule): void {
    for (const as of rule.event_types) {
      const event = canonicalName(as)
      const subscribers = this.#subscribers.get(event) ?? new Subscribers()
      this.#subscribers.set(event, subscribers)
      subscribers.add({ rule, as })
    }
  }

  /** Whether more than a monitor's id must be known to find the rules for this event. */
  asksForMonitor(event: string): boolean {
    return [underlying(event), toldForMany[event] ?? event].some(name => this.#subscribers.get(name)?.asksForMonitor)
  }

  wants(event: string): boolean {
    return this.#subscribers.has(underlying(event)) || this.#subscribers.has(toldForMany[event] ?? event)
  }

  /** The channels to tell, each once, and the name to tell it by: the event's own rather than an alias. */
  match(
    event: string,
    { monitorId, monitor, teams }: { monitorId: string | null; monitor?: Monitor | undefined; teams: readonly Team[] },
  ): Map<Channel, string> {
    const told = new Map<Channel, string>()
    const isForPagers = event in forPagers
    const tell = ({ rule: { channel }, as }: Entry) => {
      if (isForPagers) {
        if (channel.type === 'pagerduty') told.set(channel, event)
      } else if (as === event || !told.has(channel)) told.set(channel, as)
    }
    for (const bucket of this.#subscribers.get(underlying(event))?.buckets(teams) ?? [])
      for (const entry of bucket.of(monitorId, monitor)) tell(entry)
    for (const bucket of this.#subscribers.get(toldForMany[event] ?? '')?.buckets(teams) ?? [])
      for (const { rule } of bucket.of(monitorId, monitor))
        if (isForPeople(rule.channel) && !told.has(rule.channel) && (monitorId !== null || !isLimited(rule)))
          told.set(rule.channel, event)
    return told
  }
}

const isLimited = ({ monitor_filter: filter }: Rule) =>
  filter !== null && filter.monitor_ids.length + filter.tags.length + filter.types.length > 0

function bucketAt(buckets: Map<string, Bucket>, key: string): Bucket {
  const bucket = buckets.get(key) ?? new Bucket()
  buckets.set(key, bucket)
  return bucket
}

const found = (buckets: Map<string, Bucket>, key: string): Bucket[] => {
  const bucket = buckets.get(key)
  return bucket ? [bucket] : []
}

function push(map: Map<string, Entry[]>, key: string, entry: Entry): void {
  const entries = map.get(key)
  if (entries) entries.push(entry)
  else map.set(key, [entry])
}
