import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { z } from 'zod'
import { queries, stamp } from '#control-plane/db/queries.ts'

const time = z.string().meta({ format: 'date-time' })

export const escalationStates = [
  'pending',
  'running',
  'held',
  'parked',
  'acknowledged',
  'resolved',
  'exhausted',
] as const
const skipReasons = ['condition_not_met', 'unreachable'] as const
const deliveryStates = ['pending', 'delivered', 'failed'] as const

/** How many notifications are shown, the newest. */
const mostShown = 100

const EscalationNotificationView = z
  .object({
    at: time,
    policy_id: z.uuid(),
    round: z.int(),
    step: z.int(),
    user_id: z.uuid().nullable(),
    user_name: z.string().nullable().meta({ description: 'As it was then; null once the person is erased.' }),
    channel_id: z.uuid().nullable(),
    channel_name: z.string().nullable().meta({ description: 'null for the contact method of a person.' }),
    channel_type: z.string().nullable(),
    via: z.enum(['mail', 'channel']).nullable().meta({ description: 'null: the step called no target.' }),
    reason: z.enum(skipReasons).nullable().meta({ description: 'Why the step called no target.' }),
    delivery: z
      .enum(deliveryStates)
      .nullable()
      .meta({
        description:
          'What became of the notification; null where there was none, and once the outcome is deleted: of mails ' +
          'after seven days, of channels with the entry of the notification log.',
      }),
  })
  .meta({ id: 'EscalationNotification' })

export const IncidentEscalationView = z
  .object({
    policy_id: z.uuid(),
    policy_name: z.string().nullable().meta({ description: 'null: the policy was deleted.' }),
    state: z
      .enum(escalationStates)
      .meta({ id: 'EscalationState' })
      .meta({
        description:
          'pending: no step was taken yet. running: steps are taken. held: a maintenance window, or a suppression of ' +
          'the alert, suspends the run. parked: the incident or its check is snoozed. acknowledged, resolved: what ' +
          'ended the run. exhausted: all steps were taken.',
      }),
    step: z.int().meta({ description: 'How many steps of this round were taken.' }),
    round: z.int(),
    next_at: time.nullable().meta({ description: 'When the next step is due; null while none is planned.' }),
    notifications: z.array(EscalationNotificationView).meta({
      description: `Whom the steps called, newest first, at most ${mostShown}.`,
    }),
    notifications_total: z.int(),
  })
  .meta({ id: 'IncidentEscalation' })

/** The escalation of an incident with whom it called; null without a policy. Three statements at most. */
export async function readEscalation(
  em: EntityManager,
  tenant: { id: string },
  incidentId: string,
): Promise<z.input<typeof IncidentEscalationView> | null> {
  const run = await queries(em)
    .selectFrom('escalation_runs as r')
    .leftJoin('escalation_policies as p', 'p.id', 'r.policy_id')
    .where('r.tenant_id', '=', tenant.id)
    .where('r.incident_id', '=', incidentId)
    .select(['r.id', 'r.policy_id', 'p.name as policy_name', 'r.step', 'r.round'])
    .select(({ ref }) => [
      ref('r.state').$castTo<(typeof escalationStates)[number]>().as('state'),
      stamp(ref('r.next_at')).as('next_at'),
    ])
    .executeTakeFirst()
  if (!run) return null
  const { id, next_at, ...known } = run
  const isGoing = run.state === 'pending' || run.state === 'running'
  const notifications = await readNotifications(em, tenant, id)
  const { total } = await queries(em)
    .selectFrom('escalation_notifications')
    .where('run_id', '=', id)
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow()
  return { ...known, next_at: isGoing ? next_at : null, notifications, notifications_total: total }
}

const readNotifications = (em: EntityManager, tenant: { id: string }, runId: string) =>
  queries(em)
    .selectFrom('escalation_notifications as n')
    .leftJoin('users as u', 'u.id', 'n.user_id')
    .leftJoin('notification_channels as c', 'c.id', 'n.channel_id')
    .leftJoin('deliveries as d', join =>
      join.onRef('d.channel_id', '=', 'n.channel_id').onRef('d.event_id', '=', 'n.outbox_id'),
    )
    .leftJoin('outbox as o', join => join.onRef('o.id', '=', 'n.outbox_id'))
    .where('n.tenant_id', '=', tenant.id)
    .where('n.run_id', '=', runId)
    .select(['n.policy_id', 'n.round', 'n.step', 'n.user_id'])
    .select(({ fn, ref }) => [
      stamp(ref('n.created_at')).as('at'),
      fn.coalesce(ref('n.user_name'), ref('u.name')).as('user_name'),
      sql<string | null>`case when n.user_id is null then n.channel_id end`.as('channel_id'),
      sql<string | null>`case when n.user_id is null then c.name end`.as('channel_name'),
      ref('c.type').as('channel_type'),
      ref('n.reason').$castTo<(typeof skipReasons)[number] | null>().as('reason'),
      sql<'mail' | 'channel' | null>`case when n.channel_id is not null then 'channel'
        when n.reason is null then 'mail' end`.as('via'),
      // a mail that was sent is deleted, one that was given up is kept for a week
      sql<(typeof deliveryStates)[number] | null>`case
        when n.reason is not null then null
        when n.channel_id is not null then case when d.status in ('delivered', 'failed') then d.status
          when d.id is not null or o.done_at is null and o.id is not null then 'pending' end
        when n.created_at < clock_timestamp() - interval '7 days' then null
        when o.id is null then 'delivered'
        when o.done_at is null then 'pending' else 'failed' end`.as('delivery'),
    ])
    .orderBy('n.created_at', 'desc')
    .orderBy('n.id', 'desc')
    .limit(mostShown)
    .execute()
