import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ChannelType } from '#contract/plans.ts'
import { type ListedChannel, type Rule, RulesOfTenant } from '#control-plane/alerting/dispatch/rules-of-tenant.ts'
import { type Audience, type Follower, planNotifications } from '#control-plane/alerting/plan/plan.ts'
import { isNotified, reasonCodes, reasons } from '#control-plane/alerting/plan/reasons.ts'
import type { DecisionReason, Suppression } from '#control-plane/db/model/shapes.ts'
import { groupingEvents, suppression } from './suppressions.ts'

const monitorId = '00000000-0000-4000-8000-000000000001'
const otherMonitor = '00000000-0000-4000-8000-000000000002'
const monitor = { id: monitorId, tags: ['shop'], type: 'website' }
const ofMonitors = (...monitor_ids: string[]) => ({ monitor_ids, tags: [], types: [] })
const ofTags = (...tags: string[]) => ({ monitor_ids: [], tags, types: [] })
const ofTeams = (...labels: string[]) => ({ tenant_ids: [], labels })

type RuleSpec = Partial<Pick<Rule, 'event_types' | 'monitor_filter' | 'tenant_filter'>>
interface ChannelSpec extends Partial<Pick<ListedChannel, 'state' | 'hasUnreadableRule'>> {
  type?: ChannelType
  rules?: RuleSpec[]
}

function rulesOf(channels: Record<string, ChannelSpec>): RulesOfTenant {
  const rules = new RulesOfTenant()
  for (const [
    id,
    { type = 'slack', state = 'enabled', hasUnreadableRule = false, rules: own = [{}] },
  ] of Object.entries(channels)) {
    const channel = { id, tenantId: 't', type, config: {}, secrets: null }
    rules.list({ channel, name: `the ${id}`, state, hasUnreadableRule })
    own.forEach((rule, n) => {
      const usual = {
        event_types: ['incident.created', 'incident.resolved'],
        monitor_filter: null,
        tenant_filter: null,
      }
      // rules of a channel that is not enabled are not loaded
      if (state === 'enabled') rules.add({ id: `${id}-${n}`, channel, ...usual, ...rule })
    })
  }
  return rules
}

interface PlanSpec {
  event?: string
  suppressed?: Suppression | null
  called?: readonly string[]
  /** Channels of the team and of the reseller that were notified of the beginning. */
  followers?: Record<string, Follower>
  /** The monitors of a storm of one host. */
  members?: readonly (typeof monitor)[]
  team?: Record<string, ChannelSpec>
  reseller?: Record<string, ChannelSpec>
}

function planOf({
  event = 'incident.created',
  suppressed = null,
  called = [],
  members,
  team,
  reseller,
  ...rest
}: PlanSpec) {
  const followers = new Map(Object.entries(rest.followers ?? {}))
  const recipients = [
    ...(team ? [{ audience: 'team' as const, rules: rulesOf(team), teams: [], followers }] : []),
    ...(reseller
      ? [
          {
            ...{ audience: 'reseller' as const, rules: rulesOf(reseller), followers },
            teams: [{ tenantId: 'm', label: 'gold' }],
          },
        ]
      : []),
  ]
  return planNotifications({
    event: {
      name: event,
      monitorId: members ? null : monitorId,
      suppression: suppressed,
      calledChannels: new Set(called),
      ...(members ? { members: members.map(each => ({ id: each.id, monitor: each })) } : {}),
    },
    monitor,
    recipients,
  })
}

const reasonsOf = (spec: PlanSpec) =>
  Object.fromEntries(
    planOf(spec).decisions.map(({ audience, channel, reason }) => [`${audience} ${channel.id}`, reason]),
  )

