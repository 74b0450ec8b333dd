import { z } from 'zod'
import { agent } from '#checks/agent/kind.ts'
import { severities } from '#contract/check.ts'
import { NewPassive, PassiveChanges } from '#control-plane/monitoring/monitors/input.ts'

const severity = z
  .enum(severities)
  .meta({ description: 'The severity of incidents for silence and for critical thresholds.' })
const { thresholds, no_data_after_minutes } = agent.settings.shape

export const NewAgentMonitor = NewPassive.extend({
  thresholds: thresholds.optional(),
  no_data_after_minutes: no_data_after_minutes.optional(),
  severity: severity.default(agent.severity),
}).meta({ id: 'NewAgentMonitor' })

export const AgentMonitorChanges = PassiveChanges.extend({
  thresholds: thresholds.unwrap(),
  no_data_after_minutes: no_data_after_minutes.unwrap(),
  severity,
})
  .partial()
  .meta({ id: 'AgentMonitorChanges' })
