import { z } from 'zod'
import { passiveKind } from '#contract/check.ts'
import { type ServerMetric, serverLimits, serverMetricNames, serverMetrics } from '#contract/server-agent.ts'
import { carryMinutes, type ExceededThreshold, maxExceeded } from './thresholds.ts'

const label = z.string().max(serverLimits.labelChars)
const thresholdFields = {
  metric: z.enum(serverMetricNames).meta({ id: 'ServerMetric' }),
  above: z
    .number()
    .min(0)
    .max(1e15)
    .meta({ description: 'In the unit of the metric: percent, degrees Celsius, bytes a second.' }),
  for_minutes: z.int().min(1).max(60).default(5).meta({ description: 'Minutes it must last.' }),
  severity: z
    .enum(['warning', 'critical'])
    .meta({ id: 'ThresholdSeverity' })
    .default('warning')
    .meta({ description: '`warning` warns, `critical` opens an incident.' }),
}
const Threshold = z
  .object({
    ...thresholdFields,
    label: label
      .nullable()
      .default(null)
      .meta({ description: 'Of this disk, interface or sensor alone. `null`: of any.' }),
  })
  .meta({ id: 'ServerThreshold' })

export const defaultThresholds = [
  { metric: 'cpu', label: null, above: 95, for_minutes: 15, severity: 'warning' },
  { metric: 'memory', label: null, above: 95, for_minutes: 10, severity: 'warning' },
  { metric: 'disk', label: null, above: 90, for_minutes: 5, severity: 'warning' },
] satisfies z.output<typeof Threshold>[]

export const maxThresholds = 30

const settings = z.object({
  thresholds: z
    .array(Threshold)
    .max(maxThresholds)
    .superRefine((thresholds, context) => {
      thresholds.forEach(({ metric, label, above, severity }, index) => {
        if (serverMetrics[metric].unit === 'percent' && above >= 100)
          context.addIssue({ code: 'custom', path: [index, 'above'], message: 'Nothing is above 100 percent.' })
        if (
          thresholds.findIndex(
            other => other.metric === metric && other.label === label && other.severity === severity,
          ) < index
        )
          context.addIssue({
            code: 'custom',
            path: [index, 'metric'],
            message: 'There is another threshold for this already.',
          })
      })
    })
    .default(defaultThresholds),
  no_data_after_minutes: z
    .int()
    .min(2)
    .max(1_440)
    .nullable()
    .default(10)
    .meta({
      description:
        'Minutes without a report after which an incident opens; `null`: never. Starts with the first report of the ' +
        'server.',
    }),
})
export type AgentSettings = z.output<typeof settings>

/** The server's agent reports metrics; no probe runs. */
export const agent = passiveKind({
  name: 'agent',
  summary: 'A server reports its metrics, and they stay within thresholds',
  uptimeRank: 7,
  every: { default: 60, min: 1 },
  severity: 'critical',
  settings,
  backtestable: ['thresholds', 'no_data_after_minutes'],
  seen: z.object({
    /** Whole minutes without a report; null before the server counts as silent. */
    silent_minutes: z.number().nullable(),
    /** Thresholds that are exceeded. */
    passed: z.array(z.object({ ...thresholdFields, label, value: z.number() })).max(maxExceeded),
    /** The machine that the server is bound to and another one, where both report with its token. */
    machines: z.tuple([z.string(), z.string()]).readonly().optional(),
    /** Whole minutes that even the newest value is old when it arrives, for minutes on end. */
    late_minutes: z.number().optional(),
  }),

  judge({ silent_minutes, passed, machines, late_minutes = 0 }) {
    if (silent_minutes !== null)
      return {
        status: 'down',
        code: 'no_data',
        reason: `Nothing was heard of the server for ${silent_minutes} minutes.`,
      }
    const critical = passed.filter(({ severity }) => severity === 'critical')
    if (critical.length > 0) return { status: 'down', code: 'threshold', reason: sentenceOf(critical) }
    if (machines)
      return {
        status: 'warning',
        code: 'two_servers',
        reason: `Two servers report with this token: ${machines[0]} and ${machines[1]}.`.slice(0, 500),
        event: 'warning.server_resources',
        details: { servers: [...machines] },
      }
    if (passed.length > 0)
      return {
        status: 'warning',
        code: 'threshold',
        reason: sentenceOf(passed),
        event: 'warning.server_resources',
        details: { passed: passed.slice(0, 10) },
      }
    if (late_minutes >= carryMinutes)
      return {
        status: 'warning',
        code: 'late_values',
        reason: `Values arrive ${late_minutes} minutes late: the server’s clock is slow, or something delays them.`,
        event: 'warning.server_resources',
        details: { late_minutes },
      }
    return { status: 'up' }
  },
})

const metricNames: Partial<Record<ServerMetric, string>> = {
  cpu: 'CPU',
  load_5m: 'load over 5 minutes',
  load_15m: 'load over 15 minutes',
  memory_used: 'memory in use',
  disk_used: 'disk in use',
  network_in: 'received traffic',
  network_out: 'sent traffic',
  disk_read: 'disk reads',
  disk_write: 'disk writes',
}
const units = {
  percent: ' %',
  celsius: ' °C',
  bytes: ' bytes',
  bytes_per_second: ' bytes a second',
  seconds: ' s',
  number: '',
} as const

function sentenceOf(passed: readonly ExceededThreshold[]): string {
  const parts = passed.slice(0, 3).map(({ metric, label, above, for_minutes, value }) => {
    const unit = units[serverMetrics[metric].unit]
    const what = `${metricNames[metric] ?? metric}${label === '' ? '' : ` of ${label}`}`
    return (
      `${what} above ${above}${unit} for ${for_minutes} minute${for_minutes === 1 ? '' : 's'} ` +
      `(${Math.round(value * 10) / 10}${unit})`
    )
  })
  const text = `${parts.join(', ')}${passed.length > 3 ? ` and ${passed.length - 3} more` : ''}.`
  return (text.charAt(0).toUpperCase() + text.slice(1)).slice(0, 500)
}
