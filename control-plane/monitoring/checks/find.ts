import type { EntityManager } from '@mikro-orm/postgresql'
import { type RawBuilder, sql } from 'kysely'
import { notFound } from '#control-plane/base/refusal.ts'
import { rows } from '#control-plane/db/queries.ts'
import {
  type CheckRow,
  fromChecks,
  fromChecksOf,
  fromSummaries,
  type SummaryRow,
  selectChecks,
  selectSummaries,
} from './row.ts'

/** The check with this id, if it belongs to the tenant and, when one is named, to the monitor. */
export async function findCheck(
  em: EntityManager,
  tenant: { id: string },
  id: string,
  monitorId?: string,
): Promise<CheckRow> {
  const [row] = await rows(em)<CheckRow>`
    select ${selectChecks} ${fromChecks} where c.id = ${id} and c.tenant_id = ${tenant.id}`
  if (!row || (monitorId !== undefined && row.monitor_id !== monitorId.toLowerCase())) throw notFound('Check')
  return row
}

/** All checks of these monitors, those of one monitor in the order of creation. One statement for all monitors. */
export const checksOf = (
  em: EntityManager,
  tenant: { id: string },
  monitorIds: readonly string[],
): Promise<CheckRow[]> => ofMonitors(em, ids => sql`${selectChecks} ${fromChecksOf(ids)}`, tenant, monitorIds)

/** The same with only the columns that a summary shows. */
export const summariesOf = (
  em: EntityManager,
  tenant: { id: string },
  monitorIds: readonly string[],
): Promise<SummaryRow[]> => ofMonitors(em, ids => sql`${selectSummaries} ${fromSummaries(ids)}`, tenant, monitorIds)

async function ofMonitors<Row>(
  em: EntityManager,
  selected: (ids: readonly string[]) => RawBuilder<unknown>,
  tenant: { id: string },
  monitorIds: readonly string[],
): Promise<Row[]> {
  if (monitorIds.length === 0) return []
  const found = selected([...new Set(monitorIds)])
  return rows(em)`select ${found} where c.tenant_id = ${tenant.id} order by c.created_at, c.id`
}
