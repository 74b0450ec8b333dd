import { sql } from 'kysely'
import { queries } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { emitWindow } from './row.ts'

type Context = Pick<RequestContext, 'em' | 'tenant' | 'now' | 'audit'>

/**
 * Ends windows that cover no monitor but this one, which is about to be deleted: a scheduled one is cancelled with all
 * its occurrences, an active one is over. One that covers monitors by a tag, or all, goes on.
 */
export async function endUncovered({ em, tenant, now, audit }: Context, monitorId: string): Promise<void> {
  const db = queries(em)
  const at = now.toISOString()
  const windows = await db
    .selectFrom('maintenance_windows as w')
    .where('w.tenant_id', '=', tenant.id)
    .where('w.state', 'in', ['scheduled', 'active'])
    .where('w.is_all', '=', false)
    .where('w.tags', '=', sql<string[]>`'{}'`)
    .where('w.monitor_ids', '@>', sql<string[]>`array[${monitorId}]::uuid[]`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('monitors as m')
            .whereRef('m.tenant_id', '=', 'w.tenant_id')
            .where('m.id', '=', sql<string>`any(w.monitor_ids)`)
            .where('m.id', '<>', monitorId)
            .select('m.id'),
        ),
      ),
    )
    .select(['w.id', 'w.state', 'w.title'])
    .orderBy('w.id')
    .forUpdate('w')
    .execute()
  for (const { id, state, title } of windows) {
    const isActive = state === 'active'
    const own = db.updateTable('maintenance_windows').where('tenant_id', '=', tenant.id).where('id', '=', id)
    if (isActive) await own.set({ next_ends_at: at, actual_ended_at: at }).execute()
    await emitWindow(em, tenant, isActive ? 'maintenance.ended' : 'maintenance.cancelled', id)
    await own
      .set({
        state: isActive ? 'completed' : 'cancelled',
        next_starts_at: null,
        next_ends_at: null,
        updated_at: at,
      })
      .execute()
    audit(
      isActive ? 'maintenance_window.stopped' : 'maintenance_window.cancelled',
      { type: 'maintenance_window', id },
      { title, deleted_monitor_id: monitorId },
    )
  }
}
