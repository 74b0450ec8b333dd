import { holdsSecret } from '#checks/http/secrets.ts'
import { mask } from '#control-plane/base/secrets.ts'

export type Settings = Record<string, unknown>

/** Names of `auth` under which secrets are. */
export const isSecret = (name: string) => name === 'password' || name === 'token'

/** Where settings hold a secret: a group of them, and the name in it. */
export function secretPlaces(settings: Settings): [group: 'auth' | 'headers', name: string][] {
  const auth = isRecord(settings.auth) ? Object.keys(settings.auth).filter(isSecret) : []
  const headers = isRecord(settings.headers) ? Object.keys(settings.headers).filter(holdsSecret) : []
  return [
    ...auth.map(name => ['auth', name] as ['auth', string]),
    ...headers.map(name => ['headers', name] as ['headers', string]),
  ]
}

/** Settings as they may be shown: every secret that is set is eight asterisks. */
export const maskSettings = (settings: Settings): Settings => takeSecrets(settings).shown

type Secret = [group: 'auth' | 'headers', name: string, value: unknown]

/**
 * Settings with eight asterisks for every secret that is set, and the secrets. `isOne`: whether a value in such a
 * place is one.
 */
export function takeSecrets(
  settings: Settings,
  isOne: (value: unknown) => boolean = () => true,
): { shown: Settings; secrets: Secret[] } {
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

export const isRecord = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
