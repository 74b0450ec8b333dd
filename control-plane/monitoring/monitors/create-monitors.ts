import { kinds } from '#checks/index.ts'
import type { FieldErrors } from '#control-plane/base/refusal.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import {
  type CheckFields,
  draftCheck,
  repeatedKinds,
  usualChecks,
  type Within,
} from '#control-plane/monitoring/checks/input.ts'
import { insertChecks } from '#control-plane/monitoring/checks/store.ts'
import { followObjectives } from '#control-plane/monitoring/objectives/follow.ts'
import { takeMonitorPlaces } from './places.ts'
import type { MonitorFields } from './row.ts'
import { insertMonitors } from './store.ts'
import {
  regionNames,
  ValidationErrors,
  vetFields,
  vetObjective,
  vetParents,
  vetPolicies,
  vetReferences,
} from './vet.ts'
import { addressOf, type WantedMonitor } from './wanted.ts'

type CreateContext = Pick<RequestContext, 'em' | 'tenant' | 'now' | 'services' | 'emit' | 'audit'>

const usualInterval = 60

/**
 * Creates monitors with their checks: all of them, or none, with all validation errors. Returns their ids. `prefixOf`:
 * how the paths of a monitor's errors begin. `found`: errors that are known already.
 */
export async function createMonitors(
  { em, tenant, now, services, emit, audit }: CreateContext,
  wanted: readonly WantedMonitor[],
  prefixOf: (index: number) => string,
  found: FieldErrors = {},
): Promise<string[]> {
  const limits = await takeMonitorPlaces({ em, tenant, now, emit }, wanted)

  const validationErrors = new ValidationErrors(prefixOf, found)
  const regions = wanted.some(monitor => monitor.regions.length > 0) ? await regionNames(em) : new Set<string>()
  const drafts = wanted.map((monitor, index) => {
    validationErrors.addAll(index, vetFields(monitor, limits, regions))
    const address = addressOf(monitor, services.guard)
    if ('error' in address) validationErrors.add(index, 'url', address.error)
    const severities = (monitor.checks ?? usualChecks(monitor.type)).map(
      ({ type, severity }) => severity ?? kinds[type].severity,
    )
    vetObjective(index, monitor.slo, severities, validationErrors)
    return {
      fields: fieldsOf(
        monitor,
        'url' in address ? address.url : '',
        Math.max(usualInterval, limits.min_check_interval),
      ),
      checks: draftChecks({ ...monitor, url: 'url' in address ? address.url : '' }, index, validationErrors, {
        limits,
        guard: services.guard,
      }),
    }
  })
  await vetReferences(em, tenant, wanted, validationErrors)
  await vetParents(em, tenant, wanted, validationErrors)
  await vetPolicies(em, tenant, wanted, validationErrors)
  validationErrors.refuseIfAny(tenant)

  const ids = await insertMonitors(
    em,
    tenant,
    drafts.map(draft => draft.fields),
    now,
  )
  if (drafts.some(({ fields }) => fields.slo !== null)) await followObjectives(em, ids)
  await insertChecks(
    { em, ring: services.config },
    tenant,
    drafts.flatMap((draft, index) => draft.checks.map(check => ({ monitor_id: ids[index]!, ...check }))),
    now,
  )
  drafts.forEach(({ fields }, index) => {
    audit('monitor.created', { type: 'monitor', id: ids[index]! }, { name: fields.name, url: fields.url })
    emit('monitor.created', { monitor_id: ids[index]!, monitor_name: fields.name, monitor_url: fields.url })
  })
  return ids
}

function fieldsOf(
  { checks: _, group, check_interval, ...same }: WantedMonitor,
  url: string,
  interval: number,
): MonitorFields {
  return { ...same, url, group_name: group, check_interval: check_interval ?? interval }
}

type Checked = Pick<WantedMonitor, 'checks' | 'type' | 'timeout'> & { url: string }

function draftChecks(monitor: Checked, at: number, validationErrors: ValidationErrors, within: Within): CheckFields[] {
  const checks = monitor.checks ?? usualChecks(monitor.type)
  for (const index of repeatedKinds(checks))
    validationErrors.add(at, `checks.${index}.type`, 'A monitor has one check of this kind.')
  return checks.map((check, index) => {
    const { fields, errors, unplanned } = draftCheck(check, monitor, within, `checks.${index}.`)
    validationErrors.addAll(at, errors)
    if (unplanned) validationErrors.addUnplanned(at, unplanned)
    return fields
  })
}
