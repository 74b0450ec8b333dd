import { z } from 'zod'
import {
  decryptSecret,
  encryptSecret,
  type Keyring,
  renewerFor,
  UnreadableSecret,
} from '#control-plane/base/secrets.ts'
import { putSecrets, type Settings, takeSecrets } from './settings-secrets.ts'

/** Settings as they are stored: without their secrets, and these encrypted; null when there are none. */
export interface EncryptedSettings {
  settings: Settings
  secrets: string | null
}

const purpose = 'check settings'
const Secrets = z.array(z.tuple([z.enum(['auth', 'headers']), z.string(), z.unknown()]))

/** `owner`: the check or other object they belong to; they cannot be decrypted for another owner. */
export function encryptSettings(
  ring: Keyring,
  owner: string,
  settings: Settings,
  isSecret?: (value: unknown) => boolean,
): EncryptedSettings {
  const { shown, secrets } = takeSecrets(settings, isSecret)
  return {
    settings: shown,
    secrets: secrets.length === 0 ? null : encryptSecret(ring, purpose, owner, JSON.stringify(secrets)),
  }
}

export const decryptSettings = (ring: Keyring, owner: string, { settings, secrets }: EncryptedSettings): Settings =>
  secrets === null
    ? settings
    : putSecrets(settings, Secrets.parse(JSON.parse(decryptSecret(ring, purpose, owner, secrets))))

/** For a change of the settings: secrets that cannot be decrypted stay masked, so the client must send them again. */
export function decryptForChange(ring: Keyring, owner: string, closed: EncryptedSettings): Settings {
  try {
    return decryptSettings(ring, owner, closed)
  } catch (error) {
    if (error instanceof UnreadableSecret) return closed.settings
    throw error
  }
}

export const renewSettings = renewerFor(purpose)
