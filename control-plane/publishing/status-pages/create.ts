import { randomUUID } from 'node:crypto'
import { json, queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { vetBranding } from '#control-plane/tenancy/branding/vet.ts'
import { takePlaces } from '#control-plane/tenancy/plans/enforce.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { mayWrite } from './access.ts'
import { emitPublished } from './events.ts'
import { NewPage, vetSettings } from './input.ts'
import { findPage } from './row.ts'
import { hashOf, refuseWithoutSso, refuseWithoutWhiteLabel, slugTaken } from './store.ts'
import { PageView, viewPage } from './view.ts'

export const createStatusPage = endpoint({
  method: 'POST',
  path: '/status-pages',
  summary: 'Create a status page',
  description: 'The plan limits how many pages a team has. A draft is seen by visitors once it is published.',
  access: mayWrite,
  body: NewPage,
  returns: created({ data: PageView }),
  vet: ({ body: { logo_url, logo_url_dark }, services }) => vetBranding(services.guard, { logo_url, logo_url_dark }),

  async handle(context) {
    const { em, tenant, body, now, services, audit } = context
    vetSettings({ ...body, has_password: body.password !== null })
    const passwordHash = (await hashOf(body.password)) ?? null
    await takePlaces(context, 'status_pages', 1)
    await refuseWithoutWhiteLabel(context, body)
    if (body.access === 'sso') await refuseWithoutSso(context)
    const id = randomUUID()
    const at = now.toISOString()
    const { numInsertedOrUpdatedRows } = await queries(em)
      .insertInto('status_pages')
      .values({
        id,
        tenant_id: tenant.id,
        name: body.name,
        slug: body.slug,
        description: body.description,
        state: body.state,
        access: body.access,
        password_hash: passwordHash,
        password_changed_at: passwordHash === null ? null : at,
        allowed_email_domains: body.allowed_email_domains,
        allowed_ips: body.allowed_ips,
        locale: body.locale,
        locales: body.locales,
        timezone: body.timezone,
        history_days: body.history_days,
        show_uptime: body.show_uptime,
        show_response: body.show_response,
        show_values: body.show_values,
        uptime_mode: body.uptime_mode,
        min_incident_minutes: body.min_incident_minutes,
        noindex: body.noindex,
        hide_powered_by: body.hide_powered_by,
        theme: body.theme,
        primary_color: body.primary_color,
        logo_url: body.logo_url,
        logo_url_dark: body.logo_url_dark,
        header_links: json(body.header_links),
        footer_links: json(body.footer_links),
        texts: json(body.texts),
        content_changed_at: at,
        created_at: at,
        updated_at: at,
      })
      .onConflict(conflict => conflict.column('slug').doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows !== 1n) throw slugTaken()
    audit('status_page.created', { type: 'status_page', id }, { name: body.name, slug: body.slug, access: body.access })
    const page = await findPage(em, tenant, id)
    const origin = await keptOriginOf(services, tenant.id)
    if (page.state === 'published') {
      audit('status_page.published', { type: 'status_page', id })
      emitPublished(context, page, origin)
    }
    return { data: viewPage(page, origin) }
  },
})
