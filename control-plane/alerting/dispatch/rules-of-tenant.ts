import { canonicalName } from '#contract/events.ts'
import type { Channel } from '#control-plane/alerting/deliveries/delivery.ts'
import type { Row } from '#control-plane/db/queries.ts'

export type Rule = Row<'notification_rules', 'id' | 'event_types' | 'monitor_filter' | 'tenant_filter'> & {
  channel: Channel
}

/** A channel of a tenant, and whether messages may be sent to it. */
export interface ListedChannel {
  channel: Channel
  name: string
  state: 'enabled' | 'disabled' | 'over_plan'
  hasUnreadableRule: boolean
}

/** The managed team an event is about. */
export interface Team {
  tenantId: string
  label: string | null
}

export type Monitor = Row<'monitors', 'id' | 'tags' | 'type'>

/** A monitor that an event is about, among others; with its tags and type where a rule filters by them. */
export interface Member {
  id: string
  monitor: Monitor | undefined
}

export interface Match {
  rule: Rule
  /** The name that the rule subscribes to: the event's own, or an alias. */
  as: string
}
type Entry = Match

/** Rules of one event, indexed by their monitor filter. */
class Bucket {
  readonly all: Entry[] = []
  readonly byMonitor = new Map<string, Entry[]>()
  readonly byTag = new Map<string, Entry[]>()
  readonly byType = new Map<string, Entry[]>()
  readonly channelIds = new Set<string>()

  add(entry: Entry): void {
    this.channelIds.add(entry.rule.channel.id)
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
      // an event about no monitor passes every monitor filter
      for (const entries of [this.byMonitor, this.byTag, this.byType]) for (const some of entries.values()) yield* some
      return
    }
    yield* this.byMonitor.get(monitorId) ?? []
    for (const tag of monitor?.tags ?? []) yield* this.byTag.get(tag) ?? []
    if (monitor) yield* this.byType.get(monitor.type) ?? []
  }
}

/** Rules of one event, indexed by their team filter: none, ids of teams, labels, beginnings of labels. */
class Subscribers {
  readonly #any = new Bucket()
  readonly #byTeam = new Map<string, Bucket>()
  readonly #byLabel = new Map<string, Bucket>()
  readonly #byPrefix = new Map<string, Bucket>()
  readonly #prefixLengths = new Set<number>()
  readonly channelIds = new Set<string>()
  asksForMonitor = false

  add(entry: Entry): void {
    this.channelIds.add(entry.rule.channel.id)
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

/** Events that PagerDuty also gets by the rules for the beginning: it updates the alert that it has. */
const forPagers: Record<string, string> = { 'incident.acknowledged': 'incident.created' }

/** Whether flapping and storms are grouped for this channel: a webhook gets every single event. */
export const isForPeople = (channel: Pick<Channel, 'type'>): boolean => channel.type !== 'webhook'

/** Grouped events that go to people also by the rules for single incidents. */
const groupedAs: Record<string, string> = {
  'monitor.flapping': 'incident.created',
  'monitor.flapping_resolved': 'incident.resolved',
  'storm.detected': 'incident.created',
  'storm.resolved': 'incident.resolved',
}

/** The events whose rules send an event to some channel. */
const namesOf = (event: string): string[] => [
  event,
  ...[forPagers[event] ?? []].flat(),
  ...[groupedAs[event] ?? []].flat(),
]

/** The rules of a tenant, indexed so that an event is compared only with those that may match. */
export class RulesOfTenant {
  readonly #subscribers = new Map<string, Subscribers>()
  readonly #channels = new Map<string, ListedChannel>()

  constructor(rules: readonly Rule[] = []) {
    for (const rule of rules) this.add(rule)
  }

  /** Every channel of the tenant by its id, also those without rules. */
  get channels(): ReadonlyMap<string, ListedChannel> {
    return this.#channels
  }

  list(channel: ListedChannel): void {
    this.#channels.set(channel.channel.id, channel)
  }

  add(rule: Rule): void {
    for (const as of rule.event_types) {
      const event = canonicalName(as)
      const subscribers = this.#subscribers.get(event) ?? new Subscribers()
      this.#subscribers.set(event, subscribers)
      subscribers.add({ rule, as })
    }
  }

  /** Whether a rule for this event filters by tags or types of monitors. */
  asksForMonitor(event: string): boolean {
    return namesOf(event).some(name => this.#subscribers.get(name)?.asksForMonitor)
  }

  wants(event: string): boolean {
    return namesOf(event).some(name => this.#subscribers.has(name))
  }

  /**
   * The channels to notify, each with the rule that matched and the name to send the event by: its own rather than an
   * alias.
   */
  match(
    event: string,
    { monitorId, monitor, teams }: { monitorId: string | null; monitor?: Monitor | undefined; teams: readonly Team[] },
  ): Map<Channel, Match> {
    const matches = new Map<Channel, Match>()
    for (const bucket of this.#subscribers.get(event)?.buckets(teams) ?? [])
      for (const entry of bucket.of(monitorId, monitor))
        if (entry.as === event || !matches.has(entry.rule.channel)) matches.set(entry.rule.channel, entry)
    for (const bucket of this.#subscribers.get(forPagers[event] ?? '')?.buckets(teams) ?? [])
      for (const { rule } of bucket.of(monitorId, monitor))
        if (rule.channel.type === 'pagerduty' && !matches.has(rule.channel))
          matches.set(rule.channel, { rule, as: event })
    for (const bucket of this.#subscribers.get(groupedAs[event] ?? '')?.buckets(teams) ?? [])
      for (const { rule } of bucket.of(monitorId, monitor))
        if (isForPeople(rule.channel) && !matches.has(rule.channel) && (monitorId !== null || !isLimited(rule)))
          matches.set(rule.channel, { rule, as: event })
    return matches
  }

  /** As `match`, for an event about several monitors: a rule that is limited to some of them matches. */
  matchAny(
    event: string,
    { members, teams }: { members: readonly Member[]; teams: readonly Team[] },
  ): Map<Channel, Match> {
    const matches = this.match(event, { monitorId: null, teams })
    for (const { id: monitorId, monitor } of members)
      for (const [channel, match] of this.match(event, { monitorId, monitor, teams }))
        if (!matches.has(channel)) matches.set(channel, match)
    return matches
  }

  /** Why `match` left a channel out: the first condition that none of its rules meets. */
  whyUnmatched(
    event: string,
    channel: Channel,
    teams: readonly Team[],
  ): 'no_rule' | 'pagers_only' | 'tenant_filter' | 'monitor_filter' {
    const subscribed = namesOf(event)
      .filter(name => name !== groupedAs[event] || isForPeople(channel))
      .flatMap(name => this.#subscribers.get(name) ?? [])
      .filter(({ channelIds }) => channelIds.has(channel.id))
    if (subscribed.length === 0) return 'no_rule'
    const isNamed = this.#subscribers.get(event)?.channelIds.has(channel.id) === true
    if (event in forPagers && !isNamed && channel.type !== 'pagerduty') return 'pagers_only'
    const isOfTeam = subscribed.some(each =>
      [...each.buckets(teams)].some(({ channelIds }) => channelIds.has(channel.id)),
    )
    return isOfTeam ? 'monitor_filter' : 'tenant_filter'
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
