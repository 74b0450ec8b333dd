import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { z } from 'zod'
import { moment } from '#contract/figures.ts'
import { phases } from '#contract/status-page.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { monitorRecordSql } from '#control-plane/engine/monitor-record.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { limits, mayRead } from '#control-plane/publishing/status-pages/access.ts'
import { readComponents } from '#control-plane/publishing/status-pages/components/row.ts'
import { type PageRow, selectPages } from '#control-plane/publishing/status-pages/row.ts'
import { pageUrl } from '#control-plane/publishing/status-pages/view.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { fill } from './placeholders.ts'
import { findTemplate } from './row.ts'

const Id = z.uuid().toLowerCase()

export const fillStatusPageTemplate = endpoint({
  method: 'POST',
  path: '/status-page-templates/{status_page_template}/fill',
  summary: 'Fill the placeholders of a template',
  description:
    'For a page and an incident. ' +
    'Answers a text that can be edited and posted; it posts nothing. Values are put in as they are. ' +
    'Times are in the zone of the page.',
  access: mayRead,
  reads: true,
  body: z.object({
    status_page_id: Id,
    incident_id: Id.nullable().default(null).meta({ description: 'An incident of the team.' }),
    component_ids: z.array(Id).max(limits.components).default([]).meta({ description: 'Components of the page.' }),
  }),
  returns: ok({
    data: z
      .object({ phase: z.enum(phases), title: z.string().nullable(), body: z.string() })
      .meta({ id: 'FilledStatusPageTemplate' }),
  }),

  async handle({ em, tenant, params, body, now, services }) {
    const template = await findTemplate(em, tenant, params.status_page_template)
    const page = await selectPages(em, tenant).where('s.id', '=', body.status_page_id).executeTakeFirst()
    if (!page) throw invalid({ status_page_id: ['Status page not found.'] })
    const incident = await incidentOf(em, tenant, body.incident_id)
    const values = {
      page_name: page.name,
      page_url: pageUrl(page, await keptOriginOf(services, tenant.id)),
      incident_title: incident?.title ?? '',
      monitor_name: incident?.monitor_name ?? '',
      component_names: await namesOf(em, tenant, page, body.component_ids),
      started_at: momentOn(page, incident ? new Date(incident.started_at) : now),
    }
    return {
      data: {
        phase: template.phase,
        title: template.title === null ? null : fill(template.title, values).slice(0, 255),
        body: fill(template.body, values),
      },
    }
  },
})

async function incidentOf(em: EntityManager, tenant: { id: string }, id: string | null) {
  if (id === null) return null
  const incident = await queries(em)
    .selectFrom('incidents as i')
    .where('i.tenant_id', '=', tenant.id)
    .where('i.id', '=', id)
    .select(['i.title', 'i.started_at'])
    .select(sql<string>`(select name from ${monitorRecordSql('i.monitor_id')} m)`.as('monitor_name'))
    .executeTakeFirst()
  if (!incident) throw invalid({ incident_id: ['Incident not found.'] })
  return incident
}

async function namesOf(
  em: EntityManager,
  tenant: { id: string },
  page: { id: string },
  ids: readonly string[],
): Promise<string> {
  const names = new Map((await readComponents(em, tenant, page.id)).map(({ id, name }) => [id, name]))
  return ids
    .map((id, index) => {
      const name = names.get(id)
      if (name === undefined) throw invalid({ [`component_ids.${index}`]: ['The page has no such component.'] })
      return name
    })
    .join(', ')
}

/** In the language and the zone of the page, such as `23 November 2026 at 17:40 CET`. */
const momentOn = ({ locale, timezone }: PageRow, at: Date): string =>
  moment(at.getTime(), { language: locale, zone: timezone, style: 'full' })
