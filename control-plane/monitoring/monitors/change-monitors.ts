import { isDeepStrictEqual } from 'node:util'
import { effectiveLimits } from '#contract/plans.ts'
import { changesOf } from '#control-plane/base/changes.ts'
import type { FieldErrors } from '#control-plane/base/refusal.ts'
import { among, queries, type Row, rows } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { refusePort } from '#control-plane/monitoring/checks/settings.ts'
import { followObjectives } from '#control-plane/monitoring/objectives/follow.ts'
import { lockCount } from '#control-plane/tenancy/plans/enforce.ts'
import { findMonitor, findMonitors } from './find.ts'
import type { MonitorChanges } from './input.ts'
import { fieldNames, type MonitorFields, type MonitorRow } from './row.ts'
import { followTimeouts, updateMonitors } from './store.ts'
import {
  readUrl,
  regionNames,
  severitiesOf,
  single,
  ValidationErrors,
  validateFields,
  validateObjective,
  validateParents,
  validatePolicies,
  validateReferences,
} from './validate.ts'

type ChangeContext = Pick<RequestContext, 'em' | 'tenant' | 'now' | 'services' | 'emit' | 'audit'>
export type MonitorChange = MonitorChanges & { id: string }

/** Updates a monitor, and returns it as it is then. 404 if it is none of this tenant. */
export async function changeMonitor(context: ChangeContext, change: MonitorChange): Promise<MonitorRow> {
  const { em, tenant } = context
  await lockCount(em, tenant, 'monitors')
  const before = await findMonitor(em, tenant, change.id)
  const [changed] = await applyChanges(context, [before], [{ ...change, id: before.id }], single)
  return changed!
}

/**
 * Updates monitors by id: all of them, or none, with all validation errors, and returns them as they are then.
 * Unchanged monitors publish no event. `found`: errors that are known already.
 */
export async function changeMonitors(
  context: ChangeContext,
  changes: readonly MonitorChange[],
  prefixOf: (index: number) => string,
  found: FieldErrors,
): Promise<MonitorRow[]> {
  const { em, tenant } = context
  await lockCount(em, tenant, 'monitors')
  const ids = changes.map(change => change.id)
  return applyChanges(context, await findMonitors(em, tenant, ids), changes, prefixOf, found)
}

/** Fields whose change may change the state: monitors join and leave maintenance windows by their tags. */
const movesState: readonly string[] = ['is_enabled', 'tags'] satisfies (keyof MonitorFields)[]

/** `rows`: the monitors, read under the lock of `lockCount`, so that two changes together cannot make a circle. */
async function applyChanges(
  { em, tenant, now, services, emit, audit }: ChangeContext,
  rows: readonly MonitorRow[],
  changes: readonly MonitorChange[],
  prefixOf: (index: number) => string,
  found: FieldErrors = {},
): Promise<MonitorRow[]> {
  const limits = effectiveLimits(tenant.plan, tenant.featureOverrides)
  const stored = new Map(rows.map(row => [row.id, row]))
  const validationErrors = new ValidationErrors(prefixOf, found)
  const regions = changes.some(change => change.regions) ? await regionNames(em) : new Set<string>()
  const seen = new Set<string>()
  const drafts = changes.flatMap((change, index) => {
    const before = stored.get(change.id)
    if (!before) validationErrors.add(index, 'id', 'Monitor not found.')
    else if (seen.has(change.id)) validationErrors.add(index, 'id', 'Is named twice.')
    seen.add(change.id)
    if (!before) return []
    if (change.type !== undefined && change.type !== before.type)
      validationErrors.add(index, 'type', 'The type of a monitor cannot change: make a new one.')
    validationErrors.addAll(index, validateFields(change, limits, regions, before))
    const address =
      change.url === undefined || change.url === before.url
        ? { url: before.url }
        : readUrl(change.url, before.type, services.guard)
    if ('error' in address) validationErrors.add(index, 'url', address.error)
    return [{ index, before, after: merge(before, change, 'url' in address ? address.url : before.url) }]
  })
  // an objective that is stored already is taken as it is
  const aimed = drafts.filter(({ before, after }) => after.slo !== null && !isDeepStrictEqual(before.slo, after.slo))
  const severities = await severitiesOf(
    em,
    tenant,
    aimed.map(({ before }) => before.id),
  )
  for (const { index, before, after } of aimed)
    validateObjective(index, after.slo, severities.get(before.id) ?? [], validationErrors)
  const moved = drafts.filter(({ before, after }) => leavesHost(before.url, after.url))
  const bound = await monitorsWithSecrets(
    em,
    tenant,
    moved.map(({ before }) => before.id),
  )
  for (const { index, before } of moved)
    if (bound.has(before.id))
      validationErrors.add(
        index,
        'url',
        'The checks have secrets for the former host: remove the secrets first, then send them again.',
      )
  const ports = await portsOf(
    em,
    tenant,
    moved.map(({ before }) => before.id),
  )
  for (const { index, before, after } of moved)
    for (const port of ports.get(before.id) ?? [])
      if (Object.keys(refusePort({ port }, after.url, services.guard)).length > 0)
        validationErrors.add(index, 'url', `A check uses port ${port}, which may not be reached at this address.`)
  await validateReferences(em, tenant, changes, validationErrors)
  await validateParents(em, tenant, changes, validationErrors)
  await validatePolicies(em, tenant, changes, validationErrors)
  validationErrors.refuseIfAny(tenant)

  const changed = drafts.flatMap(({ before, after }) => {
    const names = fieldNames.filter(name => !isDeepStrictEqual(before[name], after[name]))
    return names.length > 0 ? [{ before, after, names }] : []
  })
  const updated = await updateMonitors(
    em,
    tenant,
    changed.map(({ after }) => after),
    now,
  )
  const promised = changed.filter(({ names }) => names.includes('slo'))
  if (promised.length > 0)
    await followObjectives(
      em,
      promised.map(({ after }) => after.id),
    )
  const retimed = changed.flatMap(({ before, after }) =>
    before.timeout === after.timeout ? [] : [{ id: after.id, before: before.timeout, after: after.timeout }],
  )
  await followTimeouts(em, tenant, retimed, now)
  for (const { before, after, names } of changed) {
    audit('monitor.updated', { type: 'monitor', id: after.id }, changesOf(names, before, after))
    for (const event of eventsOf(before, after, names))
      emit(event, { monitor_id: after.id, monitor_name: after.name, monitor_url: after.url })
  }
  const restated = changed
    .filter(({ names }) => names.some(name => movesState.includes(name)))
    .map(({ after }) => after.id)
  const reread = new Map((await findMonitors(em, tenant, restated)).map(row => [row.id, row]))
  return drafts.map(({ before }) => reread.get(before.id) ?? { ...before, ...updated.get(before.id) })
}

