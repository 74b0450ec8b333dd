import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from '../api.ts'
import { refresh } from '../queries.ts'

export type MaintenanceWindow = Schemas['MaintenanceWindow']
export type NewWindow = Schemas['NewMaintenanceWindow']

const pollMs = 30_000
/** Lists that a choice is made from are read whole, as far as one page reaches. */
const whole = { per_page: 100 }

/** The API takes several states as a list with commas. */
const querySerializer = { array: { style: 'form', explode: false } } as const

const startOf = ({ next_starts_at: at }: MaintenanceWindow) => (at === null ? Number.POSITIVE_INFINITY : Date.parse(at))
const rank = (window: MaintenanceWindow) => (window.state === 'active' ? 0 : 1)

/** Windows that are active or will be: active ones first, then the next one first. */
export const currentQuery = queryOptions({
  queryKey: ['maintenance', 'current'],
  queryFn: async ({ signal }) => {
    const query = { ...whole, state: ['active', 'scheduled'] as Schemas['MaintenanceState'][] }
    const { data, meta } = await bodyOf(
      api.GET('/api/v1/maintenance-windows', { params: { query }, querySerializer, signal }),
    )
    return { total: meta.total, data: data.toSorted((a, b) => rank(a) - rank(b) || startOf(a) - startOf(b)) }
  },
  refetchInterval: pollMs,
})

export const pastQuery = (page: number) =>
  queryOptions({
    queryKey: ['maintenance', 'past', page],
    queryFn: ({ signal }) => {
      const query = { page, state: ['completed', 'cancelled'] as Schemas['MaintenanceState'][] }
      return bodyOf(api.GET('/api/v1/maintenance-windows', { params: { query }, querySerializer, signal }))
    },
    refetchInterval: pollMs,
  })

export type WindowSchedule = Schemas['MaintenanceSchedule']

/** The next dates of a schedule, also of one that is not stored. */
export const datesQuery = (schedule: WindowSchedule) =>
  queryOptions({
    queryKey: ['maintenance', 'dates', schedule],
    queryFn: async ({ signal }) =>
      (await bodyOf(api.POST('/api/v1/maintenance-windows/preview', { body: schedule, signal }))).data.occurrences,
    refetchInterval: pollMs,
  })

export const pathOf = (id: string) => ({ path: { maintenance_window: id } })

export const windowQuery = (id: string) =>
  queryOptions({
    queryKey: ['maintenance', 'window', id],
    queryFn: async ({ signal }) => {
      const params = pathOf(id)
      return (await bodyOf(api.GET('/api/v1/maintenance-windows/{maintenance_window}', { params, signal }))).data
    },
    refetchInterval: pollMs,
  })

/** Monitors to choose from. */
export const monitorsQuery = (search: string) =>
  queryOptions({
    queryKey: ['monitors', 'choice', search],
    queryFn: ({ signal }) => {
      const query = { ...whole, sort: 'name' as const, ...(search !== '' && { search }) }
      return bodyOf(api.GET('/api/v1/monitors', { params: { query }, signal }))
    },
  })

export const monitorQuery = (id: string) =>
  queryOptions({
    queryKey: ['monitor', id, 'name'],
    queryFn: async ({ signal }) =>
      (await bodyOf(api.GET('/api/v1/monitors/{monitor}', { params: { path: { monitor: id } }, signal }))).data,
  })

export const pagesQuery = queryOptions({
  queryKey: ['status-pages', 'choice'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/status-pages', { params: { query: whole }, signal })),
})

/** After a change: monitors that a window covers have another status. */
export const readAgain = () => refresh('maintenance', 'plan')
