import { z } from 'zod'
import { cron } from '#checks/cron/kind.ts'
import type { FieldErrors } from '#control-plane/kernel/refusal.ts'
import { checkSeverities } from '#control-plane/monitoring/checks/input.ts'
import { MonitorChanges, NewMonitor } from '#control-plane/monitoring/monitors/input.ts'

const { name, tags, group, notes, is_enabled, depends_on, external_ref, metadata } = NewMonitor.shape
const url = z.string().min(1).max(2_048).meta({ description: 'Where people find the job; nobody looks at it.' })
const severity = z.enum(checkSeverities).meta({ description: '`warning` never opens an incident.' })
const settings = cron.settings.shape

/** As the kind has them, without their defaults: what is not sent is not set. */
const given = {
  schedule_kind: settings.schedule_kind.unwrap().optional().meta({ description: '`cron` when a schedule is sent, `simple` when a period is.' }),
  schedule: settings.schedule.unwrap().optional(),
  timezone: settings.timezone.unwrap().optional(),
  period_minutes: settings.period_minutes.unwrap().optional(),
  grace_minutes: settings.grace_minutes.unwrap().optional(),
  max_run_minutes: settings.max_run_minutes.unwrap().optional(),
  fail_keyword: settings.fail_keyword.unwrap().optional(),
}

export const NewCronMonitor = z
  .object({ name, tags, group, notes, is_enabled, depends_on, external_ref, metadata, url: url.optional(), severity: severity.optional(), ...given })
  .meta({ id: 'NewCronMonitor' })
export type NewCronMonitor = z.output<typeof NewCronMonitor>

export const CronMonitorChanges = MonitorChanges.pick({
  name: true,
  tags: true,
  group: true,
  notes: true,
  is_enabled: true,
  depends_on: true,
  external_ref: true,
  metadata: true,
})
  .extend({ url: url.optional(), severity: severity.optional(), ...given })
  .meta({ id: 'CronMonitorChanges' })
export type CronMonitorChanges = z.output<typeof CronMonitorChanges>

const names = Object.keys(given) as (keyof typeof given)[]

/** What was sent of the schedule. Whoever sends an expression means it, and so with a period. */
export function settingsIn(body: NewCronMonitor | CronMonitorChanges): Record<string, unknown> {
  const sent = Object.fromEntries(names.flatMap(key => (body[key] === undefined ? [] : [[key, body[key]]])))
  if (sent.schedule_kind !== undefined) return sent
  if (typeof sent.schedule === 'string') return { ...sent, schedule_kind: 'cron' }
  return typeof sent.period_minutes === 'number' ? { ...sent, schedule_kind: 'simple' } : sent
}

/** Names fields as they are sent here. */
export const plainPaths = (errors: FieldErrors): FieldErrors =>
  Object.fromEntries(Object.entries(errors).map(([path, reasons]) => [path.replace(/^(checks\.0\.)?(settings\.)?/, ''), reasons]))