describe('why a channel is notified or is not', () => {
  const rows: [title: string, channel: ChannelSpec, expected: DecisionReason, spec?: PlanSpec][] = [
    ['a rule names the event', {}, 'rule_matched'],
    ['a rule names an alias of the event', { rules: [{ event_types: ['monitor.down'] }] }, 'rule_matched'],
    ['the channel is disabled', { state: 'disabled' }, 'channel_disabled'],
    ['the plan does not include the type', { state: 'over_plan' }, 'plan_limit'],
    ['the channel has no rule', { rules: [] }, 'no_rule'],
    ['its rule names another event', { rules: [{ event_types: ['incident.resolved'] }] }, 'no_rule'],
    ['its only rule cannot be read', { rules: [], hasUnreadableRule: true }, 'rule_unreadable'],
    ['one of two rules cannot be read', { hasUnreadableRule: true }, 'rule_matched'],
    ['its rule names this monitor', { rules: [{ monitor_filter: ofMonitors(monitorId) }] }, 'rule_matched'],
    ['its rule names a tag of this monitor', { rules: [{ monitor_filter: ofTags('shop') }] }, 'rule_matched'],
    ['its rule names another monitor', { rules: [{ monitor_filter: ofMonitors(otherMonitor) }] }, 'monitor_filter'],
    ['its rule names another tag', { rules: [{ monitor_filter: ofTags('office') }] }, 'monitor_filter'],
    [
      'an acknowledgement goes to a pager by its rule for the opening',
      { type: 'pagerduty' },
      'rule_matched',
      { event: 'incident.acknowledged' },
    ],
    ['an acknowledgement that no rule names', {}, 'pagers_only', { event: 'incident.acknowledged' }],
    [
      'an acknowledgement that a rule names',
      { rules: [{ event_types: ['incident.acknowledged'] }] },
      'rule_matched',
      { event: 'incident.acknowledged' },
    ],
    ['an acknowledgement without a rule', { rules: [] }, 'no_rule', { event: 'incident.acknowledged' }],
    [
      'flapping goes to people by their rule for single outages',
      { rules: [{ event_types: ['incident.created'] }] },
      'rule_matched',
      { event: 'monitor.flapping' },
    ],
    [
      'flapping goes to a webhook only by a rule that names it',
      { type: 'webhook', rules: [{ event_types: ['incident.created'] }] },
      'no_rule',
      { event: 'monitor.flapping' },
    ],
  ]
  test.each(rows)('%s', (_, channel, expected, spec = {}) => {
    expect(reasonsOf({ ...spec, team: { one: channel } })).toEqual({ 'team one': expected })
  })

  test.each([
    ['every team', null, 'rule_matched'],
    ['this team', ofTeams('gold'), 'rule_matched'],
    ['labels that begin like this team’s', ofTeams('go*'), 'rule_matched'],
    ['other teams', ofTeams('silver'), 'tenant_filter'],
  ] as const)('a reseller’s rule is for %s', (_, tenant_filter, expected) => {
    const filter = tenant_filter && { tenant_ids: [], labels: [...tenant_filter.labels] }
    expect(reasonsOf({ reseller: { one: { rules: [{ tenant_filter: filter }] } } })).toEqual({
      'reseller one': expected,
    })
  })
})

