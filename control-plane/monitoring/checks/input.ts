import { z } from 'zod'
import { isPassiveKind, type KindName, kinds } from '#checks/index.ts'
import { severities } from '#contract/check.ts'
import type { Feature, Limits } from '#contract/plans.ts'
import { Sentence, type Text } from '#contract/sentence.ts'
import type { FieldErrors } from '#control-plane/base/refusal.ts'
import { missingFeature } from '#control-plane/engine/assignments/feature.ts'
import type { Settings } from '#control-plane/engine/assignments/settings-secrets.ts'
import type { Guard } from '#egress/guard.ts'
import { byKind } from './kinds-described.ts'
import { parseSettings, refuseAbuse, refusePort } from './settings.ts'

/** How bad it is when a check is down; `warning` never opens an incident. */
export const checkSeverities = [...severities, 'warning'] as const

export const maxChecks = 20
/** A kind with a longer default interval (certificates, domains) keeps it in a monitor with a short interval. */
const commonS = 60

const interval = z.int().min(1).max(86_400).nullable().meta({
  description:
    'Seconds between runs. `null`: those of the monitor, the default of all kinds but slow ones such as ssl.',
})

export const NewCheck = byKind(
  {
    interval: interval.optional(),
    severity: z.enum(checkSeverities).optional().meta({ description: 'By default that of the kind.' }),
    is_enabled: z.boolean().default(true),
  },
  'sent',
  kind => `New${kind}Check`,
)
export type NewCheck = z.output<typeof NewCheck>

export const CheckChanges = z.object({
  settings: z
    .record(z.string().max(100), z.unknown())
    .optional()
    .meta({ description: 'Only the settings sent change. A secret sent as eight asterisks is kept.' }),
  interval: interval.optional(),
  severity: z.enum(checkSeverities).optional(),
  is_enabled: z.boolean().optional(),
})

export const monitorTypes = ['website', 'host'] as const
/** Types without runs: they have endpoints of their own, and templates can create them. */
export const passiveTypes = ['cron', 'agent'] as const
export type PassiveType = (typeof passiveTypes)[number]
export const allMonitorTypes = [...monitorTypes, ...passiveTypes] as const
export type MonitorType = (typeof allMonitorTypes)[number]
export const isPassiveType = (type: MonitorType): type is PassiveType => passiveTypes.some(passive => passive === type)

const defaultKinds = { website: 'uptime', host: 'ping', cron: 'cron', agent: 'agent' } as const satisfies Record<
  MonitorType,
  KindName
>
/** The checks of a monitor that is created without any. */
export const defaultChecks = (type: MonitorType): NewCheck[] => [NewCheck.parse({ type: defaultKinds[type] })]

/** A check as it is stored. */
export interface CheckFields {
  type: KindName
  settings: Settings
  interval: number | null
  severity: string
  is_enabled: boolean
}

/** The limits of a check: those of the plan, and the addresses that this installation may reach. */
export interface Within {
  limits: Limits
  guard: Pick<Guard, 'refuseHost'>
}

/** What of a request the plan does not include: the field, and why it is refused. */
export interface Unplanned {
  feature: Feature
  path: string
  why: Text
}

/**
 * A new check with its defaults, its validation errors, and what of it the plan does not include. Its timeout is the
 * monitor's unless it has its own. Paths begin with `place`. `url` is the stored one of the monitor, or empty.
 */
export function draftCheck(
  check: NewCheck,
  monitor: { type: string; timeout: number; url: string },
  { limits, guard }: Within,
  place = '',
): { fields: CheckFields; errors: FieldErrors; unplanned: Unplanned | null } {
  const { every, severity } = kinds[check.type]
  const { settings, errors: found } = parseSettings(check.type, {
    ...('timeout_ms' in kinds[check.type].settings.shape && { timeout_ms: monitor.timeout * 1_000 }),
    ...check.settings,
  })
  const refused = { ...found, ...refuseAbuse(check.type, settings, guard), ...refusePort(settings, monitor.url, guard) }
  const errors: FieldErrors = Object.fromEntries(
    Object.entries(refused).map(([path, reasons]) => [place + path, reasons]),
  )
  if (check.type !== monitor.type && isPassiveKind(check.type))
    errors[`${place}type`] = [
      new Sentence('A check of kind {kind} comes with a monitor of that type.', { kind: check.type }),
    ]
  if (check.type !== monitor.type && isPassiveKind(monitor.type))
    errors[`${place}type`] = [
      new Sentence('A monitor of type {type} has the one check it was made with.', { type: monitor.type }),
    ]
  if (monitor.type === 'host' && check.type === 'uptime')
    errors[`${place}type`] = ['A host has no web address: use ping, tcp, dns or ssl.']
  const feature = missingFeature(check.type, limits)
  const why = new Sentence('The plan does not include checks of kind {kind}.', { kind: check.type })
  const tooOften = refuseInterval(check.type, check.interval ?? null, limits)
  if (tooOften) errors[`${place}interval`] = [tooOften]
  const interval =
    check.interval === undefined && every.default > commonS
      ? Math.max(every.default, limits.min_check_interval)
      : (check.interval ?? null)
  return {
    fields: {
      type: check.type,
      settings,
      interval,
      severity: check.severity ?? severity,
      is_enabled: check.is_enabled,
    },
    errors,
    unplanned: feature && { feature, path: `${place}type`, why },
  }
}

/** Why a check cannot have this interval, or null. */
export function refuseInterval(type: KindName, interval: number | null, limits: Limits): Text | null {
  if (interval === null) return null
  if (interval < limits.min_check_interval)
    return new Sentence('The plan allows {n} seconds at the least.', { n: limits.min_check_interval })
  if (interval < kinds[type].every.min)
    return `A check of this kind takes ${kinds[type].every.min} seconds at the least.`
  return null
}

/** Kinds that a list of checks names more often than a monitor may have them, by index. */
export function repeatedKinds(checks: readonly { type: KindName }[]): number[] {
  return checks.flatMap(({ type }, index) =>
    type !== 'dns' && checks.findIndex(other => other.type === type) < index ? [index] : [],
  )
}
