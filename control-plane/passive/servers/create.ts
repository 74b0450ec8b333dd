import { z } from 'zod'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { NewCheck } from '#control-plane/monitoring/checks/input.ts'
import { createMonitors } from '#control-plane/monitoring/monitors/create-monitors.ts'
import { passiveMonitor } from '#control-plane/monitoring/monitors/draft.ts'
import { single } from '#control-plane/monitoring/monitors/validate.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { agentAccess } from './access.ts'
import { NewAgentMonitor } from './input.ts'
import { InstallView, installOf } from './install.ts'
import { findAgent } from './row.ts'
import { mintServerToken } from './token.ts'
import { AgentMonitorView, viewAgent } from './view.ts'

export const createAgentMonitor = endpoint({
  method: 'POST',
  path: '/agent-monitors',
  summary: 'Create an agent monitor',
  description:
    'Its token is shown once. ' +
    'Needs the plan feature `server_monitoring`, and a place within `agent_limit`. It is a monitor of type `agent` ' +
    'with one check of kind `agent`.',
  access: agentAccess.write,
  needsOwnSession: true,
  body: NewAgentMonitor,
  returns: created({ data: AgentMonitorView, plain_text_token: z.string(), install: InstallView }),

  async handle(context) {
    const { em, tenant, body, now, services } = context
    const { thresholds, no_data_after_minutes, severity } = body
    const check = NewCheck.parse({
      type: 'agent',
      severity,
      settings: {
        ...(thresholds && { thresholds }),
        ...(no_data_after_minutes !== undefined && { no_data_after_minutes }),
      },
    })
    const [id = ''] = await createMonitors(context, [passiveMonitor('agent', body, undefined, [check])], single)
    const token = await mintServerToken(em, tenant, id, now)
    return {
      data: viewAgent(await findAgent(em, tenant, id)),
      plain_text_token: token,
      install: installOf(await keptOriginOf(services, tenant.id), token),
    }
  },
})
