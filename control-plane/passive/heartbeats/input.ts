import { z } from 'zod'
import { cron } from '#checks/cron/kind.ts'
import type { FieldErrors } from '#control-plane/base/refusal.ts'
import { checkSeverities } from '#control-plane/monitoring/checks/input.ts'
import { NewPassive, PassiveChanges } from '#control-plane/monitoring/monitors/input.ts'

const url = z.string().min(1).max(2_048).meta({ description: 'Where people find the job. It is never requested.' })
const severity = z.enum(checkSeverities).meta({ description: '`warning` never opens an incident.' })
const settings = cron.settings.shape

/** The settings of the kind without their defaults: a setting that is not sent is not set. */
const given = {
  schedule_kind: settings.schedule_kind
    .unwrap()
    .optional()
    .meta({ description: '`cron` when a schedule is sent, `simple` when a period is.' }),
  schedule: settings.schedule.unwrap().optional(),
  timezone: settings.timezone.unwrap().optional(),
  period_minutes: settings.period_minutes.unwrap().optional(),
  grace_minutes: settings.grace_minutes.unwrap().optional(),
  max_run_minutes: settings.max_run_minutes.unwrap().optional(),
  fail_keyword: settings.fail_keyword.unwrap().optional(),
}

const more = { url: url.optional(), severity: severity.optional(), ...given }

export const NewCronMonitor = NewPassive.extend(more).meta({ id: 'NewCronMonitor' })
export type NewCronMonitor = z.output<typeof NewCronMonitor>

export const CronMonitorChanges = PassiveChanges.extend(more).meta({ id: 'CronMonitorChanges' })
export type CronMonitorChanges = z.output<typeof CronMonitorChanges>

const names = Object.keys(given) as (keyof typeof given)[]

/** The fields of the monitor that were sent: all that are no settings of the check. */
export const monitorFieldsIn = ({ severity: _, ...body }: CronMonitorChanges): z.output<typeof PassiveChanges> =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !(name in given)))

/** The settings that were sent. */
export const settingsIn = (body: NewCronMonitor | CronMonitorChanges): Record<string, unknown> =>
  meantSchedule(Object.fromEntries(names.flatMap(key => (body[key] === undefined ? [] : [[key, body[key]]]))))

/** The check of a new monitor, as a request for it would be. */
export const checkIn = (body: NewCronMonitor) => ({
  type: 'cron' as const,
  settings: settingsIn(body),
  ...(body.severity && { severity: body.severity }),
})

/** Sets `schedule_kind` where it is not sent: an expression means `cron`, a period means `simple`. */
export function meantSchedule(sent: Record<string, unknown>): Record<string, unknown> {
  if (sent.schedule_kind !== undefined) return sent
  if (typeof sent.schedule === 'string') return { ...sent, schedule_kind: 'cron' }
  return typeof sent.period_minutes === 'number' ? { ...sent, schedule_kind: 'simple' } : sent
}

/** Why a new monitor cannot have these settings: its schedule is never guessed. */
export function refuseSchedule({ schedule_kind, period_minutes }: Record<string, unknown>): FieldErrors {
  if (schedule_kind === undefined) return { schedule: ['Give a cron expression, or period_minutes.'] }
  if (schedule_kind === 'simple' && period_minutes === undefined)
    return { period_minutes: ['Say how many minutes lie between two pings.'] }
  return {}
}

/** Names fields as they are sent here. */
export const plainPaths = (errors: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([path, reasons]) => [path.replace(/^(checks\.0\.)?(settings\.)?/, ''), reasons]),
  )
