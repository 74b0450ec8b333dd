import { type KindName, kinds } from '#checks/index.ts'
import { hostOf } from '#checks/target.ts'
import type { CheckKind } from '#contract/check.ts'
import { type FieldErrors, fieldsAtMost } from '#control-plane/base/refusal.ts'
import { mask, noStoredValue } from '#control-plane/base/secrets.ts'
import { isRecord, type Settings, secretPlaces } from '#control-plane/engine/assignments/settings-secrets.ts'
import { fieldErrors } from '#control-plane/http/field-errors.ts'
import type { Guard } from '#egress/guard.ts'

export interface ParsedSettings {
  settings: Settings
  errors: FieldErrors
}

/** Settings with the stored secret in place of each masked one, and the places where none is stored. */
export function unmask(given: Settings, stored: Settings): { settings: Settings; missing: string[] } {
  const settings = structuredClone(given)
  const missing: string[] = []
  for (const [group, name] of secretPlaces(settings)) {
    const values = settings[group] as Settings
    if (values[name] !== mask) continue
    const kept = storedSecret(stored[group], name)
    // what is stored may be no more than the mask, where the secret cannot be opened
    if (kept === undefined || kept === mask) missing.push(`${group}.${name}`)
    else values[name] = kept
  }
  return { settings, missing }
}

/** Merges sent settings into stored ones, keeps masked secrets, and validates the result by the kind's schema. */
export function parseSettings(kind: KindName, given: Settings, stored: Settings = {}): ParsedSettings {
  const { settings: merged, missing } = unmask({ ...stored, ...given }, stored)
  const errors: FieldErrors = {
    ...Object.fromEntries(missing.map(place => [`settings.${place}`, [noStoredValue]])),
    ...refuseUnknown(kind, given),
  }
  if (Object.keys(errors).length > 0) return { settings: merged, errors }
  const parsed = kinds[kind].settings.safeParse(merged)
  if (parsed.success) return { settings: parsed.data, errors }
  return {
    settings: merged,
    errors: Object.fromEntries(
      Object.entries(fieldErrors(parsed.error)).map(([path, reasons]) => [
        path === 'body' ? 'settings' : `settings.${path}`,
        reasons,
      ]),
    ),
  }
}

/** Refuses settings that the kind does not have: they would be ignored silently. */
export function refuseUnknown(kind: KindName, given: Settings): FieldErrors {
  const { shape } = kinds[kind].settings
  const unknown = Object.keys(given).filter(name => !Object.hasOwn(shape, name))
  const reason = `Checks of kind ${kind} have no such setting. Theirs are ${Object.keys(shape).join(', ')}.`
  return Object.fromEntries(unknown.slice(0, fieldsAtMost).map(name => [`settings.${name}`, [reason]]))
}

/**
 * Refuses well-formed settings that would abuse our addresses. Settings that were stored earlier are refused when the
 * check runs.
 */
export function refuseAbuse(kind: KindName, settings: Settings, guard: Pick<Guard, 'refuseHost'>): FieldErrors {
  const { refuse }: CheckKind = kinds[kind]
  const found = refuse?.(settings, (host, port) => guard.refuseHost(host, port)) ?? {}
  return Object.fromEntries(Object.entries(found).map(([field, why]) => [`settings.${field}`, [why]]))
}

/** Why a check may not use its port at the monitor's address. Errors of the address itself are reported elsewhere. */
export function refusePort(settings: Settings, monitorUrl: string, guard: Pick<Guard, 'refuseHost'>): FieldErrors {
  if (typeof settings.port !== 'number' || monitorUrl === '') return {}
  const { host } = hostOf({ url: monitorUrl })
  if (guard.refuseHost(host) !== null) return {}
  const why = guard.refuseHost(host, settings.port)
  return why === null ? {} : { 'settings.port': [why] }
}

/** Header names are the same in any case. */
function storedSecret(group: unknown, name: string): unknown {
  if (!isRecord(group)) return undefined
  const found = Object.keys(group).find(known => known.toLowerCase() === name.toLowerCase())
  return found === undefined ? undefined : group[found]
}
