import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { z } from 'zod'
import { changesOf } from '#control-plane/base/changes.ts'
import { isTaken, json, queries } from '#control-plane/db/queries.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { validateBranding } from '#control-plane/tenancy/branding/validate.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { mayWrite } from './access.ts'
import { emitPublished } from './events.ts'
import { PageChanges, validateSettings } from './input.ts'
import { findPage, lockPage } from './row.ts'
import { hashOf, refuseWithoutSso, refuseWithoutWhiteLabel, slugTaken } from './store.ts'
import { countWithoutAccess } from './subscribers/without-access.ts'
import { PageView, viewPage } from './view.ts'

export const updateStatusPage = endpoint({
  method: 'PATCH',
  path: '/status-pages/{status_page}',
  summary: 'Update a status page',
  description:
    'Only what is sent changes. ' +
    'A change of who may read the page ends the updates of subscribers who may not: the answer counts them. ' +
    'Lists and texts are sent whole. After a change of `slug` the former address leads to the new one, and no other ' +
    'team gets it for 30 days.',
  access: mayWrite,
  body: PageChanges,
  returns: ok({
    data: PageView,
    meta: z
      .object({
        subscribers_without_access: z.int().meta({
          description: 'Active subscribers that may not read the page any more: they get no updates.',
        }),
      })
      .optional()
      .meta({ id: 'StatusPageUpdateMeta', description: 'After a change of who may read the page.' }),
  }),
  validate: ({ body: { logo_url, logo_url_dark }, services }) =>
    validateBranding(services.guard, { logo_url, logo_url_dark }),

  async handle(context) {
    const { em, tenant, params, body, now, services, audit } = context
    const passwordHash = await hashOf(body.password)
    const before = await lockPage(em, tenant, params.status_page)
    const { id } = before
    const { password: _, ...given } = body
    const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
    const after: typeof before = {
      ...before,
      ...sent,
      has_password: passwordHash === undefined ? before.has_password : passwordHash !== null,
    }
    const changed = (Object.keys(sent) as (keyof typeof given)[]).filter(
      name => !isDeepStrictEqual(before[name], after[name]),
    )
    const origin = await keptOriginOf(services, tenant.id)
    if (changed.length === 0 && passwordHash === undefined) return { data: viewPage(before, origin) }
    validateSettings(after)
    if (changed.includes('hide_powered_by')) await refuseWithoutWhiteLabel(context, after)
    if (changed.includes('access') && after.access === 'sso') await refuseWithoutSso(context)
    const hasOtherReaders =
      changed.includes('access') ||
      (after.access === 'password' && passwordHash !== undefined) ||
      (after.access === 'ip' && before.allowed_ips.some(range => !after.allowed_ips.includes(range)))
    const at = now.toISOString()
    if (changed.includes('slug')) await changeSlug(context, id, after.slug)
    await queries(em)
      .updateTable('status_pages')
      .set({
        name: after.name,
        description: after.description,
        state: after.state,
        access: after.access,
        allowed_email_domains: after.allowed_email_domains,
        allowed_ips: after.allowed_ips,
        locale: after.locale,
        locales: after.locales,
        timezone: after.timezone,
        history_days: after.history_days,
        show_uptime: after.show_uptime,
        show_response: after.show_response,
        show_values: after.show_values,
        uptime_mode: after.uptime_mode,
        min_incident_minutes: after.min_incident_minutes,
        noindex: after.noindex,
        hide_powered_by: after.hide_powered_by,
        theme: after.theme,
        primary_color: after.primary_color,
        logo_url: after.logo_url,
        logo_url_dark: after.logo_url_dark,
        header_links: json(after.header_links),
        footer_links: json(after.footer_links),
        texts: json(after.texts),
        content_changed_at: at,
        updated_at: at,
      })
      .$if(passwordHash !== undefined, query =>
        query.set({ password_hash: passwordHash ?? null, password_changed_at: at }),
      )
      .$if(hasOtherReaders, query => query.set({ access_changed_at: sql<string>`clock_timestamp()` }))
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', id)
      .execute()
    const changes = changesOf(changed, before, after)
    const password = passwordHash === undefined ? {} : { password: { before: '********', after: '********' } }
    audit('status_page.updated', { type: 'status_page', id }, { ...changes, ...password })
    const page = await findPage(em, tenant, id)
    if (changed.includes('state')) {
      const isPublished = page.state === 'published'
      audit(isPublished ? 'status_page.published' : 'status_page.unpublished', { type: 'status_page', id })
      if (isPublished) emitPublished(context, page, origin)
    }
    const answer = { data: viewPage(page, origin) }
    if (!hasOtherReaders && !changed.includes('allowed_email_domains')) return answer
    return { ...answer, meta: { subscribers_without_access: await countWithoutAccess(context, page) } }
  },
})

/**
 * A slug may be that of another tenant's page, or one that it had lately, which this role cannot see: the unique index
 * or the trigger refuses it, without naming the column.
 */
async function changeSlug(
  { em, tenant }: Pick<RequestContext, 'em' | 'tenant'>,
  id: string,
  slug: string,
): Promise<void> {
  try {
    await queries(em)
      .updateTable('status_pages')
      .set({ slug })
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', id)
      .execute()
  } catch (error) {
    throw isTaken(error) ? slugTaken() : error
  }
}
