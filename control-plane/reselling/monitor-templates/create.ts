import { randomUUID } from 'node:crypto'
import { invalid } from '#control-plane/base/refusal.ts'
import { json, queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { findTemplate } from './find.ts'
import { NewTemplate, settleChecks, templateBytes } from './input.ts'
import { encryptMonitors } from './secrets.ts'
import { refuseUnfilled } from './try.ts'
import { validateSecretHosts, validateTemplate } from './validate.ts'
import { TemplateView, viewTemplate } from './view.ts'

export const createTemplate = endpoint({
  method: 'POST',
  path: '/reseller/monitor-templates',
  summary: 'Create a monitor template',
  description:
    'Names, addresses, tags and settings may hold placeholders such as `{{domain}}`; each must be ' +
    'among the variables. It is tried with all variables that need no value left empty, or at their default: a tag ' +
    'that is empty then is left out. Secrets are sent only to the host of the address, or to `secret_hosts`.',
  access: { reseller: 'teams:write' },
  body: NewTemplate,
  bodyLimit: templateBytes,
  returns: created({ data: TemplateView }),

  async handle({ body, tenant, em, now, services, audit }) {
    const monitors = settleChecks(body.monitors)
    validateTemplate({ ...body, monitors }, services.guard)
    validateSecretHosts(monitors)
    const unfilled = refuseUnfilled({ ...body, monitors }, services.guard)
    if (Object.keys(unfilled).length > 0) throw invalid(unfilled)
    const id = randomUUID()
    const at = now.toISOString()
    const closed = encryptMonitors(services.config, id, monitors)
    await queries(em)
      .insertInto('monitor_templates')
      .values({
        id,
        tenant_id: tenant.id,
        name: body.name,
        monitors: json(closed),
        variables: json(body.variables),
        created_at: at,
        updated_at: at,
      })
      .execute()
    audit('monitor_template.created', { type: 'monitor_template', id }, { name: body.name, monitors: monitors.length })
    return { data: viewTemplate(await findTemplate(em, tenant, id)) }
  },
})
