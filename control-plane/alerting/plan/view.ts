import { z } from 'zod'
import { deliveryStatuses, sendErrors } from '#control-plane/db/model/shapes.ts'
import { audiences } from './plan.ts'
import { isNotified, reasonCodes, reasons } from './reasons.ts'
import type { DecisionsRow, DeliveryState } from './row.ts'

const time = z.string().meta({ format: 'date-time' })
const stages = {
  begun: 'it began',
  followed: 'something happened to it later, such as its acknowledgement or end',
  released: 'flapping, a storm or maintenance had suppressed it, and no longer does',
  unmuted: 'its check was snoozed when it began, and no longer is',
} as const
const stageNames = Object.keys(stages) as [keyof typeof stages, ...(keyof typeof stages)[]]

const ChannelDecisionView = z.object({
  channel_id: z.uuid(),
  channel_name: z.string().meta({ description: 'As it was when the event was handled.' }),
  channel_type: z.string(),
  is_notified: z.boolean().meta({
    description: 'A mail that the reseller suppresses counts once the webhook of the reseller has it.',
  }),
  reason: z.enum(reasonCodes).meta({
    description: Object.entries(reasons)
      .map(([code, message]) => `${code}: ${message}`)
      .join(' '),
  }),
  message: z.string().meta({ description: 'The reason as a sentence.' }),
  rule_id: z.uuid().nullable().meta({ description: 'The rule that matched, also if the channel was not notified.' }),
  delivery: z
    .object({
      id: z.uuid(),
      status: z.enum(deliveryStatuses),
      attempts: z.int(),
      error: z.enum(sendErrors).nullable().meta({ description: 'Why the last attempt failed.' }),
      next_attempt_at: time.nullable(),
      finished_at: time.nullable(),
    })
    .nullable()
    .meta({ description: 'null if the channel was not notified, or the entry of the notification log was deleted.' }),
})

export const IncidentNotificationsView = z
  .object({
    id: z.uuid(),
    event: z.string(),
    stage: z.enum(stageNames).meta({
      description: `Why the event was emitted. ${stageNames.map(name => `${name}: ${stages[name]}.`).join(' ')}`,
    }),
    audience: z.enum(audiences).meta({
      description:
        'The owner of the channels: the team, or the reseller that manages it. Only the reseller sees its own.',
    }),
    emitted_at: time,
    decided_at: time,
    notified_count: z.int(),
    message: z.string(),
    channels: z.array(ChannelDecisionView),
  })
  .meta({ id: 'IncidentNotifications' })

export function viewDecisions(
  { channels, event_id: _, reseller_id, ...row }: DecisionsRow,
  deliveries: ReadonlyMap<string, DeliveryState>,
): z.input<typeof IncidentNotificationsView> {
  const shown = channels.map(({ ends_as: _, ...channel }) => {
    const found = deliveries.get(channel.channel_id)
    return {
      ...channel,
      is_notified: isNotified(channel.reason) && !(found && isOnItsWay(found)),
      message: reasons[channel.reason],
      delivery: found ? viewDelivery(found) : null,
    }
  })
  const notified = shown.filter(({ is_notified }) => is_notified).length
  const owner = reseller_id === null ? 'team' : 'reseller'
  return {
    ...row,
    audience: owner,
    notified_count: notified,
    message:
      channels.length === 0
        ? `The ${owner} had no notification channels.`
        : `${notified} of ${channels.length} channels of the ${owner} ${notified === 1 ? 'was' : 'were'} notified.`,
    channels: shown,
  }
}

/** Left to another delivery, which has not arrived. */
const isOnItsWay = ({ is_handed_over, status }: DeliveryState) => is_handed_over && status !== 'delivered'

function viewDelivery({ is_handed_over: _, ...delivery }: DeliveryState) {
  return delivery
}
