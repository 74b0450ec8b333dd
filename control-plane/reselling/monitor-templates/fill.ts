import { fieldErrors } from '#control-plane/kernel/mount.ts'
import { type FieldErrors, invalid } from '#control-plane/kernel/refusal.ts'
import { NewMonitor } from '#control-plane/monitoring/monitors/input.ts'
import type { StoredMonitor, TemplateFields } from './input.ts'
import { fillText, fillTexts } from './placeholders.ts'

/** The monitors a template makes of these values, each as if it had been sent; 422 with every variable that is missing or not known. */
export function fillTemplate(template: TemplateFields, given: Record<string, string>): NewMonitor[] {
  const errors: FieldErrors = {}
  const values = new Map<string, string>()
  for (const { name, required, default: usual } of template.variables) {
    const value = (Object.hasOwn(given, name) ? given[name] : undefined) ?? usual ?? ''
    if (required && value === '') errors[`variables.${name}`] = ['The template needs a value for this variable.']
    values.set(name, value)
  }
  for (const name of Object.keys(given)) if (!values.has(name)) errors[`variables.${name}`] = ['The template has no such variable.']
  if (Object.keys(errors).length > 0) throw invalid(errors)

  const monitors = template.monitors.flatMap((monitor, index) => {
    const filled = NewMonitor.safeParse(fillMonitor(monitor, values))
    if (filled.success) return [filled.data]
    for (const [path, reasons] of Object.entries(fieldErrors(filled.error))) errors[`monitors.${index}.${path}`] = reasons
    return []
  })
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return monitors
}

const fillMonitor = ({ name_template, url_template, type, check_interval, tags, checks }: StoredMonitor, values: ReadonlyMap<string, string>) => ({
  name: fillText(name_template, values),
  url: fillText(url_template, values),
  type,
  ...(check_interval !== null && { check_interval }),
  tags: tags.map(tag => fillText(tag, values)),
  checks: checks.map(check => ({ ...check, settings: fillTexts(check.settings, values) })),
})
