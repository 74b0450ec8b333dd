import type { DecisionReason } from '#control-plane/db/model/shapes.ts'
/** All reasons why a channel is notified of an event or is not, each as a sentence. */
export const reasons = {
  rule_matched: 'A notification rule of this channel matched the event.',
  escalation_step: 'A step of an escalation policy calls this channel.',
  opening_notified: 'This channel was notified of the beginning, by a step of an escalation policy or by a rule.',
  channel_disabled: 'The channel was disabled.',
  plan_limit: 'The plan did not include channels of this type.',
  rule_unreadable: 'A stored rule of this channel is unreadable and quarantined.',
  no_rule: 'No notification rule of this channel names this event.',
  pagers_only:
    'Acknowledgements are sent to pagers and chats that were notified of the beginning, to channels that a step of ' +
    'an escalation policy called, and by rules that name them.',
  tenant_filter: 'The rules of this channel for this event are limited to other teams.',
  monitor_filter: 'The rules of this channel for this event are limited to other monitors.',
  check_snoozed: 'The check was snoozed; the reseller, if there is one, was notified all the same.',
  opening_not_notified: 'The check was snoozed when this began, so its beginning was not notified.',
  grouped_by_flapping: 'The monitor was flapping: this channel gets one notification of that instead of single ones.',
  grouped_by_storm: 'Many monitors failed at once: this channel gets one notification of that instead of single ones.',
  grouped_by_host: 'Several monitors of one host failed at once: this channel gets one notification of the host.',
  maintenance: 'It began in a maintenance window; what is still open at the end of the window is notified then.',
  shadow: 'The monitor was in the shadow of a migration; what is still open at its cutover is notified then.',
  already_notified: 'This channel got its notification of this before.',
} as const satisfies Record<DecisionReason, string>
export const reasonCodes = Object.keys(reasons) as [DecisionReason, ...DecisionReason[]]

export const isNotified = (reason: DecisionReason): boolean =>
  reason === 'rule_matched' || reason === 'escalation_step' || reason === 'opening_notified'
