import { parseResolver } from '#checks/dns/kind.ts'
import { holdsSecret } from '#checks/http/secrets.ts'
import { type KindName, kinds } from '#checks/index.ts'
import { fieldErrors } from '#control-plane/kernel/mount.ts'
import type { FieldErrors } from '#control-plane/kernel/refusal.ts'
import { mask, noStoredValue } from '#control-plane/kernel/secrets.ts'
import type { Guard } from '#egress/guard.ts'

export type Settings = Record<string, unknown>

/** Names of `auth` under which secrets are. */
export const isSecret = (name: string) => name === 'password' || name === 'token'

/** Where settings hold a secret: a group of them, and the name in it. */
function secretPlaces(settings: Settings): [group: 'auth' | 'headers', name: string][] {
  const auth = isRecord(settings.auth) ? Object.keys(settings.auth).filter(isSecret) : []
  const headers = isRecord(settings.headers) ? Object.keys(settings.headers).filter(holdsSecret) : []
  return [...auth.map(name => ['auth', name] as ['auth', string]), ...headers.map(name => ['headers', name] as ['headers', string])]
}

/** Settings as they may be shown: every secret that is set is eight asterisks. */
export const maskSettings = (settings: Settings): Settings => takeSecrets(settings).shown

type Secret = [group: 'auth' | 'headers', name: string, value: unknown]

/** Settings with eight asterisks for every secret that is set, and the secrets. `isOne`: whether a value in such a place is one. */
export function takeSecrets(settings: Settings, isOne: (value: unknown) => boolean = () => true): { shown: Settings; secrets: Secret[] } {
  const shown = structuredClone(settings)
  const secrets: Secret[] = []
  for (const [group, name] of secretPlaces(shown)) {
    const values = shown[group] as Settings
    if (values[name] === '' || values[name] === null || !isOne(values[name])) continue
    secrets.push([group, name, values[name]])
    values[name] = mask
  }
  return { shown, secrets }
}

/** The settings again, each secret in its place. */
export function putSecrets(shown: Settings, secrets: readonly Secret[]): Settings {
  const settings = structuredClone(shown)
  for (const [group, name, value] of secrets) if (isRecord(settings[group])) settings[group][name] = value
  return settings
}

export interface ParsedSettings {
  settings: Settings
  errors: FieldErrors
}

/** Settings with the stored secret in the place of each that was sent masked, and the places where none is stored. */
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

/** A kind's settings from what was sent: only the given ones change, what was sent masked stays, and the kind itself says what is valid. */
export function parseSettings(kind: KindName, given: Settings, stored: Settings = {}): ParsedSettings {
  const { settings: merged, missing } = unmask({ ...stored, ...given }, stored)
  const errors: FieldErrors = { ...Object.fromEntries(missing.map(place => [`settings.${place}`, [noStoredValue]])), ...refuseUnknown(kind, given) }
  if (Object.keys(errors).length > 0) return { settings: merged, errors }
  const parsed = kinds[kind].settings.safeParse(merged)
  if (parsed.success) return { settings: parsed.data, errors }
  return {
    settings: merged,
    errors: Object.fromEntries(
      Object.entries(fieldErrors(parsed.error)).map(([path, reasons]) => [path === 'body' ? 'settings' : `settings.${path}`, reasons]),
    ),
  }
}

/** A setting of another kind, or one misspelled, would do nothing without a word. */
export const refuseUnknown = (kind: KindName, given: Settings): FieldErrors =>
  Object.fromEntries(
    Object.keys(given).flatMap(name =>
      Object.hasOwn(kinds[kind].settings.shape, name)
        ? []
        : [[`settings.${name}`, [`Checks of kind ${kind} have no such setting. Theirs are ${Object.keys(kinds[kind].settings.shape).join(', ')}.`]]],
    ),
  )

/** Why a check may not ask the name servers it names: they are reached from us, so they pass the guard like every target. */
export function refuseResolvers(kind: KindName, settings: Settings, guard: Pick<Guard, 'refuseHost'>): FieldErrors {
  if (kind !== 'dns' || !Array.isArray(settings.resolvers)) return {}
  return Object.fromEntries(
    settings.resolvers.flatMap((resolver, index) => {
      const why = guard.refuseHost(parseResolver(String(resolver))?.address ?? '')
      return why === null ? [] : [[`settings.resolvers.${index}`, [why]]]
    }),
  )
}

/** Header names are the same in any case. */
function storedSecret(group: unknown, name: string): unknown {
  if (!isRecord(group)) return undefined
  const found = Object.keys(group).find(known => known.toLowerCase() === name.toLowerCase())
  return found === undefined ? undefined : group[found]
}

const isRecord = (value: unknown): value is Settings => typeof value === 'object' && value !== null && !Array.isArray(value)
