import { randomUUID } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { json, type Row, rows, stamp } from '#control-plane/db/queries.ts'
import { fieldNames, fieldTypes, type MonitorFields } from './row.ts'

const columns = sql.join(fieldNames.map(name => sql.ref(name)))
const given = sql.join(fieldNames.map(name => sql.ref(`r.${name}`)))
const assignments = sql.join(fieldNames.map(name => sql`${sql.ref(name)} = ${sql.ref(`r.${name}`)}`))
const typed = fieldNames.map(name => `${name} ${fieldTypes[name]}`)
const record = sql.raw(`id uuid, ordinal int, ${typed.join(', ')}`)
/** Monitors created in one call keep their order: each is a microsecond younger than the one before. */
const momentFrom = (now: Date) => sql`${now}::timestamptz + r.ordinal * interval '1 microsecond'`

/** Stores new monitors in one statement, and returns their ids. */
export async function insertMonitors(
  em: EntityManager,
  tenant: { id: string },
  monitors: readonly MonitorFields[],
  now: Date,
): Promise<string[]> {
  const added = monitors.map((monitor, ordinal) => ({ id: randomUUID(), ordinal, ...monitor }))
  await rows(em)`insert into monitors (id, tenant_id, ${columns}, created_at, updated_at)
    select r.id, ${tenant.id}::uuid, ${given}, ${momentFrom(now)}, ${momentFrom(now)}
    from jsonb_to_recordset(${json(added)}) as r(${record})`
  return added.map(row => row.id)
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
  const stored = await rows(em)<Updated>`update monitors m set ${assignments}, updated_at = ${now},
      switched_at = case when m.is_enabled = r.is_enabled then m.switched_at else ${now} end
    from jsonb_to_recordset(${json(monitors)}) as r(${record}) where m.id = r.id and m.tenant_id = ${tenant.id}
    returning m.id, ${sql.join(fieldNames.map(name => sql.ref(`m.${name}`)))},
      ${stamp('m.updated_at')} as updated_at`
  return new Map(stored.map(row => [row.id, row]))
}

/** Checks with the timeout of their monitor get its new one; checks with their own keep it. */
export async function followTimeouts(
  em: EntityManager,
  tenant: { id: string },
  changes: readonly { id: string; before: number; after: number }[],
  now: Date,
): Promise<void> {
  if (changes.length === 0) return
  await rows(em)`update checks c set settings = jsonb_set(c.settings, '{timeout_ms}', to_jsonb(r.after * 1000)),
      updated_at = ${now}
    from jsonb_to_recordset(${json(changes)}) as r(id uuid, before int, after int)
    where c.tenant_id = ${tenant.id} and c.monitor_id = r.id
      and c.settings -> 'timeout_ms' = to_jsonb(r.before * 1000)`
}
