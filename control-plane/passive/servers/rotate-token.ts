import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { advisoryLock, queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { agentAccess } from './access.ts'
import { InstallView, installOf } from './install.ts'
import { findAgent } from './row.ts'
import { mintServerToken } from './token.ts'
import { AgentMonitorView, viewAgent } from './view.ts'

const graceHours = 24

export const rotateAgentToken = endpoint({
  method: 'POST',
  path: '/agent-monitors/{agent_monitor}/rotate-token',
  summary: 'Rotate the token of a server',
  description:
    'The old one works for 24 hours more. ' +
    'With `revoke` all earlier tokens end at once. A token that still works from an earlier rotation ends now.',
  access: agentAccess.write,
  needsOwnSession: true,
  body: z.object({ revoke: z.boolean().default(false) }),
  returns: created({
    data: AgentMonitorView,
    plain_text_token: z.string(),
    old_works_until: z.string().nullable().meta({ format: 'date-time' }),
    install: InstallView,
  }),

  async handle({ em, tenant, params, body, now, services, audit }) {
    const { id } = await findAgent(em, tenant, params.agent_monitor)
    await advisoryLock(em, `agent_token:${id}`)
    const db = queries(em)
    const ended = db.deleteFrom('agent_tokens').where('monitor_id', '=', id)
    await (body.revoke ? ended : ended.where('expires_at', 'is not', null)).execute()
    const until = new Date(now.getTime() + graceHours * 3_600_000)
    const kept = await db
      .updateTable('agent_tokens')
      .set({ expires_at: until.toISOString() })
      .where('monitor_id', '=', id)
      .returning('id')
      .execute()
    const token = await mintServerToken(em, tenant, id, now)
    audit('monitor.token_rotated', { type: 'monitor', id }, { revoke: { before: null, after: body.revoke } })
    return {
      data: viewAgent(await findAgent(em, tenant, id)),
      plain_text_token: token,
      old_works_until: kept.length > 0 ? stamp(until) : null,
      install: installOf(await keptOriginOf(services, tenant.id), token),
    }
  },
})
