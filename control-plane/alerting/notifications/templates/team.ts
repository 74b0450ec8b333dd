import type { MessageTemplate, Tone } from '#control-plane/alerting/mail/templates/template.ts'
import { featureName, isGiven, type Scope, type Voice } from '#control-plane/alerting/mail/voice.ts'
import { teamOf, textOf } from '#control-plane/alerting/notifications/values.ts'

/** The name of the team; of the reader's own, of which an event has no name, words for it. */
function derive(data: Scope, voice: Voice) {
  const name = textOf(data.tenant_name) || teamOf(data)
  return {
    team: name || voice.say('own'),
    team_first: name || voice.say('own_first'),
    is_own: name === '',
    feature_name: featureName(voice, textOf(data.feature)),
    teams_count: Array.isArray(data.teams) ? data.teams.length : 0,
    in_use: voice.find('in_use'),
  }
}

/** Of one sentence, with what else is known of it and when it happened. */
const notice = (tone: Tone, details: readonly string[] = [], say?: MessageTemplate['say']): MessageTemplate => ({
  tone,
  groups: ['team'],
  details: [...details, 'timestamp'],
  derive,
  ...(say && { say }),
})

/** What follows the trial: the same plan, the free one or another. */
function noteOf({ say }: Voice, plan: unknown, before: unknown): string {
  if ((plan ?? null) === (before ?? null)) return say('note_same')
  return say(isGiven(plan) && plan !== 'free' ? 'note_plan' : 'note_free')
}

export const teamEvents: Record<string, MessageTemplate> = {
  'team.provisioned': notice('neutral', ['label']),
  'team.deleted': notice('neutral'),
  'team.restored': notice('good'),
  'team.paused': notice('neutral', ['reason']),
  'team.unpaused': notice('good'),
  'team.trial_ending': notice(
    'warning',
    ['plan', 'trial_ends_at', 'label'],
    ({ days_remaining, plan, plan_after_trial }, voice) => ({
      heading: voice.count('heading', days_remaining),
      note: noteOf(voice, plan_after_trial, plan),
    }),
  ),
  'team.trial_expired': notice('warning', ['previous_plan'], ({ plan, previous_plan }, voice) => ({
    note: noteOf(voice, plan, previous_plan),
  })),
  'tenant.quota_warning': notice('warning', ['in_use']),
  'tenant.quota_exceeded': notice('warning', ['in_use']),
  'member.added': notice('neutral', ['role'], ({ is_own }, { say }) => ({
    heading: say(is_own === true ? 'heading_own' : 'heading'),
  })),
  'member.removed': notice('neutral', ['role']),
  'member.erased': notice('neutral', ['email', 'teams_count']),
  'billing.plan_changed': notice('neutral', ['previous_plan']),
  'billing.payment_failed': notice('bad', ['grace_ends_at']),
  'billing.invoice_paid': notice('good', ['number', 'total']),
}
