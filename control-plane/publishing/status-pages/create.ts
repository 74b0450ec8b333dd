import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { validateBranding } from '#control-plane/tenancy/branding/validate.ts'
import { reserveQuota } from '#control-plane/tenancy/plans/enforce.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { mayWrite } from './access.ts'
import { emitPublished } from './events.ts'
import { NewPage, validateSettings } from './input.ts'
import { insertPage } from './insert.ts'
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
  validate: ({ body: { logo_url, logo_url_dark }, services }) =>
    validateBranding(services.guard, { logo_url, logo_url_dark }),

  async handle(context) {
    const { em, tenant, body, services, audit } = context
    validateSettings({ ...body, has_password: body.password !== null })
    const passwordHash = (await hashOf(body.password)) ?? null
    await reserveQuota(context, 'status_pages', 1)
    await refuseWithoutWhiteLabel(context, body)
    if (body.access === 'sso') await refuseWithoutSso(context)
    const id = await insertPage(context, body, passwordHash)
    if (id === undefined) throw slugTaken()
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
