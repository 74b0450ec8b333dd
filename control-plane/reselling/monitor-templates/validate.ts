import { kinds } from '#checks/index.ts'
import { planLimits } from '#contract/plans.ts'
import { Sentence, type Text } from '#contract/sentence.ts'
import { type FieldErrors, invalid } from '#control-plane/base/refusal.ts'
import { mask, noStoredValue } from '#control-plane/base/secrets.ts'
import { fieldErrors } from '#control-plane/http/field-errors.ts'
import { draftCheck, isPassiveType, type NewCheck, repeatedKinds } from '#control-plane/monitoring/checks/input.ts'
import { refuseUnknown } from '#control-plane/monitoring/checks/settings.ts'
import { NewMonitor } from '#control-plane/monitoring/monitors/input.ts'
import { readUrl } from '#control-plane/monitoring/monitors/validate.ts'
import { refuseSchedule } from '#control-plane/passive/heartbeats/input.ts'
import type { Guard } from '#egress/guard.ts'
import { maxPlaceholders, type StoredMonitor, type TemplateFields } from './input.ts'
import { countPlaceholders, hasStrayBraces, holdsPlaceholder, namesIn, textsIn } from './placeholders.ts'
import { isUnbound } from './secret-hosts.ts'

/** The widest limits: those of the team's plan are applied with the template. */
const anyPlan = { ...planLimits.pro, min_check_interval: 1 }
const timeoutS = 10

/** Refuses a template that could never be applied, with every reason by path. */
export function validateTemplate({ monitors, variables }: TemplateFields, guard: Guard): void {
  const errors: FieldErrors = {}
  const complain = (path: string, reason: Text) => {
    if (!errors[path]?.some(known => String(known) === String(reason))) errors[path] = [...(errors[path] ?? []), reason]
  }
  const declared = new Set<string>()
  variables.forEach(({ name }, index) => {
    if (declared.has(name)) complain(`variables.${index}.name`, 'Is declared twice.')
    declared.add(name)
  })

  // before the list of errors is built: a text of 60,000 characters may have thousands of placeholders
  const used = monitors.reduce((sum, monitor) => sum + countPlaceholders(templatedParts(monitor)), 0)
  if (used > maxPlaceholders)
    throw invalid({
      monitors: [
        new Sentence('At most {n} placeholders in all, there are {count}.', { n: maxPlaceholders, count: used }),
      ],
    })
  const texts = monitors.flatMap((monitor, index) => [...templatedTexts(monitor, `monitors.${index}`)])
  for (const { place, text, isKey } of texts) {
    for (const name of new Set(namesIn(text))) {
      if (isKey) complain(place, `A placeholder stands for a value, not for a name: {{${name}}}.`)
      else if (!declared.has(name)) complain(place, `The placeholder {{${name}}} is not among the variables.`)
    }
    if (text === mask) complain(place, noStoredValue)
    if (hasStrayBraces(text)) complain(place, 'Two braces open no placeholder here: write {{name}}.')
  }

  monitors.forEach((monitor, index) => {
    for (const [path, reasons] of Object.entries(validateMonitor(monitor, guard)))
      for (const reason of reasons) complain(`monitors.${index}.${path}`, reason)
  })
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

/** Refuses monitors whose secrets would be sent to a host that a variable decides. */
export function validateSecretHosts(monitors: readonly StoredMonitor[]): void {
  const unbound = monitors.flatMap((monitor, index) => (isUnbound(monitor) ? [`monitors.${index}.secret_hosts`] : []))
  const why = 'A placeholder decides the host, and the checks have secrets: name the hosts these may be sent to.'
  if (unbound.length > 0) throw invalid(Object.fromEntries(unbound.map(path => [path, [why]])))
}

/** The parts of a monitor that may have placeholders. */
const templatedParts = ({ name_template, url_template, tags, checks }: StoredMonitor) => [
  name_template,
  url_template,
  tags,
  checks.map(({ settings }) => settings),
]

/** The texts of these parts. */
function* templatedTexts({ name_template, url_template, tags, checks }: StoredMonitor, place: string) {
  yield* textsIn({ name_template, url_template, tags }, place)
  for (const [index, { settings }] of checks.entries()) yield* textsIn(settings, `${place}.checks.${index}.settings`)
}

/** Errors of a monitor that no values of the variables can fix. */
export function validateMonitor(
  { name_template, url_template, type, tags, checks }: StoredMonitor,
  guard: Guard,
): FieldErrors {
  const errors: FieldErrors = {}
  if (!holdsPlaceholder(name_template)) {
    if (name_template.length > 255) errors.name_template = ['At most 255 characters.']
    else if (name_template.trim() === '') errors.name_template = ['Say what the monitor is called.']
  }
  if (url_template === null && !isPassiveType(type)) errors.url_template = ['Say what is monitored.']
  const address =
    url_template === null || holdsPlaceholder(url_template) ? undefined : readUrl(url_template, type, guard)
  if (address && 'error' in address) errors.url_template = [address.error]
  if (isPassiveType(type) && checks.length === 0)
    errors.checks = [new Sentence('A monitor of type {type} is nothing without its check.', { type })]
  tags.forEach((tag, index) => {
    const parsed = NewMonitor.shape.tags.safeParse([tag])
    // an empty one is left out
    if (!holdsPlaceholder(tag) && tag.trim() !== '' && !parsed.success)
      errors[`tags.${index}`] = Object.values(fieldErrors(parsed.error)).flat()
  })
  for (const index of repeatedKinds(checks)) errors[`checks.${index}.type`] = ['A monitor has one check of this kind.']
  checks.forEach((check, index) => {
    Object.assign(
      errors,
      validateCheck(check, { type, url: address && 'url' in address ? address.url : '' }, guard, `checks.${index}.`),
    )
  })
  return errors
}

function validateCheck(
  check: NewCheck,
  monitor: { type: string; url: string },
  guard: Guard,
  place: string,
): FieldErrors {
  const { errors } = draftCheck(check, { ...monitor, timeout: timeoutS }, { limits: anyPlan, guard }, place)
  const unscheduled = check.type === 'cron' ? within(`${place}settings.`, refuseSchedule(check.settings)) : {}
  if (!holdsPlaceholder(check.settings)) return { ...errors, ...unscheduled }
  const apart = Object.entries(errors).filter(([path]) => !path.startsWith(`${place}settings`))
  return { ...Object.fromEntries(apart), ...validateSettings(check, place), ...unscheduled }
}

/** Errors of settings that no values can fix, such as text in place of a number. */
function validateSettings({ type, settings }: NewCheck, place: string): FieldErrors {
  const unknown = within(place, refuseUnknown(type, settings))
  if (Object.keys(unknown).length > 0) return unknown
  const parsed = kinds[type].settings.safeParse(settings)
  if (parsed.success) return {}
  const lasting = parsed.error.issues.filter(
    issue => issue.code === 'invalid_type' || !holdsPlaceholder(valueAt(settings, issue.path)),
  )
  if (lasting.length === 0) return {}
  return within(`${place}settings.`, fieldErrors({ ...parsed.error, issues: lasting }))
}

const within = (place: string, errors: FieldErrors): FieldErrors =>
  Object.fromEntries(Object.entries(errors).map(([path, reasons]) => [place + path, reasons]))

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (inner && typeof inner === 'object' ? Reflect.get(inner, key) : undefined),
    value,
  )
