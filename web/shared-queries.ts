import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from './api.ts'

// Queries of more than one area. An answer is kept under its key: two shapes of one key break the page that comes second.

const whole = { per_page: 100 }

/** The plan of the team: limits, usage, what is offered. */
export const planQuery = queryOptions({
  queryKey: ['plan'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/api/v1/plan', { signal }))).data,
  staleTime: 60_000,
})
/** Whether no plan binds the team: a plan always limits its servers. */
export const isUnlimited = ({ limits }: Schemas['Plan']) => limits.agent_limit === null

/** Tags in use, as far as one page of them reaches. */
export const tagsQuery = queryOptions({
  queryKey: ['tags'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/api/v1/tags', { params: { query: whole }, signal }))).data,
  staleTime: 60_000,
})
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/profile', { signal })),
})
export const policiesQuery = queryOptions({
  queryKey: ['escalation-policies'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/escalation-policies', { params: { query: whole }, signal })),
})
