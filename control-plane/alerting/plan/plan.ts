import { endOf } from '#control-plane/alerting/channels/kinds/alert-key.ts'
import type { Channel } from '#control-plane/alerting/deliveries/delivery.ts'
import {
  isForPeople,
  type Match,
  type Member,
  type Monitor,
  type RulesOfTenant,
  type Team,
} from '#control-plane/alerting/dispatch/rules-of-tenant.ts'
import type { DecisionReason, Suppression } from '#control-plane/db/model/shapes.ts'
import { isNotified } from './reasons.ts'

export const audiences = ['team', 'reseller'] as const
/** The owner of channels: the team that the event belongs to, or the reseller that manages it. */
export type Audience = (typeof audiences)[number]

export interface Recipient {
  audience: Audience
  rules: RulesOfTenant
  /** The managed teams that the event is about: a reseller's rules filter by them. */
  teams: readonly Team[]
  /** Of what follows the beginning of an alert: the channels that were notified of the beginning, by their ids. */
  followers?: ReadonlyMap<string, Follower>
}

/** Why a channel is notified of what follows, whatever its rules are now. */
export interface Follower {
  /** The name to send the event by. */
  as: string
  /** Whether a step of an escalation policy called it; else a rule did, which may be gone. */
  isCalled: boolean
}

export interface PlanInput {
  event: {
    name: string
    monitorId: string | null
    suppression: Suppression | null
    /** The monitors of a storm of one host. */
    members?: readonly Member[]
    /** Channels of the team that a step of an escalation policy calls, whatever their rules are. */
    calledChannels?: ReadonlySet<string>
  }
  /** The tags and type of the monitor, where a rule filters by them and the monitor exists. */
  monitor: Monitor | undefined
  recipients: readonly Recipient[]
}

export interface PlannedNotification {
  audience: Audience
  channel: Channel
  /** The name of the event, or the alias that the rule is subscribed to. */
  as: string
}

export interface Decision {
  audience: Audience
  channel: { id: string; name: string; type: string }
  ruleId: string | null
  reason: DecisionReason
  /** Of a beginning: the name by which the rules of the channel send its end; null if they do not. */
  endsAs: string | null
}

export interface Plan {
  notifications: PlannedNotification[]
  decisions: Decision[]
}

/**
 * Decides which channels are notified of an event, and why the others are not. The first condition that applies to a
 * channel is its reason.
 *
 * | Condition                                                                        | Reason                 |
 * |----------------------------------------------------------------------------------|------------------------|
 * | the channel is disabled                                                          | `channel_disabled`     |
 * | the plan does not include its type                                               | `plan_limit`           |
 * | a step of an escalation policy calls the channel                                 | `escalation_step`      |
 * | its rules do not send the end of what they notified it of, as they were changed; | `opening_notified`     |
 * | or an acknowledgement of it, and it is a pager or a chat                         |                        |
 * | none of its rules names the event, or an alias of it                             | `no_rule`              |
 * | … and a rule of it cannot be read                                                | `rule_unreadable`      |
 * | an acknowledgement that no rule names, and the channel is no pager               | `pagers_only`          |
 * | its rules for the event are limited to other teams                               | `tenant_filter`        |
 * | its rules for the event are limited to other monitors                            | `monitor_filter`       |
 * | the audience is left out, by the table below                                     | as there               |
 * | suppressed, and people read the channel and it is notified of the grouping event | `grouped_by_…`         |
 * | released, and the channel was not left out before                                | `already_notified`     |
 * | left out by the table below, and a step called the channel of the beginning      | `opening_notified`     |
 * | else                                                                             | `rule_matched`         |
 *
 * The grouping event is `monitor.flapping` or `storm.detected`, of which that of one host also goes to channels whose
 * rules are limited to some of its monitors. A webhook gets every single event besides it. An event without
 * suppression goes to the team and to the reseller.
 *
 * | Stage    | Team                                             | Reseller                                         |
 * |----------|--------------------------------------------------|--------------------------------------------------|
 * | begun    | muted: `check_snoozed`;                          | suppressed as the incident is                    |
 * |          | else suppressed as the incident is               |                                                  |
 * | followed | not notified of the beginning:                   | suppressed as the incident is, until the         |
 * |          | `opening_not_notified`; else as the incident is  | reseller was notified of the beginning           |
 * | released | muted, or not notified of the beginning:         | notified: `already_notified`;                    |
 * |          | `check_snoozed`; else those left out before      | else those left out before                       |
 * | unmuted  | suppressed as the incident is                    | `already_notified`                               |
 *
 * An event that began in a maintenance window is for no channel, not even a webhook: `maintenance`. If it is still open
 * at the end of the window, it is released for all channels. The same holds for the shadow of a migration: `shadow`.
 *
 * The engine stores the input of these decisions and emits the events: `engine/suppression` finds, releases and ends
 * flapping and storms (`suppressed_by`, `forwarded_at`); `verdicts/write-group` and `monitoring/checks/end-snooze` note
 * whether the team was notified (`notified_at`, of warnings `notified_depth`). A snoozed incident and a failing channel
 * exclude no channel. `mail/suppression` decides whether a mail goes to a reseller's webhook instead; `deliveries`
 * decides which recipients get it, and retries it.
 */
