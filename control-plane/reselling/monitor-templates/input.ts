import { z } from 'zod'
import { line, text } from '#contract/line.ts'
import type * as shapes from '#control-plane/db/model/shapes.ts'
import { allMonitorTypes, defaultChecks, type NewCheck } from '#control-plane/monitoring/checks/input.ts'
import { NewMonitor } from '#control-plane/monitoring/monitors/input.ts'
import { withScheme } from '#control-plane/monitoring/monitors/validate.ts'
import { Slo } from '#control-plane/monitoring/objectives/input.ts'
import { meantSchedule } from '#control-plane/passive/heartbeats/input.ts'
import { holdsPlaceholder, variableName } from './placeholders.ts'
import { SecretHosts } from './secret-hosts.ts'

export const maxMonitors = 100
export const maxVariables = 50
export const maxPlaceholders = 1_000
export const maxValue = 1_000
/** A hundred monitors with their checks. */
export const templateBytes = 1_048_576

export const TemplateMonitor = z
  .object({
    name_template: line(500),
    url_template: z.string().min(1).max(2_048).nullable().default(null).meta({
      description: 'Needed for website (https by default) and host. For others: where people find what is monitored.',
    }),
    type: z.enum(allMonitorTypes).default('website'),
    check_interval: z.int().min(1).max(86_400).nullable().default(null).meta({
      description: '`null`: the least that the team’s plan allows, at least a minute. Ignored for cron and agent.',
    }),
    tags: z.array(line(100)).max(20).default([]),
    slo: Slo.nullable().default(null),
    secret_hosts: SecretHosts,
    checks: NewMonitor.shape.checks.meta({
      description:
        'By default the usual checks of the type. A cron monitor needs its check, with a schedule or a period.',
    }),
  })
  .meta({ id: 'TemplateMonitor' })

export const Variable = z
  .object({
    name: z.string().regex(variableName, 'Must be a letter, then letters, digits or underscores, at most 50 in all.'),
    required: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether a value is needed: one that is sent, or the default.' }),
    description: text(500).nullable().default(null),
    default: z.string().max(maxValue).nullable().default(null).meta({ description: 'Taken when no value is sent.' }),
  })
  .meta({ id: 'TemplateVariable' }) satisfies z.ZodType<shapes.TemplateVariable>
export type Variable = z.output<typeof Variable>

const fields = {
  name: line(255),
  monitors: z.array(TemplateMonitor).min(1).max(maxMonitors),
  variables: z.array(Variable).max(maxVariables),
}

export const NewTemplate = z
  .object({ ...fields, variables: fields.variables.default([]) })
  .meta({ id: 'NewMonitorTemplate' })
export const TemplateChanges = z.object(fields).partial().meta({ id: 'MonitorTemplateChanges' })

/** Values for a template's variables, by name. */
export const VariableValues = z
  .record(z.string().max(50), z.string().max(maxValue))
  .refine(values => Object.keys(values).length <= maxVariables, {
    message: 'At most {n} variables.',
    params: { n: maxVariables },
  })

/** A template with its secrets and defaults. */
export interface TemplateFields {
  name: string
  monitors: StoredMonitor[]
  variables: Variable[]
}
export type StoredMonitor = Omit<z.output<typeof TemplateMonitor>, 'checks'> & { checks: NewCheck[] }

/** Gives a monitor without checks the usual one of its type. */
export const settleChecks = (monitors: readonly z.output<typeof TemplateMonitor>[]): StoredMonitor[] =>
  monitors.map(monitor => ({
    ...monitor,
    url_template:
      monitor.url_template === null || holdsPlaceholder(monitor.url_template)
        ? monitor.url_template
        : withScheme(monitor.url_template, monitor.type),
    checks: (monitor.checks ?? defaultChecks(monitor.type)).map(check =>
      check.type === 'cron' ? { ...check, settings: meantSchedule(check.settings) } : check,
    ),
  }))
