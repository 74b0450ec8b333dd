import { sql } from 'kysely'
import { z } from 'zod'
import { advisoryLock, queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { deleteAliases } from './aliases/store.ts'
import { answerCronMonitor, findCronMonitor } from './find.ts'
import { CronMonitorView } from './view.ts'

export const rotatePingUrl = endpoint({
  method: 'POST',
  path: '/cron-monitors/{cron_monitor}/rotate-url',
  summary: 'Rotate the ping URL of a cron monitor',
  description:
    'The former one works for 24 hours. ' +
    'With `revoke` all former ones stop working at once, also those that the job had at another provider. Without it ' +
    'the latter go on working.',
  access: { tenant: 'monitors:write', reseller: 'monitors:write' },
  body: z.object({ revoke: z.boolean().default(false) }),
  returns: ok({ data: CronMonitorView }),

  async handle(context) {
    const { em, tenant, params, body, audit } = context
    const { id, check_id } = await findCronMonitor(em, tenant, params.cron_monitor)
    // concurrent rotations wait for each other
    await advisoryLock(em, `ping_address:${check_id}`)
    const db = queries(em)
    if (body.revoke) {
      await deleteAliases(em, tenant, check_id)
      await db
        .deleteFrom('ping_addresses')
        .where('tenant_id', '=', tenant.id)
        .where('check_id', '=', check_id)
        .execute()
    } else
      await db
        .updateTable('ping_addresses')
        .set({ ends_at: sql<string>`clock_timestamp() + interval '24 hours'` })
        .where('tenant_id', '=', tenant.id)
        .where('check_id', '=', check_id)
        .where('ends_at', 'is', null)
        .execute()
    await db.insertInto('ping_addresses').values({ tenant_id: tenant.id, check_id }).execute()
    audit('monitor.ping_url_rotated', { type: 'monitor', id }, { is_former_revoked: body.revoke })
    return answerCronMonitor(context, id)
  },
})
