import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { agent } from '#checks/agent/kind.ts'
import { cron } from '#checks/cron/kind.ts'
import { isKindName, isProbedKindName, kinds } from '#checks/index.ts'
import type { CheckKind } from '#contract/check.ts'
import { Sentence } from '#contract/sentence.ts'
import { type FieldErrors, invalid } from '#control-plane/base/refusal.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { decryptSettings } from '#control-plane/engine/assignments/check-secrets.ts'
import type { CheckRules } from '#control-plane/engine/verdicts/core.ts'
import type { CheckRow } from '#control-plane/monitoring/checks/row.ts'
import { parseSettings, refuseUnknown } from '#control-plane/monitoring/checks/settings.ts'
import { MonitorChanges } from '#control-plane/monitoring/monitors/input.ts'
import type { MonitorRow } from '#control-plane/monitoring/monitors/row.ts'

/** Each is replayed alone, beside all of them together. */
const maxChanges = 8

/** Other settings. A setting that is not named stays as it is today. */
export const OtherSettings = MonitorChanges.pick({
  region_policy: true,
  confirmations: true,
  recovery_confirmations: true,
}).extend({
  checks: z
    .array(z.object({ id: z.uuid().toLowerCase(), settings: z.record(z.string().max(100), z.unknown()) }))
    .max(20)
    .default([])
    .meta({
      description:
        'Other settings of single checks: only those that are used when a result is judged, not while it is measured.',
    }),
})
export type OtherSettings = z.output<typeof OtherSettings>

/** One setting that is other than today. */
export interface SettingChange {
  /** null: a setting of the monitor, which all of its checks follow. */
  check: string | null
  setting: string
  from: unknown
  to: unknown
}

const monitorSettings = ['region_policy', 'confirmations', 'recovery_confirmations'] as const

/** What differs from today; refused with the field named where it cannot be tried. */
export function changesIn(
  asked: OtherSettings,
  monitor: MonitorRow,
  checks: readonly CheckRow[],
  ring: Keyring,
): SettingChange[] {
  const changes: SettingChange[] = monitorSettings.flatMap(setting =>
    asked[setting] === undefined || isDeepStrictEqual(asked[setting], monitor[setting])
      ? []
      : [{ check: null, setting, from: monitor[setting], to: asked[setting] }],
  )
  const errors: FieldErrors = {}
  for (const [index, { id, settings }] of asked.checks.entries()) {
    const place = `checks.${index}`
    const check = checks.find(known => known.id === id)
    if (!check || asked.checks.findIndex(other => other.id === id) !== index) {
      errors[`${place}.id`] = [check ? 'Is named twice.' : 'Is no check of this monitor.']
      continue
    }
    const found = settingChanges(check, settings, ring)
    for (const [field, reasons] of Object.entries(found.errors)) errors[`${place}.${field}`] = reasons
    changes.push(...found.changes)
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  if (changes.length > maxChanges)
    throw invalid({
      checks: [new Sentence('At most {n} settings can be other than today at once.', { n: maxChanges })],
    })
  return changes
}

function settingChanges(
  check: CheckRow,
  given: Record<string, unknown>,
  ring: Keyring,
): { changes: SettingChange[]; errors: FieldErrors } {
  const kind = replayedKindOf(check)
  if (!kind)
    return {
      changes: [],
      errors: { id: [new Sentence('A check of type {type} cannot be replayed.', { type: check.type })] },
    }
  const unknown = isKindName(check.type) ? refuseUnknown(check.type, given) : {}
  if (Object.keys(unknown).length > 0) return { changes: [], errors: unknown }
  const fixed = Object.keys(given).filter(name => !kind.backtestable?.includes(name))
  if (fixed.length > 0)
    return {
      changes: [],
      errors: Object.fromEntries(
        fixed.map(name => [`settings.${name}`, ['Is used while a run is made: stored results do not depend on it.']]),
      ),
    }
  const stored = decryptSettings(ring, check.id, check)
  const before = kind.settings.safeParse(stored).data as Record<string, unknown> | undefined
  if (!before || !isKindName(check.type))
    return { changes: [], errors: { id: ['Its stored settings cannot be read.'] } }
  const { settings, errors } = parseSettings(check.type, given, stored)
  if (Object.keys(errors).length > 0) return { changes: [], errors }
  const changed = Object.keys(given).filter(name => !isDeepStrictEqual(before[name], settings[name]))
  return {
    errors,
    changes: changed.map(setting => ({ check: check.id, setting, from: before[setting], to: settings[setting] })),
  }
}

/** The kind of a check that regions run; other kinds have no stored results. */
export const kindOf = ({ type }: { type: string }): CheckKind | undefined =>
  isProbedKindName(type) ? kinds[type] : undefined

/** Kinds that regions run, jobs and servers: their results or reports are stored, so they can be replayed. */
export const replayedKindOf = (check: { type: string }): CheckKind | undefined =>
  check.type === cron.name ? cron : check.type === agent.name ? agent : kindOf(check)

/** Rules with some settings changed. */
export function rulesWith(rules: CheckRules, changes: readonly SettingChange[]): CheckRules {
  const changed = { ...rules }
  for (const change of changes) {
    if (change.check !== null) continue
    const { region_policy, confirmations, recovery_confirmations } = OtherSettings.parse({
      [change.setting]: change.to,
    })
    if (region_policy) changed.policy = region_policy
    if (confirmations !== undefined) changed.confirmations = confirmations
    if (recovery_confirmations !== undefined) changed.recoveryConfirmations = recovery_confirmations
  }
  return changed
}

/** A check's settings with some changed; undefined when none of them is its own. */
export function settingsWith(check: CheckRow, changes: readonly SettingChange[], ring: Keyring): unknown {
  const own = changes.filter(change => change.check === check.id)
  if (own.length === 0) return undefined
  return replayedKindOf(check)?.settings.parse({
    ...decryptSettings(ring, check.id, check),
    ...Object.fromEntries(own.map(({ setting, to }) => [setting, to])),
  })
}
