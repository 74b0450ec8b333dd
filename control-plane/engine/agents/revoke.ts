import type { Pool } from 'pg'
import { notFound } from '#control-plane/base/refusal.ts'
import { type Row, rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'

export const revokeAgentEndpoint = endpoint({
  method: 'DELETE',
  path: '/agents/{agent}',
  operation: 'agents.revoke',
  summary: 'Revoke an agent',
  description: 'Its stream ends and nothing it says is taken any more.',
  access: 'super-admin',
  returns: noContent,

  async handle({ params, services, audit }) {
    const region = await revokeAgent(services.platform, params.agent)
    if (region === null) throw notFound('Agent')
    audit('agent.revoked', { type: 'agent', id: params.agent }, { region })
  },
})

/**
 * Revokes an agent for good and notifies the process that serves agents. Returns its region, or null for an unknown
 * agent.
 */
export async function revokeAgent(platform: Pool, id: string): Promise<string | null> {
  const [row] = await rows(platform)<Row<'agents', 'region'>>`
    with revoked as (update agents set revoked_at = coalesce(revoked_at, clock_timestamp()) where id = ${id}
     returning id, region)
    select region, pg_notify('agents', json_build_object('agent', id)::text) from revoked`
  return row?.region ?? null
}
