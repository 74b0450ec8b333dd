import { randomUUID } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { canonicalName, events, isAlias, subscribable } from '#contract/events.ts'
import { attempt } from '#control-plane/alerting/deliveries/attempt.ts'
import { composeMessage } from '#control-plane/alerting/dispatch/message.ts'
import type { SideEffects } from '#control-plane/base/side-effects.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { rateLimits, tooMany } from '#control-plane/http/rate.ts'
import { ok } from '#control-plane/http/reply.ts'
import { shortUnit } from '#control-plane/monitoring/checks/check-endpoint.ts'
import { mayWrite, refuseTypeBeyondPlan } from './input.ts'
import { type ChannelRow, findChannel } from './row.ts'

/** A limit for the whole team. */
const testMailsAMinute = rateLimits['smtp-test']

const TestView = z
  .object({
    success: z.boolean(),
    status_code: z.int().nullable(),
    error: z.string().nullable().meta({
      description:
        'blocked, dns, connect, tls, timeout, http_status, template, mail, unconfirmed, mail_budget or internal',
    }),
    response: z
      .string()
      .nullable()
      .meta({ description: 'The first kilobyte of the response, or what is wrong with the template.' }),
    is_kept: z.boolean().meta({
      description: 'The platform has no mail server: the mail is kept for the operator, and no recipient has it.',
    }),
    duration_ms: z.int(),
  })
  .meta({ id: 'ChannelTest' })

export const testFields = {
  detached: true,
  body: z.object({ event: z.enum(subscribable, 'Is not the name of an event.').default('incident.created') }),
  returns: ok({ data: TestView }),
} as const

type TestContext = Pick<RequestContext, 'em' | 'tenant' | 'caller' | 'ip' | 'now' | 'services'> & {
  body: { event: string }
}

/**
 * Sends an example to a channel that `find` returns, and returns the outcome. The request of the caller is counted and
 * written to the audit log by `find`.
 */
export async function sendTest(
  context: TestContext,
  find: (em: EntityManager, sideEffects: SideEffects) => Promise<ChannelRow>,
): Promise<{ channel: ChannelRow; shown: z.input<typeof TestView> }> {
  const { tenant, body, now, services } = context
  const channel = await shortUnit(context, randomUUID(), async (em, sideEffects) => {
    const found = await find(em, sideEffects)
    refuseTypeBeyondPlan(tenant, found.type)
    return found
  })
  if (channel.type === 'email') {
    const counted = await services.rate.count(`channel-test:${tenant.id}`, testMailsAMinute, services.clock.nowMs())
    if (counted.isRefused) throw tooMany(counted)
  }
  const kind = events.get(isAlias(body.event) ? canonicalName(body.event) : body.event)
  const message = composeMessage({ event: body.event, at: now, payload: { ...kind?.example, test: true } })
  const receivers = services.config.receivers
  const sent = await attempt(
    { ...services, ...(receivers && { receivers }) },
    { id: randomUUID(), channel: { ...channel, tenantId: tenant.id }, body: message.text },
  )
  return {
    channel,
    shown: {
      success: sent.isDelivered,
      status_code: sent.status,
      error: sent.error,
      response: sent.answer?.toWellFormed() ?? null,
      is_kept: sent.isKept ?? false,
      duration_ms: sent.durationMs,
    },
  }
}

export const testChannel = endpoint({
  method: 'POST',
  path: '/notification-channels/{notification_channel}/test',
  summary: 'Send an example to a notification channel',
  description:
    'The example has `test: true` and is sent once. A disabled channel is tested as well. ' +
    `E-mail channels of a team are tested at most ${testMailsAMinute} times a minute.`,
  access: mayWrite,
  ...testFields,

  async handle(context) {
    const { shown } = await sendTest(context, async (em, sideEffects) => {
      const found = await findChannel(em, context.tenant, context.params.notification_channel)
      sideEffects.audits.push({
        whose: 'tenant',
        action: 'notification_channel.tested',
        type: 'notification_channel',
        id: found.id,
        changes: undefined,
      })
      return found
    })
    return { data: shown }
  },
})
