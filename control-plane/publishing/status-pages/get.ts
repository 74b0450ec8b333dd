import { z } from 'zod'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { mayRead } from './access.ts'
import { readComponents } from './components/row.ts'
import { ComponentView } from './components/view.ts'
import { readGroups } from './groups/row.ts'
import { GroupView } from './groups/view.ts'
import { findPage } from './row.ts'
import { PageView, viewPage } from './view.ts'

const PageDetail = PageView.extend({ groups: z.array(GroupView), components: z.array(ComponentView) }).meta({
  id: 'StatusPageDetail',
})

export const getStatusPage = endpoint({
  method: 'GET',
  path: '/status-pages/{status_page}',
  summary: 'Get a status page with its groups and components',
  access: mayRead,
  returns: ok({ data: PageDetail }),

  async handle({ em, tenant, params, services }) {
    const row = await findPage(em, tenant, params.status_page)
    return {
      data: {
        ...viewPage(row, await keptOriginOf(services, tenant.id)),
        groups: await readGroups(em, tenant, row.id),
        components: await readComponents(em, tenant, row.id),
      },
    }
  },
})
