import { isDeepStrictEqual } from 'node:util'
import { json, queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { findTemplate } from './find.ts'
import { settleChecks, TemplateChanges, type TemplateFields, templateBytes } from './input.ts'
import { closeMonitors, keepSecrets, openMonitorsForChange } from './secrets.ts'
import { vetSecretHosts, vetTemplate } from './vet.ts'
import { TemplateView, viewTemplate } from './view.ts'

export const updateTemplate = endpoint({
  method: 'PATCH',
  path: '/reseller/monitor-templates/{monitor_template}',
  summary: 'Update a monitor template',
  description:
    'Monitors created from it stay unchanged. ' +
    'Lists are sent whole. A secret sent as eight asterisks is kept if check, place and host are ' +
    'the same; for another host it must be sent again.',
  access: { reseller: 'teams:write' },
  body: TemplateChanges,
  bodyLimit: templateBytes,
  returns: ok({ data: TemplateView }),

  async handle({ body, params, tenant, em, now, services, audit }) {
    const stored = await findTemplate(em, tenant, params.monitor_template, 'for update')
    const before = { ...stored, monitors: openMonitorsForChange(services.config, stored.id, stored.monitors) }
    const after: TemplateFields = {
      name: body.name ?? before.name,
      monitors: body.monitors ? keepSecrets(settleChecks(body.monitors), before.monitors) : before.monitors,
      variables: body.variables ?? before.variables,
    }
    vetTemplate(after, services.guard)
    if (body.monitors) vetSecretHosts(after.monitors)
    const names = (['name', 'monitors', 'variables'] as const).filter(
      name => !isDeepStrictEqual(before[name], after[name]),
    )
    if (names.length === 0) return { data: viewTemplate(stored) }
    const closed = closeMonitors(services.config, before.id, after.monitors)
    await queries(em)
      .updateTable('monitor_templates')
      .set({
        name: after.name,
        monitors: json(closed),
        variables: json(after.variables),
        updated_at: now.toISOString(),
      })
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', before.id)
      .execute()
    const [was, is] = [
      TemplateView.parse(viewTemplate(stored)),
      TemplateView.parse(viewTemplate({ ...stored, ...after, monitors: closed })),
    ]
    audit(
      'monitor_template.updated',
      { type: 'monitor_template', id: before.id },
      Object.fromEntries(names.map(name => [name, { before: was[name], after: is[name] }])),
    )
    return { data: viewTemplate(await findTemplate(em, tenant, before.id)) }
  },
})
