import type { EntityManager } from '@mikro-orm/postgresql'
import { type RawBuilder, sql } from 'kysely'
import { notFound } from '#control-plane/base/refusal.ts'
import { type Row, rows, stamp } from '#control-plane/db/queries.ts'
import { joinStates, type MonitorRow, selectMonitors } from '#control-plane/monitoring/monitors/row.ts'

/** An agent monitor with the state of its server. Times are text in the API's format. */
export type AgentRow = MonitorRow &
  Row<'checks', 'settings' | 'severity'> &
  Row<
    'agent_monitors',
    'check_id' | 'host' | 'processes' | 'processes_at' | 'last_seen_at' | 'exceeded' | 'outcome' | 'reported'
  > & {
    token: Row<'agent_tokens', 'tail' | 'created_at'> | null
    grace_ends_at: string | null
  }

const columns = sql`${selectMonitors}, a.check_id, c.settings, c.severity,
  a.host, a.processes, a.exceeded, a.outcome, a.reported,
  ${stamp('a.processes_at')} as processes_at, ${stamp('a.last_seen_at')} as last_seen_at,
  (select json_build_object('tail', k.tail, 'created_at', ${stamp('k.created_at')}) from agent_tokens k
   where k.monitor_id = m.id and k.expires_at is null) as token,
  (select ${stamp(sql<string | null>`max(k.expires_at)`)} from agent_tokens k
   where k.monitor_id = m.id and k.expires_at > now()) as grace_ends_at`

export const fromAgents = sql`
  from agent_monitors a join monitors m on m.id = a.monitor_id join checks c on c.id = a.check_id ${joinStates}`

/** Agent monitors that match a condition on `m`, `a`, `c` and their states `s`. */
export const selectAgents = (em: EntityManager, where: RawBuilder<unknown>): Promise<AgentRow[]> =>
  rows(em)`select ${columns} ${fromAgents} where ${where}`

/** The agent monitor with this id, if it belongs to the tenant. */
export async function findAgent(em: EntityManager, tenant: { id: string }, id: string): Promise<AgentRow> {
  const [row] = await selectAgents(em, sql`m.tenant_id = ${tenant.id} and m.id = ${id}`)
  if (!row) throw notFound('Agent monitor')
  return row
}
