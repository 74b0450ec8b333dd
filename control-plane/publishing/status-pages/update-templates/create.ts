import { randomUUID } from 'node:crypto'
import { Sentence } from '#contract/sentence.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { advisoryLock, queries, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { limits, mayWrite } from '#control-plane/publishing/status-pages/access.ts'
import { NewTemplate } from './input.ts'
import { findTemplate, TemplateView } from './row.ts'

export const createStatusPageTemplate = endpoint({
  method: 'POST',
  path: '/status-page-templates',
  summary: 'Create a template for updates of status pages',
  description: `A team has at most ${limits.templates} of them.`,
  access: mayWrite,
  body: NewTemplate,
  returns: created({ data: TemplateView }),

  async handle({ em, tenant, body, now, audit }) {
    // requests of one team create one after the other, so that the count is right
    await advisoryLock(em, `status_page_templates:${tenant.id}`)
    const count = await queries(em)
      .selectFrom('status_page_update_templates')
      .where('tenant_id', '=', tenant.id)
      .select(total)
      .executeTakeFirstOrThrow()
    if (count.total >= limits.templates)
      throw invalid({
        status_page_templates: [new Sentence('A team has at most {n} templates.', { n: limits.templates })],
      })
    const id = randomUUID()
    await queries(em)
      .insertInto('status_page_update_templates')
      .values({
        id,
        tenant_id: tenant.id,
        name: body.name,
        phase: body.phase,
        title: body.title,
        body: body.body,
        created_at: now.toISOString(),
        updated_at: now.toISOString(),
      })
      .execute()
    audit('status_page.template_created', { type: 'status_page' }, { template_id: id, name: body.name })
    return { data: await findTemplate(em, tenant, id) }
  },
})
