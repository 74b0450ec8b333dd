import { z } from 'zod'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { limits, mayRead } from '#control-plane/publishing/status-pages/access.ts'
import { findPage } from '#control-plane/publishing/status-pages/row.ts'
import { findComponent, readComponents } from './row.ts'
import { ComponentView } from './view.ts'

export const listComponents = endpoint({
  method: 'GET',
  path: '/status-pages/{status_page}/components',
  summary: 'List the components of a status page in their order',
  description: `All of them: a page has at most ${limits.components}.`,
  access: mayRead,
  returns: ok({ data: z.array(ComponentView) }),

  async handle({ em, tenant, params }) {
    const { id } = await findPage(em, tenant, params.status_page)
    return { data: await readComponents(em, tenant, id) }
  },
})

export const getComponent = endpoint({
  method: 'GET',
  path: '/status-pages/{status_page}/components/{component}',
  summary: 'Get a component of a status page',
  access: mayRead,
  returns: ok({ data: ComponentView }),

  async handle({ em, tenant, params }) {
    const page = await findPage(em, tenant, params.status_page)
    return { data: await findComponent(em, tenant, page, params.component) }
  },
})
