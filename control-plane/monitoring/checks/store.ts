import { randomUUID } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { json, rows } from '#control-plane/db/queries.ts'
import { encryptSettings } from '#control-plane/engine/assignments/check-secrets.ts'
import type { CheckFields } from './input.ts'

/** Checks created in one call keep their order: each is a microsecond younger than the one before. */
const momentFrom = (now: Date) => sql`${now}::timestamptz + r.ordinal * interval '1 microsecond'`

/** Stores new checks in one statement, and returns their ids. */
export async function insertChecks(
  { em, ring }: { em: EntityManager; ring: Keyring },
  tenant: { id: string },
  checks: readonly (CheckFields & { monitor_id: string })[],
  now: Date,
): Promise<string[]> {
  const added = checks.map((check, ordinal) => {
    const id = randomUUID()
    return { id, ordinal, ...check, ...encryptSettings(ring, id, check.settings) }
  })
  if (added.length > 0)
    await rows(em)`insert into checks (
        id, tenant_id, monitor_id, type, is_enabled, settings, secrets, interval, severity, created_at, updated_at
      )
      select r.id, ${tenant.id}::uuid, r.monitor_id, r.type, r.is_enabled, r.settings, r.secrets, r.interval,
        r.severity, ${momentFrom(now)}, ${momentFrom(now)}
      from jsonb_to_recordset(${json(added)}) as r(
        id uuid, ordinal int, monitor_id uuid, type text, is_enabled boolean, settings jsonb, secrets text,
        interval int, severity text
      )`
  return added.map(row => row.id)
}
