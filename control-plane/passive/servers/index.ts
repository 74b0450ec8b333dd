import { createAgentMonitor } from './create.ts'
import { deleteAgentMonitor } from './delete.ts'
import { getAgentMonitor } from './get.ts'
import { takeMetrics } from './intake/take-metrics.ts'
import { takeOtlp } from './intake/take-otlp.ts'
import { takeRemoteWrite } from './intake/take-remote-write.ts'
import { listAgentMonitors } from './list.ts'
import { getAgentMetrics } from './metrics.ts'
import { getServerAgent } from './program.ts'
import { rotateAgentToken } from './rotate-token.ts'
import { monitorAgent } from './statistic.ts'
import { updateAgentMonitor } from './update.ts'

export const agentMonitors = [
  listAgentMonitors,
  createAgentMonitor,
  getAgentMonitor,
  updateAgentMonitor,
  deleteAgentMonitor,
  rotateAgentToken,
  getAgentMetrics,
  monitorAgent,
  takeMetrics,
  takeOtlp,
  takeRemoteWrite,
  getServerAgent,
]