describe('which audience a suppressed event is for', () => {
  const [notified, snoozed, before, flapping, storm, host] = [
    'rule_matched',
    'check_snoozed',
    'already_notified',
    'grouped_by_flapping',
    'grouped_by_storm',
    'grouped_by_host',
  ] as const
  const quiet = { is_team_notified: false }
  const unreleased = { is_reseller_notified: false }
  // by channel: people of the team, a webhook of the team, people of the reseller, a webhook of the reseller
  const rows: [
    title: string,
    stored: Suppression | null,
    expected: [DecisionReason, DecisionReason, DecisionReason, DecisionReason],
  ][] = [
    ['nothing suppresses it', null, [notified, notified, notified, notified]],
    ['begun', suppression(), [notified, notified, notified, notified]],
    ['begun, muted', suppression({ is_muted: true, ...quiet }), [snoozed, snoozed, notified, notified]],
    ['begun, flapping', suppression({ by: 'flapping', ...unreleased }), [flapping, notified, flapping, notified]],
    ['begun, in a storm', suppression({ by: 'storm', ...unreleased }), [storm, notified, storm, notified]],
    ['begun, in a storm of its host', suppression({ by: 'host', ...unreleased }), [host, notified, host, notified]],
    [
      'begun, muted and flapping',
      suppression({ by: 'flapping', is_muted: true, ...quiet, ...unreleased }),
      [snoozed, snoozed, flapping, notified],
    ],
    ['followed', suppression({ stage: 'followed' }), [notified, notified, notified, notified]],
    [
      'followed, muted at its beginning',
      suppression({ stage: 'followed', ...quiet }),
      ['opening_not_notified', 'opening_not_notified', notified, notified],
    ],
    [
      'followed, flapping',
      suppression({ stage: 'followed', by: 'flapping', ...unreleased }),
      [flapping, notified, flapping, notified],
    ],
    [
      'followed, flapping and released to the reseller alone',
      suppression({ stage: 'followed', by: 'flapping' }),
      [flapping, notified, notified, notified],
    ],
    [
      'released from flapping',
      suppression({ stage: 'released', by: 'flapping', ...unreleased }),
      [notified, before, notified, before],
    ],
    [
      'released from a storm',
      suppression({ stage: 'released', by: 'storm', ...unreleased }),
      [notified, before, notified, before],
    ],
    [
      'released while muted',
      suppression({ stage: 'released', by: 'flapping', is_muted: true, ...unreleased }),
      [snoozed, snoozed, notified, before],
    ],
    [
      'released, muted at its beginning',
      suppression({ stage: 'released', by: 'storm', ...quiet, ...unreleased }),
      [snoozed, snoozed, notified, before],
    ],
    [
      'released to the team after the reseller',
      suppression({ stage: 'released', by: 'flapping' }),
      [notified, before, before, before],
    ],
    [
      'begun, in maintenance',
      suppression({ by: 'maintenance', ...unreleased }),
      ['maintenance', 'maintenance', 'maintenance', 'maintenance'],
    ],
    [
      'followed, in maintenance',
      suppression({ stage: 'followed', by: 'maintenance', ...unreleased }),
      ['maintenance', 'maintenance', 'maintenance', 'maintenance'],
    ],
    [
      'released at the end of maintenance',
      suppression({ stage: 'released', by: 'maintenance', ...unreleased }),
      [notified, notified, notified, notified],
    ],
    [
      'released at the end of maintenance while muted',
      suppression({ stage: 'released', by: 'maintenance', is_muted: true, ...quiet, ...unreleased }),
      [snoozed, snoozed, notified, notified],
    ],
    [
      'released to the team after the reseller, at the end of a snooze',
      suppression({ stage: 'released', by: 'maintenance' }),
      [notified, notified, before, before],
    ],
    [
      'unmuted, in maintenance',
      suppression({ stage: 'unmuted', by: 'maintenance' }),
      ['maintenance', 'maintenance', before, before],
    ],
    ['unmuted', suppression({ stage: 'unmuted' }), [notified, notified, before, before]],
    ['unmuted, flapping', suppression({ stage: 'unmuted', by: 'flapping' }), [flapping, notified, before, before]],
  ]
  test.each(rows)('%s', (_, suppressed, [people, webhook, resellersPeople, resellersWebhook]) => {
    const channels = { people: {}, webhook: { type: 'webhook' as const } }
    expect(reasonsOf({ suppressed, team: channels, reseller: channels })).toEqual({
      'team people': people,
      'team webhook': webhook,
      'reseller people': resellersPeople,
      'reseller webhook': resellersWebhook,
    })
  })

  test('a storm of one host is about its monitors, so rules limited to one of them get it', () => {
    const narrow = { rules: [{ monitor_filter: ofMonitors(otherMonitor) }] }
    const tagged = { rules: [{ monitor_filter: ofTags('shop') }] }
    const elsewhere = { rules: [{ monitor_filter: ofTags('office') }] }
    const team = { all: {}, narrow, tagged, elsewhere, hook: { type: 'webhook' as const } }
    const members = [monitor, { id: otherMonitor, tags: [], type: 'website' }]
    expect(reasonsOf({ event: 'storm.detected', members, team })).toEqual({
      'team all': 'rule_matched',
      'team narrow': 'rule_matched',
      'team tagged': 'rule_matched',
      'team elsewhere': 'monitor_filter',
      'team hook': 'no_rule',
    })
    expect(reasonsOf({ suppressed: suppression({ by: 'host' }), team })).toEqual({
      'team all': 'grouped_by_host',
      'team narrow': 'monitor_filter',
      'team tagged': 'grouped_by_host',
      'team elsewhere': 'monitor_filter',
      'team hook': 'rule_matched',
    })
  })

  test('a storm is about no monitor, so rules limited to monitors get single alerts', () => {
    const narrow = { rules: [{ monitor_filter: ofMonitors(monitorId) }] }
    expect(reasonsOf({ suppressed: suppression({ by: 'storm' }), team: { narrow } })).toEqual({
      'team narrow': 'rule_matched',
    })
    expect(reasonsOf({ suppressed: suppression({ by: 'flapping' }), team: { narrow } })).toEqual({
      'team narrow': 'grouped_by_flapping',
    })
  })
})

