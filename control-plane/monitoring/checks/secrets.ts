import { z } from 'zod'
import { decryptSecret, encryptSecret, type Keyring } from '#control-plane/kernel/secrets.ts'
import { putSecrets, type Settings, takeSecrets } from './settings.ts'

/** Settings as a check stores them: without their secrets, and these encrypted; null when there are none. */
export interface ClosedSettings {
  settings: Settings
  secrets: string | null
}

const purpose = 'check settings'
const Secrets = z.array(z.tuple([z.enum(['auth', 'headers']), z.string(), z.unknown()]))

export function closeSettings(ring: Keyring, checkId: string, settings: Settings): ClosedSettings {
  const { shown, secrets } = takeSecrets(settings)
  return { settings: shown, secrets: secrets.length === 0 ? null : encryptSecret(ring, purpose, checkId, JSON.stringify(secrets)) }
}

export const openSettings = (ring: Keyring, checkId: string, { settings, secrets }: ClosedSettings): Settings =>
  secrets === null ? settings : putSecrets(settings, Secrets.parse(JSON.parse(decryptSecret(ring, purpose, checkId, secrets))))
