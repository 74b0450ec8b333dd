import { isDeepStrictEqual } from 'node:util'
import { takesDown } from '#contract/check.ts'
import { json, queries } from '#control-plane/db/queries.ts'
import { encryptSettings } from '#control-plane/engine/assignments/check-secrets.ts'
import { maskSettings } from '#control-plane/engine/assignments/settings-secrets.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { refuseUnmeasured } from './objective.ts'
import type { CheckRow } from './row.ts'

type Fields = Partial<Pick<CheckRow, 'settings' | 'interval' | 'severity' | 'is_enabled'>>

/**
 * Stores changed fields of a check whose settings are decrypted, writes an audit entry without secrets, and publishes
 * `monitor.updated`. Without a change it writes nothing. A lower severity is refused where an objective needs the
 * check.
 */
export async function changeCheck(
  {
    em,
    tenant,
    now,
    services,
    audit,
    emit,
  }: Pick<RequestContext, 'em' | 'tenant' | 'now' | 'services' | 'audit' | 'emit'>,
  check: CheckRow,
  fields: Fields,
): Promise<void> {
  const names = (Object.keys(fields) as (keyof Fields)[]).filter(
    name => fields[name] !== undefined && !isDeepStrictEqual(check[name], fields[name]),
  )
  if (names.length === 0) return
  if (fields.severity !== undefined && !takesDown(fields.severity))
    await refuseUnmeasured({ em, tenant }, check, 'severity')
  const stored = names.flatMap((name): [string, unknown][] => {
    if (name !== 'settings') return [[name, fields[name]]]
    const { settings, secrets } = encryptSettings(services.config, check.id, fields.settings ?? {})
    return [
      ['settings', json(settings)],
      ['secrets', secrets],
    ]
  })
  await queries(em)
    .updateTable('checks')
    .set({ ...Object.fromEntries(stored), updated_at: now.toISOString() })
    .where('id', '=', check.id)
    .where('tenant_id', '=', tenant.id)
    .execute()
  const show = (row: Fields, name: keyof Fields) => (name === 'settings' ? maskSettings(row.settings ?? {}) : row[name])
  audit(
    'check.updated',
    { type: 'check', id: check.id },
    Object.fromEntries(names.map(name => [name, { before: show(check, name), after: show(fields, name) }])),
  )
  emit('monitor.updated', {
    monitor_id: check.monitor_id,
    monitor_name: check.monitor_name,
    monitor_url: check.monitor_url,
  })
}
