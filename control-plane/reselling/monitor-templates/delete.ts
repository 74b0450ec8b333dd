import { Refusal } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { findTemplate } from './find.ts'

export const deleteTemplate = endpoint({
  method: 'DELETE',
  path: '/reseller/monitor-templates/{monitor_template}',
  summary: 'Delete a template; monitors it has made stay',
  description: 'Not while a provisioning profile uses it: the answer names the profiles.',
  access: { reseller: 'teams:write' },
  returns: noContent,

  async handle({ params, tenant, em, audit }) {
    const { id, name } = await findTemplate(em, tenant, params.monitor_template, 'for update')
    const users = await em.execute<{ name: string }[]>(
      'select name from provisioning_profiles where tenant_id = ? and monitor_template_id = ? order by name limit 20',
      [tenant.id, id],
    )
    if (users.length > 0)
      throw new Refusal(422, 'in_use', 'A provisioning profile uses this template.', {
        errors: { monitor_template: [`Used by: ${users.map(profile => profile.name).join(', ')}.`] },
      })
    await em.execute('delete from monitor_templates where tenant_id = ? and id = ?', [tenant.id, id])
    audit('monitor_template.deleted', { type: 'monitor_template', id }, { name })
  },
})
