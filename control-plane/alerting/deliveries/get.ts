import { z } from 'zod'
import { mayRead } from '#control-plane/alerting/channels/input.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { decryptBody } from './body.ts'
import { findDelivery } from './find.ts'
import { DeliveryView } from './view.ts'

const DetailView = DeliveryView.extend({
  payload: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'The message as it is sent. null where it was about a person and is no longer stored.' }),
}).meta({ id: 'NotificationLogDetail' })

export const getLog = endpoint({
  method: 'GET',
  path: '/notification-logs/{notification_log}',
  summary: 'Get an entry of the notification log with its payload',
  access: mayRead,
  returns: ok({ data: DetailView }),

  async handle({ em, tenant, params, services }) {
    const { body: stored, ...row } = await findDelivery(em, tenant, params.notification_log)
    const body = decryptBody(services.config, { ...row, body: stored })
    return { data: { ...row, payload: body === null ? null : JSON.parse(body) } }
  },
})
