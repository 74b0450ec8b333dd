import { z } from 'zod'
import { channelTypes } from '#contract/plans.ts'
import type { TenantFacts } from '#control-plane/kernel/caller.ts'
import { line } from '#control-plane/kernel/line.ts'
import { notInPlan } from '#control-plane/kernel/refusal.ts'
import { readBy } from '#control-plane/kernel/unknown-fields.ts'
import { kinds } from './kinds/index.ts'
import { secretDescription } from './kinds/webhook-secret.ts'
import { mayUse } from './view.ts'

const Name = line(255)
const anything = z.record(z.string(), z.unknown()).meta({
  description:
    'webhook: `url`, `secret`; email: `recipients`; slack, discord, microsoft_teams: `webhook_url`; pagerduty: `routing_key`; telegram: `bot_token`, `chat_id`. ' +
    `The secret: ${secretDescription} ` +
    'All but webhook: `language` (en or de) and `timezone` that people read it in.',
})
const Config = readBy(anything, ({ type }) => channelTypes.flatMap(known => (known === type ? kinds[known].config : []))[0])

export const NewChannel = z.object({ name: Name, type: z.enum(channelTypes), config: Config, is_enabled: z.boolean().default(true) })
export const ChannelChanges = z.object({ name: Name, config: Config, is_enabled: z.boolean() }).partial()

export const mayRead = { tenant: 'notifications:read', reseller: 'notifications:read' } as const
export const mayWrite = { tenant: 'notifications:write', reseller: 'notifications:write' } as const

export function refuseTypeBeyondPlan(tenant: TenantFacts, type: string): void {
  if (mayUse(tenant, type)) return
  throw notInPlan('notification_channels', tenant.plan, `The plan has no channels of type ${type}.`, 'type')
}
