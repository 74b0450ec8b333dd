import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf } from '../api.ts'

export const membersQuery = (page: number, search: string) =>
  queryOptions({
    queryKey: ['members', page, search],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/members', { params: { query: { page, ...(search && { search }) } }, signal })),
  })
export const invitationsQuery = (page: number) =>
  queryOptions({
    queryKey: ['invitations', page],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/invitations', { params: { query: { page } }, signal })),
  })
export const policyQuery = queryOptions({
  queryKey: ['security-policy'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/security-policy', { signal })),
})
