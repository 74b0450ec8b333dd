import { z } from 'zod'
import { agent } from '#checks/agent/kind.ts'
import { severities } from '#contract/check.ts'
import { maskedSecret } from '#control-plane/base/token-secret.ts'
import { ownFields, viewOwn } from '#control-plane/monitoring/monitors/own.ts'
import type { AgentRow } from './row.ts'

const time = z.string().meta({ format: 'date-time' })

export const ServerHostView = z
  .object({
    name: z.string(),
    os: z.string(),
    kernel: z.string(),
    arch: z.string(),
    cores: z.int(),
    memory_bytes: z.int(),
    agent: z.string(),
  })
  .meta({ id: 'ServerHost' })

export const AgentMonitorView = z
  .object({
    id: z.uuid().meta({ description: 'The id of the monitor, as in /monitors.' }),
    ...ownFields('the first report of the server'),
    ...agent.settings.shape,
    severity: z.enum(severities),
    host: ServerHostView.nullable().meta({ description: 'Reported by `vedette agent`; other agents do not send it.' }),
    last_heard_at: time.nullable(),
    token: z.object({ masked: z.string(), created_at: time, old_works_until: time.nullable() }).nullable(),
  })
  .meta({ id: 'AgentMonitor' })

export function viewAgent(row: AgentRow): z.input<typeof AgentMonitorView> {
  const { thresholds, no_data_after_minutes } = agent.settings.parse(row.settings)
  return {
    ...viewOwn(row),
    thresholds,
    no_data_after_minutes,
    severity: severities.find(known => known === row.severity) ?? agent.severity,
    host: row.host,
    last_heard_at: row.last_seen_at,
    token: row.token && {
      masked: maskedSecret('am', row.token.tail),
      created_at: row.token.created_at,
      old_works_until: row.grace_ends_at,
    },
  }
}
