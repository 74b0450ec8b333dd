import { randomUUID } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import type { Row } from '#control-plane/db/queries.ts'
import { fieldNames, fieldTypes, type MonitorFields } from './row.ts'

const columns = fieldNames.join(', ')
const record = `id uuid, ordinal int, ${fieldNames.map(name => `${name} ${fieldTypes[name]}`).join(', ')}`
/** Monitors created in one call keep their order: each is a microsecond younger than the one before. */
const moment = `?::timestamptz + r.ordinal * interval '1 microsecond'`

/** Stores new monitors in one statement, and returns their ids. */
export async function insertMonitors(
  em: EntityManager,
  tenant: { id: string },
  monitors: readonly MonitorFields[],
  now: Date,
): Promise<string[]> {
  const rows = monitors.map((monitor, ordinal) => ({ id: randomUUID(), ordinal, ...monitor }))
  await em.execute(
    `insert into monitors (id, tenant_id, ${columns}, created_at, updated_at)
     select r.id, ?::uuid, ${fieldNames.map(name => `r.${name}`).join(', ')}, ${moment}, ${moment}
     from jsonb_to_recordset(?::jsonb) as r(${record})`,
    [tenant.id, now, now, JSON.stringify(rows)],
  )
  return rows.map(row => row.id)
}

type Updated = MonitorFields & Row<'monitors', 'id' | 'updated_at'>

/**
 * Updates the fields that people set, of existing monitors, in one statement, and returns them by id as they are
 * stored. It does not touch the status.
 */
export async function updateMonitors(
  em: EntityManager,
  tenant: { id: string },
  monitors: readonly (MonitorFields & { id: string })[],
  now: Date,
): Promise<Map<string, Updated>> {
  if (monitors.length === 0) return new Map()
  const rows = await em.execute<Updated[]>(
    `update monitors m set ${fieldNames.map(name => `${name} = r.${name}`).join(', ')}, updated_at = ?,
       switched_at = case when m.is_enabled = r.is_enabled then m.switched_at else ? end
     from jsonb_to_recordset(?::jsonb) as r(${record}) where m.id = r.id and m.tenant_id = ?
     returning m.id, ${fieldNames.map(name => `m.${name}`).join(', ')}, ${stampSql('m.updated_at')} as updated_at`,
    [now, now, JSON.stringify(monitors), tenant.id],
  )
  return new Map(rows.map(row => [row.id, row]))
}

/** Checks with the timeout of their monitor get its new one; checks with their own keep it. */
export async function followTimeouts(
  em: EntityManager,
  tenant: { id: string },
  changes: readonly { id: string; before: number; after: number }[],
  now: Date,
): Promise<void> {
  if (changes.length === 0) return
  await em.execute(
    `update checks c set settings = jsonb_set(c.settings, '{timeout_ms}', to_jsonb(r.after * 1000)), updated_at = ?
     from jsonb_to_recordset(?::jsonb) as r(id uuid, before int, after int)
     where c.tenant_id = ? and c.monitor_id = r.id and c.settings -> 'timeout_ms' = to_jsonb(r.before * 1000)`,
    [now, JSON.stringify(changes), tenant.id],
  )
}
