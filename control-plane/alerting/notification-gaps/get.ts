import { z } from 'zod'
import { mayRead } from '#control-plane/alerting/channels/input.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { type GapCause, gapCauses, readNotificationGaps } from './read.ts'

const causes = Object.keys(gapCauses) as [GapCause, ...GapCause[]]
const Cause = z.enum(causes).meta({ description: causes.map(code => `${code}: ${gapCauses[code]}`).join(' ') })

/** How many monitors and channels are named. */
const mostNamed = 50

const NotificationGapsView = z
  .object({
    monitors_count: z
      .int()
      .meta({ description: 'Monitors whose incidents reach no channel and no person of the team.' }),
    open_incidents_count: z.int().meta({ description: 'Their open incidents.' }),
    cause: Cause.nullable().meta({ description: 'The most general cause among the monitors; null without any.' }),
    monitors: z
      .array(z.object({ id: z.uuid(), name: z.string(), open_incidents_count: z.int(), cause: Cause }))
      .meta({ description: `Those with open incidents first, at most ${mostNamed}.` }),
    channels: z.array(z.object({ id: z.uuid(), name: z.string() })).meta({
      description:
        'Channels that a rule could send them to: enabled, part of the plan, e-mail with a confirmed recipient. ' +
        'Empty where there is no gap.',
    }),
  })
  .meta({ id: 'NotificationGaps' })

export const getNotificationGaps = endpoint({
  method: 'GET',
  path: '/notification-gaps',
  tag: 'notification-rules',
  summary: 'Get the monitors whose incidents reach no person',
  description:
    'Those whose incidents neither a rule nor an escalation policy brings to a channel or person of the team. ' +
    'Monitors that are not checked are left out. Channels of a reseller do not count.',
  access: mayRead,
  query: z.object({ monitor_id: z.uuid().optional().meta({ description: 'Asks about this monitor alone.' }) }),
  returns: ok({ data: NotificationGapsView }),

  async handle({ tenant, query, now, services }) {
    const read = (await readNotificationGaps(services.platform, [tenant.id], now)).get(tenant.id)
    const all = read?.gaps ?? []
    const gaps = query.monitor_id === undefined ? all : all.filter(({ monitor }) => monitor.id === query.monitor_id)
    return {
      data: {
        monitors_count: gaps.length,
        open_incidents_count: gaps.reduce((sum, { openIncidents }) => sum + openIncidents, 0),
        cause: causes.find(code => gaps.some(({ cause }) => cause === code)) ?? null,
        monitors: gaps.slice(0, mostNamed).map(({ monitor, openIncidents, cause }) => ({
          ...monitor,
          open_incidents_count: openIncidents,
          cause,
        })),
        channels: gaps.length === 0 ? [] : (read?.channels.slice(0, mostNamed) ?? []),
      },
    }
  },
})
