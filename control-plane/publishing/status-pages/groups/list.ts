import { z } from 'zod'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { limits, mayRead } from '#control-plane/publishing/status-pages/access.ts'
import { findPage } from '#control-plane/publishing/status-pages/row.ts'
import { findGroup, readGroups } from './row.ts'
import { GroupView } from './view.ts'

export const listGroups = endpoint({
  method: 'GET',
  path: '/status-pages/{status_page}/groups',
  summary: 'List the groups of a status page in their order',
  description: `All of them: a page has at most ${limits.groups}.`,
  access: mayRead,
  returns: ok({ data: z.array(GroupView) }),

  async handle({ em, tenant, params }) {
    const { id } = await findPage(em, tenant, params.status_page)
    return { data: await readGroups(em, tenant, id) }
  },
})

export const getGroup = endpoint({
  method: 'GET',
  path: '/status-pages/{status_page}/groups/{group}',
  summary: 'Get a group of a status page',
  access: mayRead,
  returns: ok({ data: GroupView }),

  async handle({ em, tenant, params }) {
    const page = await findPage(em, tenant, params.status_page)
    return { data: await findGroup(em, tenant, page, params.group) }
  },
})
