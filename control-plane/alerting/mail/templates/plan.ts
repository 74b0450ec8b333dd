import {
  asRecord,
  countOf,
  featureName,
  isGiven,
  rowsOf,
  type Scope,
  type Voice,
} from '#control-plane/alerting/mail/voice.ts'
import type { List, MailTemplates } from './template.ts'

/** A plan as the reseller calls it. */
const planName = ({ brand }: Scope, plan: unknown): unknown => {
  const labels = asRecord(asRecord(brand).plan_labels)
  return (typeof plan === 'string' && Object.hasOwn(labels, plan) && labels[plan]) || plan
}
const planNames = (data: Scope) => ({
  plan_name: planName(data, data.plan),
  previous_name: planName(data, data.previous_plan),
})

/** `after`: the name of the plan that follows a trial; null: the free plan. */
const afterTrial = (data: Scope, plan: unknown) => ({
  after: typeof plan !== 'string' || plan === 'free' ? null : planName(data, plan),
})

/** Such as “2 monitors and 1 channel”; empty where there are none of them. */
function amounts({ say, count }: Voice, monitors: unknown, channels: unknown): string {
  const [some, others] = [
    countOf(monitors) > 0 ? count('monitors', monitors) : '',
    countOf(channels) > 0 ? count('channels', channels) : '',
  ]
  return some && others ? say('both', { monitors: some, channels: others }) : some || others
}

/** `on_hold`: what the plan holds, as an amount; `stays`: what there is more of than it allows, as rows. */
const beyond = (data: Scope, voice: Voice) => ({
  ...planNames(data),
  on_hold: amounts(voice, data.monitors_on_hold, data.channels_on_hold),
  stays: rowsOf(data.over_limit).map(({ feature, current, limit }) => ({
    text: featureName(voice, String(feature)),
    detail: voice.say('over_limit', { current, limit }),
  })),
})

/** What is on hold and what stays, by name. */
const beyondLists: List[] = [
  { of: 'monitor_names', most: 10, count: 'monitors_on_hold' },
  { of: 'channel_names', most: 10, count: 'channels_on_hold' },
  { of: 'stays' },
]

const holdsMonitors = ({ monitors_on_hold }: Scope) => countOf(monitors_on_hold) > 0

/** What follows from what is beyond the plan, now or then; empty where nothing is. */
function whatFollows(scope: Scope, { say, count }: Voice, isAhead = false): string {
  const { on_hold, stays, monitors_on_hold, channels_on_hold } = scope
  const [isHeld, isMore] = [on_hold !== '', rowsOf(stays).length > 0]
  if (!isHeld && !isMore) return ''
  return [
    say(isAhead ? 'kept_then' : 'kept'),
    isHeld && (isAhead ? say('held_then') : count('held', countOf(monitors_on_hold) + countOf(channels_on_hold))),
    isHeld && holdsMonitors(scope) && say('chosen'),
    isMore && say('stays'),
  ]
    .filter(Boolean)
    .join(' ')
}

const toPlan = (scope: Scope) => ({ [holdsMonitors(scope) ? 'choose_monitors' : 'open_plan']: 'plan_url' })
const toUpgrade = (scope: Scope) => ({
  choose_plan: 'brand.upgrade_url',
  ...(holdsMonitors(scope) && { choose_monitors: 'plan_url' }),
})
const hasUpgrade = ({ brand }: Scope) => isGiven(asRecord(brand).upgrade_url)

export const planMails: MailTemplates = {
  trial_ending: {
    tone: 'warning',
    groups: ['beyond'],
    details: ['trial_ends_at'],
    lists: beyondLists,
    derive: (data, voice) => ({ ...beyond(data, voice), ...afterTrial(data, data.plan_after_trial) }),
    say: (scope, voice) => ({
      subject: voice.count('subject', scope.days_remaining),
      heading: voice.count('heading', scope.days_remaining),
      paragraphs: [voice.say(isGiven(scope.after) ? 'text' : 'text_free'), whatFollows(scope, voice, true)],
      buttons: toUpgrade(scope),
      note: hasUpgrade(scope) ? '' : voice.say('note'),
    }),
  },
  trial_expired: {
    tone: 'warning',
    groups: ['beyond'],
    lists: beyondLists,
    derive: (data, voice) => ({ ...beyond(data, voice), ...afterTrial(data, data.plan) }),
    say: (scope, voice) => ({
      paragraphs: [voice.say(isGiven(scope.after) ? 'text' : 'text_free'), whatFollows(scope, voice)],
      buttons: toUpgrade(scope),
      note: hasUpgrade(scope) || scope.on_hold === '' ? '' : voice.say('note'),
    }),
  },
  on_hold_changed: {
    tone: 'warning',
    groups: ['beyond'],
    details: ['changed_at'],
    lists: beyondLists,
    // what this change put on hold and what it released, as amounts
    derive: (data, voice) => ({
      ...beyond(data, voice),
      stopped: amounts(voice, data.monitors_held, data.channels_held),
      released: amounts(voice, data.monitors_released, data.channels_released),
    }),
    say(scope, voice) {
      const isStopped = scope.stopped !== ''
      const released = countOf(scope.monitors_released) + countOf(scope.channels_released)
      const [what, number] = isStopped
        ? (['stopped', countOf(scope.monitors_held) + countOf(scope.channels_held)] as const)
        : (['released', released] as const)
      const changes = [
        voice.say('text'),
        isStopped && scope.released !== '' && voice.count('released', released),
        isGiven(scope.is_unpaused) && voice.say('unpaused'),
      ]
      return {
        subject: voice.count(`subject_${what}`, number),
        heading: voice.count(`heading_${what}`, number),
        paragraphs: [changes.filter(Boolean).join(' '), whatFollows(scope, voice)],
        buttons: toPlan(scope),
      }
    },
  },
  billing_payment_failed: {
    tone: 'bad',
    details: ['grace_ends_at'],
    buttons: { button: 'pay_url' },
    derive: planNames,
  },
  billing_grace_ending: {
    tone: 'bad',
    details: ['grace_ends_at'],
    buttons: { button: 'pay_url' },
    derive: planNames,
  },
  billing_plan_changed: {
    tone: 'neutral',
    groups: ['beyond'],
    lists: beyondLists,
    derive: beyond,
    say: (scope, voice) => ({
      paragraphs: [voice.say('text'), whatFollows(scope, voice)],
      buttons: toPlan(scope),
    }),
  },
  billing_invoice_issued: { tone: 'neutral', details: ['number', 'total', 'due_at'], derive: planNames },
  billing_invoice_paid: {
    tone: 'good',
    details: ['number', 'total', 'paid_at'],
    buttons: { button: 'invoice_url' },
  },
}
