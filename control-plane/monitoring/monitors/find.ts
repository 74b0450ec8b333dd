import type { EntityManager } from '@mikro-orm/postgresql'
import { notFound } from '#control-plane/base/refusal.ts'
import { among, queries, rows } from '#control-plane/db/queries.ts'
import { joinStates, type MonitorRow, selectMonitors } from './row.ts'

/** The one way to reach a monitor by id: it exists, and it is this tenant's. */
export async function findMonitor(em: EntityManager, tenant: { id: string }, id: string): Promise<MonitorRow> {
  const [row] = await findMonitors(em, tenant, [id])
  if (!row) throw notFound('Monitor')
  return row
}

/** Those of the ids that are this tenant's monitors, in the order asked. */
export async function findMonitors(
  em: EntityManager,
  tenant: { id: string },
  ids: readonly string[],
): Promise<MonitorRow[]> {
  if (ids.length === 0) return []
  const found = await rows(em)<MonitorRow>`select ${selectMonitors} from monitors m ${joinStates}
    where m.tenant_id = ${tenant.id} and m.id = ${among(ids)}`
  const byId = new Map(found.map(row => [row.id, row]))
  return ids.flatMap(id => byId.get(id.toLowerCase()) ?? [])
}

/** Locks a monitor before its incidents and checks, in the same order as the verdict engine: two would deadlock. */
export const lockMonitor = (em: EntityManager, tenant: { id: string }, id: string): Promise<unknown> =>
  queries(em)
    .selectFrom('monitors')
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', id)
    .select('id')
    .forUpdate()
    .execute()
