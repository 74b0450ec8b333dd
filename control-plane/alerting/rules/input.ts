import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { subscribable } from '#contract/events.ts'
import type { TenantContext } from '#control-plane/base/caller.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import type * as shapes from '#control-plane/db/model/shapes.ts'
import { queries } from '#control-plane/db/queries.ts'

const distinct = (all: readonly string[]) => new Set(all).size === all.length

export const EventTypes = z
  .array(
    z
      .enum(subscribable, 'Is not the name of an event: GET /notification-rules/event-types lists them.')
      .meta({ id: 'EventName' }),
  )
  .min(1)
  .max(subscribable.length)
  .refine(distinct, 'Names an event twice.')

export const MonitorFilter = z
  .object({
    monitor_ids: z.array(z.uuid()).max(1_000).default([]),
    tags: z.array(z.string().min(1).max(100)).max(100).default([]),
    types: z.array(z.string().min(1).max(40)).max(20).default([]),
  })
  .meta({
    description:
      'Limits events about a monitor to monitors with one of the ids, one of the tags or one of the types. ' +
      'If all lists are empty, events of all monitors match.',
  }) satisfies z.ZodType<shapes.MonitorFilter>
export type MonitorFilter = z.output<typeof MonitorFilter>

export const TenantFilter = z
  .object({
    tenant_ids: z.array(z.uuid()).max(1_000).default([]),
    labels: z
      .array(
        z
          .string()
          .min(1)
          .max(255)
          .refine(label => !label.slice(0, -1).includes('*'), 'A `*` may only be the last character.'),
      )
      .max(100)
      .default([]),
  })
  .meta({
    description:
      'Limits events about a managed team to teams with one of the ids, or with a label that matches one of the ' +
      'patterns. The last character of a pattern may be `*`.',
  }) satisfies z.ZodType<shapes.TenantFilter>
export type TenantFilter = z.output<typeof TenantFilter>

export const NewRule = z.object({
  channel_id: z.uuid(),
  event_types: EventTypes,
  monitor_filter: MonitorFilter.nullable().default(null),
  tenant_filter: TenantFilter.nullable().default(null),
})
export const RuleChanges = z
  .object({
    channel_id: z.uuid(),
    event_types: EventTypes,
    monitor_filter: MonitorFilter.nullable(),
    tenant_filter: TenantFilter.nullable(),
  })
  .partial()

/** Refuses a channel of another tenant, and a filter by team where the tenant is no reseller. */
export async function validateRule(
  em: EntityManager,
  tenant: TenantContext,
  rule: { channel_id?: string | undefined; tenant_filter?: TenantFilter | null | undefined },
): Promise<void> {
  if (rule.tenant_filter && !tenant.isReseller)
    throw invalid({ tenant_filter: ['Only a reseller’s own rules are filtered by team.'] })
  if (rule.channel_id === undefined) return
  const found = await queries(em)
    .selectFrom('notification_channels')
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', rule.channel_id)
    .where('owner_user_id', 'is', null)
    .select('id')
    .executeTakeFirst()
  if (!found) throw invalid({ channel_id: ['There is no such channel.'] })
}
