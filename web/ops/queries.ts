import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf } from '../api.ts'

export const healthQuery = queryOptions({
  queryKey: ['platform', 'health'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/platform/health', { signal })),
  // each process reports every ten seconds
  refetchInterval: 10_000,
})
export const infoQuery = queryOptions({
  queryKey: ['platform', 'info'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/platform/info', { signal })),
})
export const agentsQuery = (page: number, isAwaiting: boolean) =>
  queryOptions({
    queryKey: ['agents', page],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/agents', { params: { query: { page } }, signal })),
    refetchInterval: isAwaiting ? 2_000 : 10_000,
  })
export const regionsQuery = queryOptions({
  queryKey: ['platform', 'regions'],
  queryFn: ({ signal }) =>
    bodyOf(api.GET('/api/v1/platform/regions', { params: { query: { per_page: 100 } }, signal })),
  refetchInterval: 10_000,
})
export interface TenantFilters {
  search?: string
  page?: number
}
export const tenantsQuery = ({ search, page = 1 }: TenantFilters) =>
  queryOptions({
    queryKey: ['tenants', { search, page }],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/tenants', { params: { query: { page, per_page: 50, ...(search && { search }) } }, signal }),
      ),
  })
export const mailsQuery = (page: number) =>
  queryOptions({
    queryKey: ['caught-mails', page],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/caught-mails', { params: { query: { page } }, signal })),
  })
export const mailQuery = (id: string) =>
  queryOptions({
    queryKey: ['caught-mails', 'one', id],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/caught-mails/{caught_mail}', { params: { path: { caught_mail: id } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })
export const quarantineQuery = (page: number) =>
  queryOptions({
    queryKey: ['platform', 'quarantine', page],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/platform/quarantine', { params: { query: { page } }, signal })),
  })
export const deadEventsQuery = (page: number) =>
  queryOptions({
    queryKey: ['platform', 'dead-events', page],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/platform/dead-events', { params: { query: { page } }, signal })),
  })
