import { type FieldErrors, invalid } from '#control-plane/base/refusal.ts'
import { fieldErrors } from '#control-plane/http/field-errors.ts'
import { isPassiveType } from '#control-plane/monitoring/checks/input.ts'
import { passiveMonitor, type WantedMonitor } from '#control-plane/monitoring/monitors/draft.ts'
import { NewMonitor, NewPassive } from '#control-plane/monitoring/monitors/input.ts'
import type { StoredMonitor, TemplateFields, Variable } from './input.ts'
import { fillText, fillTexts } from './placeholders.ts'
import { hasSecrets, mayReceive } from './secret-hosts.ts'

/** The monitors of a template with these values, as in a request; 422 with every missing or unknown variable. */
export function fillTemplate(template: TemplateFields, given: Record<string, string>): WantedMonitor[] {
  const errors: FieldErrors = {}
  const values = new Map<string, string>()
  for (const { name, required, default: fallback } of template.variables) {
    const value = (Object.hasOwn(given, name) ? given[name] : undefined) ?? fallback ?? ''
    if (required && value === '') errors[`variables.${name}`] = ['The template needs a value for this variable.']
    values.set(name, value)
  }
  for (const name of Object.keys(given))
    if (!values.has(name)) errors[`variables.${name}`] = ['The template has no such variable.']
  if (Object.keys(errors).length > 0) throw invalid(errors)

  const monitors = template.monitors.flatMap((monitor, index) => {
    const filled = fillMonitor(monitor, values)
    if (filled.success && (!hasSecrets(monitor) || mayReceive(monitor, filled.data.url ?? ''))) return [filled.data]
    if (filled.success) {
      errors[`monitors.${index}.url`] = ['The secrets of this monitor may not be sent to this host.']
      return []
    }
    for (const [path, reasons] of Object.entries(fieldErrors(filled.error)))
      errors[`monitors.${index}.${path}`] = reasons
    return []
  })
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return monitors
}

function fillMonitor(
  { name_template, url_template, type, check_interval, tags, slo, checks }: StoredMonitor,
  values: ReadonlyMap<string, string>,
) {
  // templates that were stored before there were objectives have none
  const own = {
    name: fillText(name_template, values),
    // a tag whose variable is left empty is none
    tags: tags.map(tag => fillText(tag, values)).filter(tag => tag.trim() !== ''),
    slo: slo ?? null,
  }
  const url = fillText(url_template ?? '', values)
  const filled = checks.map(check => ({ ...check, settings: fillTexts(check.settings, values) }))
  if (!isPassiveType(type))
    return NewMonitor.safeParse({
      ...own,
      url,
      type,
      ...(check_interval !== null && { check_interval }),
      checks: filled,
    })
  return NewPassive.extend({ checks: NewMonitor.shape.checks })
    .transform(({ checks: its = [], ...said }): WantedMonitor => passiveMonitor(type, said, url || undefined, its))
    .safeParse({ ...own, checks: filled })
}

/** The variables that must be given a value to fill the template. */
export const neededVariables = (variables: readonly Variable[]): string[] =>
  variables.flatMap(({ name, required, default: fallback }) => (required && !fallback ? [name] : []))
