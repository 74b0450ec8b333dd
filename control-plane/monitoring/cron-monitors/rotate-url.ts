import { z } from 'zod'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { answerCronMonitor, findCronMonitor } from './find.ts'
import { CronMonitorView } from './view.ts'

const formerLives = `interval '24 hours'`

export const rotatePingUrl = endpoint({
  method: 'POST',
  path: '/cron-monitors/{cron_monitor}/rotate-url',
  summary: 'Give a cron monitor another ping URL; the former one works for 24 hours',
  description: 'With `revoke` the former ones end at once.',
  access: { tenant: 'monitors:write', reseller: 'monitors:write' },
  body: z.object({ revoke: z.boolean().default(false) }),
  returns: ok({ data: CronMonitorView }),

  async handle(facts) {
    const { em, tenant, params, body, audit } = facts
    const { id, check_id } = await findCronMonitor(em, tenant, params.cron_monitor)
    // whoever rotates at the same time waits here
    await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`ping_address:${check_id}`])
    if (body.revoke)
      await em.execute('delete from ping_addresses where tenant_id = ? and check_id = ?', [tenant.id, check_id])
    else
      await em.execute(
        `update ping_addresses set ends_at = clock_timestamp() + ${formerLives} where tenant_id = ? and check_id = ? and ends_at is null`,
        [tenant.id, check_id],
      )
    await em.execute('insert into ping_addresses (tenant_id, check_id) values (?, ?)', [tenant.id, check_id])
    audit('monitor.ping_url_rotated', { type: 'monitor', id }, { is_former_revoked: body.revoke })
    return answerCronMonitor(facts, id)
  },
})
