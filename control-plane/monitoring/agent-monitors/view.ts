import { z } from 'zod'
import { agent } from '#checks/agent/kind.ts'
import { severities } from '#contract/check.ts'
import { monitorStatuses } from '#control-plane/monitoring/monitors/view.ts'
import { maskedSecret } from '#control-plane/people/tokens/secret.ts'
import type { AgentRow } from './row.ts'

const time = z.string().meta({ format: 'date-time' })

export const ServerHostView = z
  .object({ name: z.string(), os: z.string(), kernel: z.string(), arch: z.string(), cores: z.int(), memory_bytes: z.int(), agent: z.string() })
  .meta({ id: 'ServerHost' })

export const AgentMonitorView = z
  .object({
    id: z.uuid().meta({ description: 'That of the monitor, as it is in /monitors.' }),
    name: z.string(),
    tags: z.array(z.string()),
    group: z.string().nullable(),
    notes: z.string().nullable(),
    is_enabled: z.boolean(),
    held_by_plan: z.boolean(),
    status: z.enum(monitorStatuses).nullable().meta({ description: '`null` until the server was heard.' }),
    status_reason: z.string().nullable(),
    status_changed_at: time.nullable(),
    depends_on: z.array(z.uuid()),
    external_ref: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()),
    ...agent.settings.shape,
    severity: z.enum(severities),
    host: ServerHostView.nullable().meta({ description: 'Told by `vedette agent`; others do not say.' }),
    last_heard_at: time.nullable(),
    token: z.object({ masked: z.string(), created_at: time, old_works_until: time.nullable() }).nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'AgentMonitor' })

export function viewAgent(row: AgentRow): z.input<typeof AgentMonitorView> {
  const { thresholds, no_data_after_minutes } = agent.settings.parse(row.settings)
  return {
    id: row.id,
    name: row.name,
    tags: row.tags,
    group: row.group_name,
    notes: row.notes,
    is_enabled: row.is_enabled,
    held_by_plan: row.held_by_plan,
    status: monitorStatuses.find(status => status === row.status) ?? null,
    status_reason: row.status === 'paused' ? null : row.status_reason,
    status_changed_at: row.status_changed_at,
    depends_on: row.depends_on,
    external_ref: row.external_ref,
    metadata: row.metadata,
    thresholds,
    no_data_after_minutes,
    severity: severities.find(known => known === row.severity) ?? agent.severity,
    host: row.host,
    last_heard_at: row.heard_at,
    token: row.token && { masked: maskedSecret('am', row.token.tail), created_at: row.token.created_at, old_works_until: row.grace_ends_at },
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}
