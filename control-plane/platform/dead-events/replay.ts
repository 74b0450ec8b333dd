import { invalid, notFound } from '#control-plane/base/refusal.ts'
import { affected, rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mostAttempts } from '#control-plane/outbox/dispatcher.ts'
import { wakeSql } from '#control-plane/outbox/emit.ts'
import { type DeadEventRow, DeadEventView, deadEventColumns } from './view.ts'

export const replayDeadEvent = endpoint({
  method: 'POST',
  path: '/platform/dead-events/{dead_event}/replay',
  summary: 'Replay a dead event under the same id',
  description: 'One attempt is made at once. Recipients that were notified of it before are not notified again.',
  access: 'super-admin',
  returns: ok({ data: DeadEventView }),

  async handle({ services, params, audit }) {
    const { platform } = services
    const find = async () =>
      (
        await rows(platform)<DeadEventRow>`
          select ${deadEventColumns} from outbox o where o.dead_id = ${params.dead_event}`
      )[0]
    const dead = await find()
    if (!dead) throw notFound('Dead event')
    // one attempt: later events of its monitor do not wait long for it
    const rowCount = await affected(platform)`with again as (
        update outbox set done_at = null, dead_at = null, attempts = ${mostAttempts - 1}, next_at = clock_timestamp()
        where dead_id = ${params.dead_event} and dead_at is not null and payload <> '{}' returning 1)
      select ${wakeSql} from again`
    if (rowCount === 0)
      throw invalid({ dead_event: ['It is still under way, or its payload is not kept.'] }, 'not_replayable')
    audit(
      'dead_event.replayed',
      { type: 'dead_event', id: dead.id },
      { kind: dead.kind, name: dead.name, tenant_id: dead.tenant_id },
    )
    return { data: { ...dead, died_at: null, is_replayable: false } }
  },
})