export function planNotifications({ event, monitor, recipients }: PlanInput): Plan {
  const plan: Plan = { notifications: [], decisions: [] }
  for (const recipient of recipients) planFor(recipient, { event, monitor }, plan)
  return plan
}

function planFor(
  { audience, rules, teams, followers }: Recipient,
  { event, monitor }: Pick<PlanInput, 'event' | 'monitor'>,
  plan: Plan,
): void {
  const { name, monitorId, suppression, members, calledChannels } = event
  const selection = selectionOf(suppression, audience)
  const isCalled = ({ channel, state }: Listed) =>
    audience === 'team' && state === 'enabled' && calledChannels?.has(channel.id) === true
  for (const listed of rules.channels.values()) {
    if (!isCalled(listed)) continue
    plan.notifications.push({ audience, channel: listed.channel, as: name })
    plan.decisions.push(decisionOf(audience, listed, 'escalation_step'))
  }
  const matchesOf = (of: string) =>
    members ? rules.matchAny(of, { members, teams }) : rules.match(of, { monitorId, monitor, teams })
  const end = endOf(name)
  const ends = end === null ? null : matchesOf(end)
  // an alert at PagerDuty would stay open for ever
  const endsAs = (channel: Channel) => ends?.get(channel)?.as ?? (channel.type === 'pagerduty' ? end : null)
  const matches = matchesOf(name)
  const grouping = 'by' in selection ? groupingEvents[selection.by] : null
  const grouped =
    grouping &&
    rules.match(grouping, {
      monitorId: 'by' in selection && selection.by === 'storm' ? null : monitorId,
      monitor,
      teams,
    })
  for (const [channel, match] of matches) {
    const listed = rules.channels.get(channel.id)
    if (listed && isCalled(listed)) continue
    const planned = reasonOfMatch(selection, grouped?.has(channel) === true && isForPeople(channel))
    const reason = !isNotified(planned) && followers?.get(channel.id)?.isCalled ? 'opening_notified' : planned
    if (isNotified(reason)) plan.notifications.push({ audience, channel, as: match.as })
    if (listed)
      plan.decisions.push(decisionOf(audience, listed, reason, match, isNotified(reason) ? endsAs(channel) : null))
  }
  for (const listed of rules.channels.values()) {
    if (isCalled(listed) || (listed.state === 'enabled' && matches.has(listed.channel))) continue
    const follower = listed.state === 'enabled' && followers?.get(listed.channel.id)
    if (follower) {
      plan.notifications.push({ audience, channel: listed.channel, as: follower.as })
      plan.decisions.push(decisionOf(audience, listed, 'opening_notified'))
      continue
    }
    const reason =
      listed.state === 'enabled' ? unmatchedReason(rules, listed, name, teams) : unusableReasons[listed.state]
    plan.decisions.push(decisionOf(audience, listed, reason))
  }
}

