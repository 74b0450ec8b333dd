import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { vetBranding } from '#control-plane/tenancy/branding/vet.ts'
import { takePlaces } from '#control-plane/tenancy/plans/enforce.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { mayWrite } from './access.ts'
import { emitPublished } from './events.ts'
import { NewPage, vetSettings } from './input.ts'
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
  vet: ({ body: { logo_url, logo_url_dark }, services }) => vetBranding(services.guard, { logo_url, logo_url_dark }),

  async handle(context) {
    const { em, tenant, body, services, audit } = context
    vetSettings({ ...body, has_password: body.password !== null })
    const passwordHash = (await hashOf(body.password)) ?? null
    await takePlaces(context, 'status_pages', 1)
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
