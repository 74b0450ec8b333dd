import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from '../api.ts'
import { refresh } from '../queries.ts'
import type { DeliveryFilters } from './routes.ts'

export type Channel = Schemas['NotificationChannel']
export type Rule = Schemas['NotificationRule']
export type Policy = Schemas['EscalationPolicy']
export type NotificationGaps = Schemas['NotificationGaps']
export type Delivery = Schemas['NotificationLog']

/** Lists that a choice is made from are read whole, as far as one page reaches. */
const whole = { per_page: 100 }

export const channelsQuery = queryOptions({
  queryKey: ['notification-channels'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/notification-channels', { params: { query: whole }, signal })),
})
export const presetsQuery = queryOptions({
  queryKey: ['notification-channels', 'presets'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/notification-channels/presets', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
})
export const rulesQuery = queryOptions({
  queryKey: ['notification-rules'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/notification-rules', { params: { query: whole }, signal })),
})
/** Whose incidents notify nobody, of all monitors or of one. */
export const gapsQuery = (monitor: string | null) =>
  queryOptions({
    queryKey: ['notification-gaps', monitor],
    queryFn: async ({ signal }) => {
      const query = monitor === null ? {} : { monitor_id: monitor }
      return (await bodyOf(api.GET('/api/v1/notification-gaps', { params: { query }, signal }))).data
    },
    refetchInterval: 15_000,
  })
/** Reads again what a change of channels, rules or policies has changed. */
export const readAlertsAgain = () => refresh('alerts')
export const deliveriesQuery = ({ channel, status }: DeliveryFilters, cursor: string | null) =>
  queryOptions({
    queryKey: ['notification-logs', channel, status, cursor],
    queryFn: ({ signal }) => {
      const query = {
        ...(channel !== undefined && { channel_id: channel }),
        ...(status !== undefined && { status: [status] }),
        ...(cursor !== null && { cursor }),
      }
      return bodyOf(api.GET('/api/v1/notification-logs', { params: { query }, signal }))
    },
  })
export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['notification-logs', id],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/notification-logs/{notification_log}', { params: { path: { notification_log: id } }, signal }),
      ),
  })
/** Whom a step of a policy can call. */
export const targetsQuery = queryOptions({
  queryKey: ['escalation-targets'],
  queryFn: async ({ signal }) => {
    const params = { query: whole }
    const [members, schedules] = await Promise.all([
      bodyOf(api.GET('/api/v1/members', { params, signal })),
      bodyOf(api.GET('/api/v1/on-call-schedules', { params, signal })),
    ])
    return {
      user: members.data.map(({ user_id: id, name }) => ({ id, name })),
      schedule: schedules.data.map(({ id, name }) => ({ id, name })),
    }
  },
})
