import { kinds } from '#checks/index.ts'
import type { FieldErrors } from '#control-plane/base/refusal.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import {
  type CheckFields,
  defaultChecks,
  draftCheck,
  repeatedKinds,
  type Within,
} from '#control-plane/monitoring/checks/input.ts'
import { insertChecks } from '#control-plane/monitoring/checks/store.ts'
import { followObjectives } from '#control-plane/monitoring/objectives/follow.ts'
import { addressOf, type WantedMonitor } from './draft.ts'
import { reserveMonitorQuota } from './quota.ts'
import type { MonitorFields } from './row.ts'
import { insertMonitors } from './store.ts'
import {
  regionNames,
  ValidationErrors,
  validateFields,
  validateObjective,
  validateParents,
  validatePolicies,
  validateReferences,
} from './validate.ts'

type CreateContext = Pick<RequestContext, 'em' | 'tenant' | 'now' | 'services' | 'emit' | 'audit'>

const defaultInterval = 60

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
  const limits = await reserveMonitorQuota({ em, tenant, now, emit }, wanted)

  const validationErrors = new ValidationErrors(prefixOf, found)
  const regions = wanted.some(monitor => monitor.regions.length > 0) ? await regionNames(em) : new Set<string>()
  const drafts = wanted.map((monitor, index) => {
    validationErrors.addAll(index, validateFields(monitor, limits, regions))
    const address = addressOf(monitor, services.guard)
    if ('error' in address) validationErrors.add(index, 'url', address.error)
    const severities = (monitor.checks ?? defaultChecks(monitor.type)).map(
      ({ type, severity }) => severity ?? kinds[type].severity,
    )
    validateObjective(index, monitor.slo, severities, validationErrors)
    return {
      fields: fieldsOf(
        monitor,
        'url' in address ? address.url : '',
        Math.max(defaultInterval, limits.min_check_interval),
      ),
      checks: draftChecks({ ...monitor, url: 'url' in address ? address.url : '' }, index, validationErrors, {
        limits,
        guard: services.guard,
      }),
    }
  })
  await validateReferences(em, tenant, wanted, validationErrors)
  await validateParents(em, tenant, wanted, validationErrors)
  await validatePolicies(em, tenant, wanted, validationErrors)
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
  const checks = monitor.checks ?? defaultChecks(monitor.type)
  for (const index of repeatedKinds(checks))
    validationErrors.add(at, `checks.${index}.type`, 'A monitor has one check of this kind.')
  return checks.map((check, index) => {
    const { fields, errors, unplanned } = draftCheck(check, monitor, within, `checks.${index}.`)
    validationErrors.addAll(at, errors)
    if (unplanned) validationErrors.addUnplanned(at, unplanned)
    return fields
  })
}