test('a notification has its rule and the alias that the rule subscribes to', () => {
  const plan = planOf({ team: { one: { rules: [{ event_types: ['monitor.down'] }] } } })
  expect(plan.notifications).toMatchObject([{ audience: 'team', channel: { id: 'one' }, as: 'monitor.down' }])
  expect(plan.decisions).toEqual([
    {
      audience: 'team',
      channel: { id: 'one', name: 'the one', type: 'slack' },
      ruleId: 'one-0',
      reason: 'rule_matched',
      endsAs: null,
    },
  ])
})

test('a beginning has the name by which its rules send the end, at PagerDuty in any case', () => {
  const endsOf = (type: ChannelType, event_types: string[], event = 'incident.created') =>
    planOf({ event, team: { one: { type, rules: [{ event_types }] } } }).decisions[0]?.endsAs
  expect(endsOf('slack', ['monitor.down', 'monitor.up'])).toBe('monitor.up')
  expect(endsOf('slack', ['incident.created', 'incident.resolved'])).toBe('incident.resolved')
  expect(endsOf('slack', ['incident.created'])).toBeNull()
  expect(endsOf('pagerduty', ['incident.created'])).toBe('incident.resolved')
  expect(endsOf('pagerduty', ['incident.escalation_exhausted'], 'incident.escalation_exhausted')).toBe(
    'incident.resolved',
  )
  expect(endsOf('pagerduty', ['incident.resolved'], 'incident.resolved')).toBeNull()
})

test('a channel that was notified of the beginning is notified of the end, though its rules do not say so', () => {
  const followers = { one: { as: 'monitor.up', isCalled: false } }
  const one: ChannelSpec = { rules: [{ monitor_filter: ofMonitors(otherMonitor) }] }
  const spec: PlanSpec = { event: 'incident.resolved', followers, team: { one }, reseller: { one: { rules: [] } } }
  expect(reasonsOf(spec)).toEqual({ 'team one': 'opening_notified', 'reseller one': 'opening_notified' })
  expect(planOf(spec).notifications.map(({ audience, as }) => `${audience} ${as}`)).toEqual([
    'team monitor.up',
    'reseller monitor.up',
  ])
  expect(
    reasonsOf({ ...spec, team: { one: { state: 'disabled' } }, reseller: { one: { state: 'over_plan' } } }),
  ).toEqual({ 'team one': 'channel_disabled', 'reseller one': 'plan_limit' })
  const suppressed = suppression({ stage: 'followed', by: 'flapping' })
  expect(reasonsOf({ ...spec, suppressed, team: { one: {} } })).toMatchObject({ 'team one': 'grouped_by_flapping' })
  const called = { one: { as: 'incident.resolved', isCalled: true } }
  expect(reasonsOf({ ...spec, suppressed, followers: called, team: { one: {} } })).toMatchObject({
    'team one': 'opening_notified',
  })
})

