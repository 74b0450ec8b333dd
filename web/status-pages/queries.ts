import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from '../api.ts'
import { refresh } from '../queries.ts'

export type StatusPage = Schemas['StatusPageDetail']
export type PageChanges = Schemas['StatusPageChanges']
export type Component = Schemas['StatusPageComponent']
export type Group = Schemas['StatusPageGroup']
export type PagePost = Schemas['StatusPagePost']
export type Template = Schemas['StatusPageTemplate']

export const statuses = [
  'operational',
  'degraded_performance',
  'partial_outage',
  'major_outage',
  'maintenance',
] as const satisfies readonly Schemas['SettableStatus'][]
export type SettableStatus = (typeof statuses)[number]
export const phases = ['investigating', 'identified', 'monitoring', 'resolved'] as const
export const impacts = ['none', 'minor', 'major', 'critical'] as const

export const of = (page: string) => ({ path: { status_page: page } })

export const pagesQuery = (page: number) =>
  queryOptions({
    queryKey: ['status-pages', 'list', page],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/status-pages', { params: { query: { page } }, signal })),
  })
export const pageQuery = (id: string) =>
  queryOptions({
    queryKey: ['status-pages', id],
    queryFn: async ({ signal }) =>
      (await bodyOf(api.GET('/api/v1/status-pages/{status_page}', { params: of(id), signal }))).data,
  })
export const postsQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: ['status-pages', id, 'posts', page],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/status-pages/{status_page}/posts', { params: { ...of(id), query: { page } }, signal })),
  })
export const postQuery = (id: string, post: string) =>
  queryOptions({
    queryKey: ['status-pages', id, 'post', post],
    queryFn: async ({ signal }) => {
      const params = { path: { status_page: id, post } }
      const [{ data }, updates] = await Promise.all([
        bodyOf(api.GET('/api/v1/status-pages/{status_page}/posts/{post}', { params, signal })),
        bodyOf(
          api.GET('/api/v1/status-pages/{status_page}/posts/{post}/updates', {
            params: { ...params, query: { per_page: 100 } },
            signal,
          }),
        ),
      ])
      return { post: data, updates: updates.data }
    },
  })
export const templatesQuery = queryOptions({
  queryKey: ['status-page-templates'],
  queryFn: ({ signal }) =>
    bodyOf(api.GET('/api/v1/status-page-templates', { params: { query: { per_page: 100 } }, signal })),
})
export const subscribersQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: ['status-pages', id, 'subscribers', page],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/status-pages/{status_page}/subscribers', { params: { ...of(id), query: { page } }, signal }),
      ),
  })
export const countsQuery = (id: string) =>
  queryOptions({
    queryKey: ['status-pages', id, 'subscribers', 'counts'],
    queryFn: async ({ signal }) =>
      (await bodyOf(api.GET('/api/v1/status-pages/{status_page}/subscribers/counts', { params: of(id), signal }))).data,
  })
export const domainsQuery = queryOptions({
  queryKey: ['custom-domains'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/custom-domains', { params: { query: { per_page: 100 } }, signal })),
})
/** Monitors to choose from. */
export const monitorChoicesQuery = queryOptions({
  queryKey: ['monitors', 'choices'],
  queryFn: ({ signal }) =>
    bodyOf(api.GET('/api/v1/monitors', { params: { query: { per_page: 100, sort: 'name' } }, signal })),
})
/** Incidents of the team that can be made public: the latest ones. */
export const incidentChoicesQuery = queryOptions({
  queryKey: ['incidents', 'choices'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/incidents', { params: { query: { per_page: 20 } }, signal })),
})

/** Maintenance that is active or will be. */
export const windowsQuery = queryOptions({
  queryKey: ['maintenance', 'of-pages'],
  queryFn: async ({ signal }) => {
    const query = { per_page: 100, state: ['active', 'scheduled'] as Schemas['MaintenanceState'][] }
    const querySerializer = { array: { style: 'form', explode: false } } as const
    return (await bodyOf(api.GET('/api/v1/maintenance-windows', { params: { query }, querySerializer, signal }))).data
  },
})

/** After a change: what is shown of this page is read again. */
export const readPagesAgain = () => refresh('status-page')

export async function changePage(id: string, body: PageChanges): Promise<void> {
  await bodyOf(api.PATCH('/api/v1/status-pages/{status_page}', { params: of(id), body }))
  await readPagesAgain()
}
