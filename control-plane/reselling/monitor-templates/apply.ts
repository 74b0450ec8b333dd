import { z } from 'zod'
import { invalid } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { createMonitors } from '#control-plane/monitoring/monitors/create-monitors.ts'
import { byIndex } from '#control-plane/monitoring/monitors/validate.ts'
import { MonitorView, readMonitors } from '#control-plane/monitoring/monitors/view.ts'
import { connect, connections } from '#control-plane/passive/connections.ts'
import { fillTemplate } from './fill.ts'
import { loadTemplate } from './find.ts'
import { VariableValues } from './input.ts'
import { decryptMonitors } from './secrets.ts'

export const applyTemplate = endpoint({
  method: 'POST',
  path: '/reseller/managed-teams/{managed_team}/apply-template',
  summary: 'Create all monitors of a template in a team, or none',
  description:
    'On any error nothing is created, and `errors` names every reason, such as `variables.domain` ' +
    'or `monitors.3.url`. `connections` has the addresses and tokens with which jobs and servers ' +
    'report; tokens of server agents are shown once.',
  access: { reseller: 'teams:write' },
  body: z.object({ template_id: z.uuid().toLowerCase(), variables: VariableValues.default({}) }),
  returns: created({ data: z.array(MonitorView), connections }),

  async handle(context) {
    const { body, caller, em, services, audit } = context
    const template = await loadTemplate(em, caller.tenant, body.template_id)
    if (!template) throw invalid({ template_id: ['There is no such template.'] })
    const monitors = decryptMonitors(services.config, template.id, template.monitors)
    const ids = await createMonitors(context, fillTemplate({ ...template, monitors }, body.variables), byIndex)
    audit(
      'monitor_template.applied',
      { type: 'monitor_template', id: template.id },
      { name: template.name, monitors: ids.length },
      'both',
    )
    return { data: await readMonitors(context, ids), connections: await connect(context, ids) }
  },
})