/** The events by which channels are notified that an incident is open. */
export const openings: readonly string[] = ['incident.created', 'incident.escalated', 'incident.escalation_exhausted']

const groupingEvents = { flapping: 'monitor.flapping', storm: 'storm.detected', host: 'storm.detected' } as const
const groupedReasons = {
  flapping: 'grouped_by_flapping',
  storm: 'grouped_by_storm',
  host: 'grouped_by_host',
} as const
const unusableReasons = { disabled: 'channel_disabled', over_plan: 'plan_limit' } as const

/** The events whose rules decide about an event: the event itself, its grouping event and its end. */
export const eventsMatched = ({ name, suppression }: Pick<PlanInput['event'], 'name' | 'suppression'>): string[] => {
  const by = suppression?.by
  return [
    name,
    ...(by && by !== 'maintenance' && by !== 'shadow' ? [groupingEvents[by]] : []),
    ...[endOf(name) ?? []].flat(),
  ]
}

/**
 * Which channels of an audience get an event: all, none, those that are not notified of its grouping event, or only
 * those that were.
 */
type Selection =
  | { channels: 'all' }
  | { channels: 'none'; reason: DecisionReason }
  | { channels: 'ungrouped' | 'grouped'; by: keyof typeof groupingEvents }

export function selectionOf(suppression: Suppression | null, audience: Audience): Selection {
  if (!suppression) return { channels: 'all' }
  const { stage, by, is_muted, is_team_notified, is_reseller_notified } = suppression
  const none = (reason: DecisionReason): Selection => ({ channels: 'none', reason })
  if (by === 'maintenance' || by === 'shadow') {
    if (audience === 'team' && is_muted) return none('check_snoozed')
    if (audience === 'reseller' && is_reseller_notified)
      return stage === 'followed' ? { channels: 'all' } : none('already_notified')
    if (stage !== 'released') return none(by)
    return audience === 'team' && !is_team_notified ? none('check_snoozed') : { channels: 'all' }
  }
  const ungrouped: Selection = by ? { channels: 'ungrouped', by } : { channels: 'all' }
  const grouped: Selection = by ? { channels: 'grouped', by } : { channels: 'all' }
  if (audience === 'team')
    switch (stage) {
      case 'begun':
        return is_muted ? none('check_snoozed') : ungrouped
      case 'followed':
        return is_team_notified ? ungrouped : none('opening_not_notified')
      case 'released':
        return is_muted || !is_team_notified ? none('check_snoozed') : grouped
      case 'unmuted':
        return ungrouped
    }
  switch (stage) {
    case 'begun':
      return ungrouped
    case 'followed':
      return is_reseller_notified ? { channels: 'all' } : ungrouped
    case 'released':
      return is_reseller_notified ? none('already_notified') : grouped
    case 'unmuted':
      return none('already_notified')
  }
}

function reasonOfMatch(selection: Selection, isGrouped: boolean): DecisionReason {
  switch (selection.channels) {
    case 'all':
      return 'rule_matched'
    case 'none':
      return selection.reason
    case 'ungrouped':
      return isGrouped ? groupedReasons[selection.by] : 'rule_matched'
    case 'grouped':
      return isGrouped ? 'rule_matched' : 'already_notified'
  }
}

type Listed = RulesOfTenant['channels'] extends ReadonlyMap<string, infer Value> ? Value : never

function unmatchedReason(rules: RulesOfTenant, listed: Listed, event: string, teams: readonly Team[]): DecisionReason {
  const reason = rules.whyUnmatched(event, listed.channel, teams)
  return reason === 'no_rule' && listed.hasUnreadableRule ? 'rule_unreadable' : reason
}

const decisionOf = (
  audience: Audience,
  { channel, name }: Listed,
  reason: DecisionReason,
  match?: Match,
  endsAs: string | null = null,
): Decision => ({
  audience,
  channel: { id: channel.id, name, type: channel.type },
  ruleId: match?.rule.id ?? null,
  reason,
  endsAs,
})
