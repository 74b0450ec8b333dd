import { changesOf } from '#control-plane/base/changes.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent, ok } from '#control-plane/http/reply.ts'
import { mayWrite } from '#control-plane/publishing/status-pages/access.ts'
import { TemplateChanges } from './input.ts'
import { findTemplate, lockTemplate, TemplateView } from './row.ts'

const names = ['name', 'phase', 'title', 'body'] as const

export const updateStatusPageTemplate = endpoint({
  method: 'PATCH',
  path: '/status-page-templates/{status_page_template}',
  summary: 'Update a template for updates of status pages',
  access: mayWrite,
  body: TemplateChanges,
  returns: ok({ data: TemplateView }),

  async handle({ em, tenant, params, body, now, audit }) {
    const before = await lockTemplate(em, tenant, params.status_page_template)
    const after = {
      name: body.name ?? before.name,
      phase: body.phase ?? before.phase,
      title: body.title === undefined ? before.title : body.title,
      body: body.body ?? before.body,
    }
    const changed = names.filter(name => before[name] !== after[name])
    if (changed.length === 0) return { data: before }
    await queries(em)
      .updateTable('status_page_update_templates')
      .set({
        name: after.name,
        phase: after.phase,
        title: after.title,
        body: after.body,
        updated_at: now.toISOString(),
      })
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', before.id)
      .execute()
    audit(
      'status_page.template_updated',
      { type: 'status_page' },
      {
        template_id: before.id,
        ...changesOf(changed, before, after),
      },
    )
    return { data: await findTemplate(em, tenant, before.id) }
  },
})

export const deleteStatusPageTemplate = endpoint({
  method: 'DELETE',
  path: '/status-page-templates/{status_page_template}',
  summary: 'Delete a template for updates of status pages',
  access: mayWrite,
  returns: noContent,

  async handle({ em, tenant, params, audit }) {
    const { id, name } = await lockTemplate(em, tenant, params.status_page_template)
    await queries(em)
      .deleteFrom('status_page_update_templates')
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', id)
      .execute()
    audit('status_page.template_deleted', { type: 'status_page' }, { template_id: id, name })
  },
})
