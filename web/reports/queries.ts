import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf } from '../api.ts'

export const monthsQuery = (timezone: string) =>
  queryOptions({
    queryKey: ['reports', 'months', timezone],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/monthly-reports', { params: { query: { timezone, per_page: 36 } }, signal })),
  })
export const reportQuery = (month: string, timezone: string) =>
  queryOptions({
    queryKey: ['reports', 'month', month, timezone],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/monthly-report', { params: { query: { month, timezone } }, signal })),
  })
export const monitorsQuery = queryOptions({
  queryKey: ['monitors', 'objectives'],
  queryFn: ({ signal }) =>
    bodyOf(api.GET('/api/v1/monitors', { params: { query: { per_page: 100, sort: 'name' } }, signal })),
})
export const budgetQuery = (monitor: string) =>
  queryOptions({
    queryKey: ['monitors', 'slo', monitor],
    queryFn: async ({ signal }) =>
      (await bodyOf(api.GET('/api/v1/monitors/{monitor}/slo', { params: { path: { monitor } }, signal }))).data,
    staleTime: 30_000,
  })
