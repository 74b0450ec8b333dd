import { z } from 'zod'
import { Slo } from '#control-plane/monitoring/objectives/input.ts'
import type { MonitorRow } from './row.ts'

const time = z.string().meta({ format: 'date-time' })
export const monitorStatuses = ['up', 'down', 'warning', 'paused', 'maintenance'] as const

/** The fields of every view of a monitor. `firstEvent`: what ends the time without a status. */
export const ownFields = (firstEvent: string) => ({
  name: z.string(),
  tags: z.array(z.string()),
  group: z.string().nullable(),
  notes: z.string().nullable(),
  is_enabled: z.boolean(),
  held_by_plan: z.boolean(),
  status: z
    .enum(monitorStatuses)
    .nullable()
    .meta({ description: `\`null\` until ${firstEvent}.` }),
  status_reason: z.string().nullable(),
  status_changed_at: time.nullable(),
  depends_on: z.array(z.uuid()),
  escalation_policy_id: z.uuid().nullable(),
  external_ref: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  slo: Slo.nullable(),
  created_at: time,
  updated_at: time,
})

export const viewOwn = (row: MonitorRow) => ({
  id: row.id,
  name: row.name,
  url: row.url,
  tags: row.tags,
  group: row.group_name,
  notes: row.notes,
  is_enabled: row.is_enabled,
  held_by_plan: row.held_by_plan,
  status: monitorStatuses.find(status => status === row.status) ?? null,
  status_reason: reasonOf(row),
  status_changed_at: row.status_changed_at,
  depends_on: row.depends_on,
  escalation_policy_id: row.escalation_policy_id,
  external_ref: row.external_ref,
  metadata: row.metadata,
  slo: row.slo,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** A paused monitor is not checked, so its last reason is out of date. */
function reasonOf({ status_reason, is_enabled, held_by_plan, is_team_paused }: MonitorRow): string | null {
  if (!is_enabled) return 'Disabled.'
  if (held_by_plan) return 'On hold: more monitors than the plan allows.'
  return is_team_paused ? 'The team is paused.' : status_reason
}
