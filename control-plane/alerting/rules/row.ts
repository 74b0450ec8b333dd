import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { notFound } from '#control-plane/base/refusal.ts'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import type { MonitorFilter, TenantFilter } from './input.ts'

export interface RuleRow {
  id: string
  channel_id: string
  event_types: string[]
  monitor_filter: MonitorFilter | null
  tenant_filter: TenantFilter | null
  created_at: string
  updated_at: string
}

export const selectRules = `id, channel_id, event_types, monitor_filter, tenant_filter, ${stampSql('created_at')} as created_at, ${stampSql('updated_at')} as updated_at`

export async function findRule(
  em: EntityManager,
  tenant: { id: string },
  id: string,
  hold: '' | 'for update' = '',
): Promise<RuleRow> {
  const [row] = await em.execute<RuleRow[]>(
    `select ${selectRules} from notification_rules where tenant_id = ? and id = ? ${hold}`,
    [tenant.id, id],
  )
  if (!row) throw notFound('Notification rule')
  return row
}

const time = z.string().meta({ format: 'date-time' })

export const RuleView = z
  .object({
    id: z.uuid(),
    channel_id: z.uuid(),
    event_types: z.array(z.string()),
    monitor_filter: z
      .object({ monitor_ids: z.array(z.uuid()), tags: z.array(z.string()), types: z.array(z.string()) })
      .nullable(),
    tenant_filter: z.object({ tenant_ids: z.array(z.uuid()), labels: z.array(z.string()) }).nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'NotificationRule' })
