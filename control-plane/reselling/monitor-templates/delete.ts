import { Sentence } from '#contract/sentence.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import { namesOf } from '#control-plane/db/by-name.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { findTemplate } from './find.ts'

export const deleteTemplate = endpoint({
  method: 'DELETE',
  path: '/reseller/monitor-templates/{monitor_template}',
  summary: 'Delete a monitor template',
  description:
    'Monitors created from it stay. ' + 'Refused while a provisioning profile uses it: the reply names the profiles.',
  access: { reseller: 'teams:write' },
  returns: noContent,

  async handle({ params, tenant, em, audit }) {
    const { id, name } = await findTemplate(em, tenant, params.monitor_template, 'for update')
    const db = queries(em)
    const profiles = db
      .selectFrom('provisioning_profiles')
      .where('tenant_id', '=', tenant.id)
      .where('monitor_template_id', '=', id)
    const users = await profiles.select('name').orderBy(namesOf('name')).limit(20).execute()
    if (users.length > 0)
      throw new Refusal(422, 'in_use', 'A provisioning profile uses this template.', {
        errors: {
          monitor_template: [
            new Sentence('Used by: {names}.', { names: users.map(profile => profile.name).join(', ') }),
          ],
        },
      })
    await db.deleteFrom('monitor_templates').where('tenant_id', '=', tenant.id).where('id', '=', id).execute()
    audit('monitor_template.deleted', { type: 'monitor_template', id }, { name })
  },
})
