import { sql } from 'kysely'
import { mayWrite } from '#control-plane/alerting/channels/input.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries, rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { findDelivery } from './find.ts'
import { DeliveryView } from './view.ts'

export const replayLog = endpoint({
  method: 'POST',
  path: '/notification-logs/{notification_log}/replay',
  summary: 'Send a notification again',
  description:
    'Unchanged, and with the same id. ' +
    'It is sent at once and retried as usual. A notification that is not yet delivered or failed is refused.',
  access: mayWrite,
  returns: ok({ data: DeliveryView }),

  async handle({ em, tenant, params, audit }) {
    const { id, channel_id, event } = await findDelivery(em, tenant, params.notification_log)
    const replayed = await queries(em)
      .updateTable('deliveries')
      .set(({ eb }) => ({
        status: 'pending',
        attempts: 0,
        replays: eb('replays', '+', 1),
        next_at: sql<string>`clock_timestamp()`,
        finished_at: null,
        mailed_to: sql<string[]>`'{}'`,
        handed_to: sql<string[]>`'{}'`,
        handed_over_at: null,
      }))
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', id)
      .where('status', 'in', ['delivered', 'failed'])
      .where('body', 'is not', null)
      .returning('id')
      .executeTakeFirst()
    if (!replayed)
      throw invalid({ notification_log: ['It is still under way, or its payload is not kept.'] }, 'not_replayable')
    await rows(em)`select pg_notify('deliveries', '')`
    audit(
      'notification_log.replayed',
      { type: 'notification_channel', id: channel_id },
      { notification_log: id, event },
    )
    const { body: _, ...row } = await findDelivery(em, tenant, id)
    return { data: row }
  },
})
