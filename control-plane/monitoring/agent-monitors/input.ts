import { z } from 'zod'
import { agent } from '#checks/agent/kind.ts'
import { severities } from '#contract/check.ts'
import { MonitorChanges, NewMonitor } from '#control-plane/monitoring/monitors/input.ts'

const own = { name: true, tags: true, group: true, notes: true, is_enabled: true, depends_on: true, external_ref: true, metadata: true } as const
const severity = z.enum(severities).meta({ description: 'How bad its incidents are: of silence, and of critical thresholds.' })
const { thresholds, no_data_after_minutes } = agent.settings.shape

export const NewAgentMonitor = NewMonitor.pick(own)
  .extend({ thresholds: thresholds.optional(), no_data_after_minutes: no_data_after_minutes.optional(), severity: severity.default(agent.severity) })
  .meta({ id: 'NewAgentMonitor' })
export type NewAgentMonitor = z.output<typeof NewAgentMonitor>

export const AgentMonitorChanges = MonitorChanges.pick(own)
  .extend({ thresholds: thresholds.unwrap(), no_data_after_minutes: no_data_after_minutes.unwrap(), severity })
  .partial()
  .meta({ id: 'AgentMonitorChanges' })