/** A caller may change a monitor without reading its secrets, so they must not be sent to another host or unencrypted. */
function leavesHost(before: string, after: string): boolean {
  if (before === after || !URL.canParse(before) || !URL.canParse(after)) return before !== after
  const [from, to] = [new URL(before), new URL(after)]
  return from.host !== to.host || (from.protocol === 'https:' && to.protocol !== 'https:')
}

/** Which of these monitors have checks with secrets. */
async function monitorsWithSecrets(
  em: RequestContext['em'],
  tenant: { id: string },
  monitors: readonly string[],
): Promise<Set<string>> {
  if (monitors.length === 0) return new Set()
  const rows = await queries(em)
    .selectFrom('checks')
    .where('tenant_id', '=', tenant.id)
    .where('monitor_id', '=', among(monitors))
    .where('secrets', 'is not', null)
    .select('monitor_id')
    .distinct()
    .execute()
  return new Set(rows.map(row => row.monitor_id))
}

/** The ports in settings of checks of these monitors. */
async function portsOf(
  em: RequestContext['em'],
  tenant: { id: string },
  monitors: readonly string[],
): Promise<Map<string, number[]>> {
  if (monitors.length === 0) return new Map()
  const found = await rows(em)<Row<'checks', 'monitor_id'> & { ports: number[] }>`
    select monitor_id, array_agg((settings ->> 'port')::int) as ports from checks
    where tenant_id = ${tenant.id} and monitor_id = ${among(monitors)} and jsonb_typeof(settings -> 'port') = 'number'
    group by monitor_id`
  return new Map(found.map(({ monitor_id, ports }) => [monitor_id, ports]))
}

function merge(
  before: MonitorRow,
  { id: _, type: __, group, ...sent }: MonitorChange,
  url: string,
): MonitorFields & { id: string } {
  const fields = Object.fromEntries(fieldNames.map(name => [name, before[name]])) as unknown as MonitorFields
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
  return { id: before.id, ...fields, ...given, url, group_name: group === undefined ? before.group_name : group }
}

type MonitorEvent = 'monitor.updated' | 'monitor.enabled' | 'monitor.disabled'

/** Enabling and disabling have events of their own; all other changes publish `monitor.updated`. */
function eventsOf(before: MonitorFields, after: MonitorFields, names: readonly string[]): MonitorEvent[] {
  const switched: MonitorEvent[] =
    before.is_enabled === after.is_enabled ? [] : [after.is_enabled ? 'monitor.enabled' : 'monitor.disabled']
  return names.some(name => name !== 'is_enabled') ? ['monitor.updated', ...switched] : switched
}