test('a channel that several rules match is notified once', () => {
  const plan = planOf({ team: { one: { rules: [{}, { event_types: ['monitor.down'] }] } } })
  expect(plan.notifications.map(({ as }) => as)).toEqual(['incident.created'])
})

test('every reason has a sentence', () => {
  for (const code of reasonCodes) expect(reasons[code]).toMatch(/^[A-Z].*\.$/)
})

const anyChannel: fc.Arbitrary<ChannelSpec> = fc.record({
  type: fc.constantFrom<ChannelType>('webhook', 'slack', 'email', 'pagerduty'),
  state: fc.constantFrom('enabled', 'enabled', 'enabled', 'disabled', 'over_plan'),
  rules: fc.array(
    fc.record({
      event_types: fc.constantFrom(
        ['incident.created', 'incident.resolved'],
        ['monitor.down', 'incident.resolved'],
        ['incident.created', 'incident.resolved', 'monitor.flapping', 'storm.detected'],
      ),
      monitor_filter: fc.constantFrom(null, ofMonitors(monitorId), ofMonitors(otherMonitor), ofTags('shop')),
    }),
    { maxLength: 3 },
  ),
})
const anyChannels = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), anyChannel)
const anySuppression: fc.Arbitrary<Suppression | null> = fc.option(
  fc.record({
    stage: fc.constantFrom('begun', 'followed', 'released', 'unmuted'),
    by: fc.constantFrom(null, 'flapping', 'storm', 'host'),
    is_muted: fc.boolean(),
    is_team_notified: fc.boolean(),
    is_reseller_notified: fc.boolean(),
  }),
)
const events = fc.constantFrom('incident.created', 'incident.acknowledged', 'incident.resolved')

describe('every plan', () => {
  test('has one decision for each channel, and a notification for each positive decision', () => {
    fc.assert(
      fc.property(events, anySuppression, anyChannels, anyChannels, (event, suppressed, team, reseller) => {
        const { notifications, decisions } = planOf({ event, suppressed, team, reseller })
        const keys = (all: readonly { audience: Audience; channel: { id: string } }[]) =>
          all.map(({ audience, channel }) => `${audience} ${channel.id}`).toSorted()
        expect(keys(decisions)).toEqual(
          [
            ...Object.keys(team).map(id => `team ${id}`),
            ...Object.keys(reseller).map(id => `reseller ${id}`),
          ].toSorted(),
        )
        expect(keys(notifications)).toEqual(keys(decisions.filter(({ reason }) => isNotified(reason))))
      }),
    )
  })

  test('excludes no webhook because of grouping', () => {
    fc.assert(
      fc.property(events, anySuppression, anyChannels, anyChannels, (event, suppressed, team, reseller) => {
        for (const { channel, reason } of planOf({ event, suppressed, team, reseller }).decisions)
          if (channel.type === 'webhook') expect(reason).not.toMatch(/^grouped_by_/)
      }),
    )
  })
})

/**
 * The life of an incident as the engine's statements change its row: it begins, may be muted, grouped, released and
 * unmuted in any order, and is resolved. A snooze may have expired before the engine unmutes the incident.
 * `isTeamNotified` and `forwarded` are the columns `notified_at` and `forwarded_at`.
 */
