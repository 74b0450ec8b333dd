import { type Row, rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { beginLogin } from '#control-plane/identity/sso/login.ts'
import { SsoFailure } from '#control-plane/identity/sso/outcome.ts'
import { findTeam } from '#control-plane/identity/sso/team.ts'
import { takeTicket } from '#control-plane/identity/sso/visit.ts'
import type { PageModel } from '#control-plane/publishing/status-pages/render/model.ts'
import { originOf } from '#control-plane/tenancy/portal-hosts/origin.ts'

interface Beginning {
  /** As the browser asked it. */
  host: string
  cookies: string | undefined
  requestId: string
  /** The address of the page that takes the ticket. */
  returnTo: string
}

/** How visitors sign in to a page at the provider of its team. */
export interface PageSignIn {
  /** The origin at which a sign-in to a page with a domain of its own begins, as the provider sends people back there. */
  originOf(page: PageModel): Promise<string>
  /** Begins a sign-in, and returns where it goes on. Throws a `SsoFailure`. */
  begin(page: PageModel, beginning: Beginning): Promise<{ location: string; cookie: string }>
  /** Whether a ticket opens the page, once. */
  take(page: PageModel, ticket: string): Promise<boolean>
}

export const pageSignIn = (services: Services): PageSignIn => ({
  originOf: async page => originOf(services.platform, services.config, await tenantOf(services, page)),
  async begin(page, { returnTo, ...browser }) {
    const team = await findTeam(services.platform, { id: await tenantOf(services, page) })
    if (!team) throw off()
    return beginLogin(services, team, browser, { visit: { pageId: page.id, returnTo } })
  },
  take: ({ id }, ticket) => takeTicket(services.platform, id, ticket),
})

const off = () => new SsoFailure('sso_off', 'The team has no single sign-on.')

async function tenantOf({ platform }: Services, { id }: PageModel): Promise<string> {
  const [row] = await rows(platform)<Row<'status_pages', 'tenant_id'>>`
    select tenant_id from status_pages where id = ${id}`
  if (!row) throw off()
  return row.tenant_id
}
