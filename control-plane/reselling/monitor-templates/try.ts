import type { Limits } from '#contract/plans.ts'
import { Sentence } from '#contract/sentence.ts'
import type { FieldErrors } from '#control-plane/base/refusal.ts'
import { missingFeature } from '#control-plane/engine/assignments/feature.ts'
import { isPassiveType, refuseInterval } from '#control-plane/monitoring/checks/input.ts'
import { readUrl } from '#control-plane/monitoring/monitors/validate.ts'
import type { Guard } from '#egress/guard.ts'
import type { StoredMonitor, TemplateFields, Variable } from './input.ts'
import { fillText, fillTexts, holdsPlaceholder } from './placeholders.ts'
import { hasSecrets, mayReceive } from './secret-hosts.ts'
import { validateMonitor } from './validate.ts'

const leftEmpty = 'This is so where variables that need no value are left empty, or have their default.'

/**
 * Why the monitors of a template could not be created where only the variables that need a value have one, by field of
 * the template. What such a value decides is not known before.
 */
export function refuseUnfilled({ monitors, variables }: TemplateFields, guard: Guard): FieldErrors {
  const values = new Map(variables.flatMap(withoutValue))
  const errors: FieldErrors = {}
  for (const [index, monitor] of monitors.entries()) {
    const found = validateFilled(monitor, filledBy(monitor, values), guard)
    for (const [path, reasons] of Object.entries(found)) errors[`monitors.${index}.${path}`] = [...reasons, leftEmpty]
  }
  return errors
}

/** What a variable is without a value that is sent; none: it needs one. */
const withoutValue = ({ name, required, default: fallback }: Variable): [string, string][] =>
  required && !fallback ? [] : [[name, fallback ?? '']]

function filledBy(monitor: StoredMonitor, values: ReadonlyMap<string, string>): StoredMonitor {
  const { name_template, url_template, tags, checks } = monitor
  return {
    ...monitor,
    name_template: fillText(name_template, values),
    url_template: fillText(url_template ?? '', values) || null,
    tags: tags.map(tag => fillText(tag, values)),
    checks: checks.map(check => ({
      ...check,
      settings: Object.fromEntries(
        Object.entries(check.settings).map(([name, value]) => [name, fillTexts(value, values)]),
      ),
    })),
  }
}

function validateFilled(monitor: StoredMonitor, filled: StoredMonitor, guard: Guard): FieldErrors {
  const errors = validateMonitor(filled, guard)
  const { url_template: url, type } = filled
  if (errors.url_template || url === null || holdsPlaceholder(url) || !hasSecrets(monitor)) return errors
  const address = readUrl(url, type, guard)
  return 'url' in address && !mayReceive(monitor, address.url)
    ? { ...errors, url_template: ['The secrets of this monitor may not be sent to this host.'] }
    : errors
}

/** What of a template a plan does not allow, by field of the template. */
export function refuseByPlan(monitors: readonly Omit<StoredMonitor, 'secret_hosts'>[], limits: Limits): FieldErrors {
  const errors: FieldErrors = {}
  if (limits.monitors !== null && monitors.length > limits.monitors)
    errors.monitors = [new Sentence('The plan allows {n} monitors.', { n: limits.monitors })]
  const servers = monitors.filter(({ type }) => type === 'agent')
  if (limits.agent_limit !== null && servers.length > limits.agent_limit)
    errors.monitors = [
      ...(errors.monitors ?? []),
      new Sentence('The plan allows {n} servers.', { n: limits.agent_limit }),
    ]
  for (const [index, { type, check_interval, checks }] of monitors.entries()) {
    const place = `monitors.${index}`
    if (type === 'cron' && !limits.cron_heartbeats)
      errors[`${place}.type`] = ['The plan does not include cron heartbeats.']
    if (type === 'agent' && !limits.server_monitoring)
      errors[`${place}.type`] = ['The plan does not include the monitoring of servers.']
    if (!isPassiveType(type) && check_interval !== null && check_interval < limits.min_check_interval)
      errors[`${place}.check_interval`] = [
        new Sentence('The plan allows {n} seconds at the least.', { n: limits.min_check_interval }),
      ]
    for (const [at, check] of checks.entries()) {
      if (!isPassiveType(type) && missingFeature(check.type, limits) !== null)
        errors[`${place}.checks.${at}.type`] = [
          new Sentence('The plan does not include checks of kind {kind}.', { kind: check.type }),
        ]
      const tooOften = refuseInterval(check.type, check.interval ?? null, limits)
      if (tooOften !== null) errors[`${place}.checks.${at}.interval`] = [tooOften]
    }
  }
  return errors
}

/** Errors that another list has not: what was stored before stays usable, and is no reason to refuse a change. */
export const without = (errors: FieldErrors, known: FieldErrors): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([path]) => known[path] === undefined))