function lifeOf(
  start: { isMuted: boolean; by: Suppression['by'] },
  steps: readonly ('release' | 'unmute' | 'mute' | 'expire')[],
) {
  const emitted: { event: string; suppressed: Suppression }[] = []
  const state = { ...start, isTeamNotified: !start.isMuted, forwarded: start.by === null }
  const emit = (event: string, stage: Suppression['stage'], isMuted = false) =>
    emitted.push({
      event,
      suppressed: {
        stage,
        by: state.by,
        is_muted: isMuted,
        is_team_notified: state.isTeamNotified,
        is_reseller_notified: state.forwarded,
      },
    })
  emit('incident.created', 'begun', state.isMuted)
  for (const step of steps)
    if (step === 'mute') state.isMuted = true
    else if (step === 'expire') state.isMuted = false
    else if (step === 'unmute') {
      state.isMuted = false
      if (!state.isTeamNotified) {
        state.isTeamNotified = true
        emit('incident.created', 'unmuted')
      }
    } else if (state.by !== null && (!state.forwarded || !state.isMuted)) {
      if (!state.forwarded || (!state.isMuted && state.isTeamNotified))
        emit('incident.created', 'released', state.isMuted)
      state.forwarded = true
      if (!state.isMuted) state.by = null
    }
  emit('incident.resolved', 'followed')
  return emitted
}

test('a channel is notified of the beginning once at most, and of the end only after the beginning', () => {
  const start = fc.record({
    isMuted: fc.boolean(),
    by: fc.constantFrom<Suppression['by'][]>(null, 'flapping', 'storm', 'host'),
  })
  const steps = fc.array(fc.constantFrom('release', 'unmute', 'mute', 'expire'), { maxLength: 6 })
  const seen = new Set<string>()
  fc.assert(
    fc.property(start, steps, anyChannels, anyChannels, (start, steps, team, reseller) => {
      const notified = new Map<string, string[]>()
      for (const { event, suppressed } of lifeOf(start, steps)) {
        seen.add(`${suppressed.stage} ${suppressed.by}`)
        for (const { audience, channel } of planOf({ event, suppressed, team, reseller }).notifications) {
          const key = `${audience} ${channel.id}`
          notified.set(key, [...(notified.get(key) ?? []), event])
        }
      }
      for (const got of notified.values())
        expect(['incident.created', 'incident.created incident.resolved']).toContain(got.join(' '))
    }),
    { numRuns: 2_000 },
  )
  // the random lives reach every stage
  for (const by of Object.keys(groupingEvents))
    for (const stage of ['begun', 'followed', 'released', 'unmuted']) expect(seen).toContain(`${stage} ${by}`)
})

describe('a step of an escalation policy', () => {
  const event = 'incident.escalated'
  const reasonsOf = (plan: ReturnType<typeof planOf>) =>
    Object.fromEntries(plan.decisions.map(({ audience, channel, reason }) => [`${audience} ${channel.id}`, reason]))

  test('notifies the channels that it calls once, whatever their rules are, and others by their rules', () => {
    const plan = planOf({
      event,
      called: ['a', 'b', 'off'],
      team: {
        a: { rules: [] },
        b: { rules: [{ event_types: [event] }] },
        c: { rules: [{ event_types: [event] }] },
        d: {},
        off: { state: 'disabled' },
      },
    })
    expect(reasonsOf(plan)).toEqual({
      'team a': 'escalation_step',
      'team b': 'escalation_step',
      'team c': 'rule_matched',
      'team d': 'no_rule',
      'team off': 'channel_disabled',
    })
    expect(plan.notifications.map(({ channel, as }) => `${channel.id} ${as}`).toSorted()).toEqual(
      ['a', 'b', 'c'].map(id => `${id} ${event}`),
    )
  })

  test('calls no channel of the reseller', () => {
    const plan = planOf({ event, called: ['a'], reseller: { a: { rules: [] } } })
    expect([reasonsOf(plan), plan.notifications]).toEqual([{ 'reseller a': 'no_rule' }, []])
  })
})
