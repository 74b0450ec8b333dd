import { type FieldErrors, invalid } from '#control-plane/base/refusal.ts'
import { type Keyring, mask } from '#control-plane/base/secrets.ts'
import type { ClosedMonitor } from '#control-plane/db/model/shapes.ts'
import {
  decryptForChange,
  decryptSettings,
  encryptSettings,
  renewSettings,
} from '#control-plane/engine/assignments/check-secrets.ts'
import { takeSecrets } from '#control-plane/engine/assignments/settings-secrets.ts'
import { unmask } from '#control-plane/monitoring/checks/settings.ts'
import type { StoredMonitor } from './input.ts'
import { holdsPlaceholder } from './placeholders.ts'
import { staysWithin } from './secret-hosts.ts'

/** Monitors as they are stored and shown: secrets are masked, and encrypted apart. A placeholder is no secret. */
export const encryptMonitors = (
  ring: Keyring,
  templateId: string,
  monitors: readonly StoredMonitor[],
): ClosedMonitor[] =>
  monitors.map(monitor => ({
    ...monitor,
    checks: monitor.checks.map(check => ({
      ...check,
      ...encryptSettings(ring, templateId, check.settings, value => !holdsPlaceholder(value)),
    })),
  }))

export const decryptMonitors = (
  ring: Keyring,
  templateId: string,
  monitors: readonly ClosedMonitor[],
  open = decryptSettings,
): StoredMonitor[] =>
  monitors.map(monitor => ({
    ...monitor,
    checks: monitor.checks.map(({ secrets, ...check }) => ({
      ...check,
      settings: open(ring, templateId, { settings: check.settings, secrets }),
    })),
  }))

/** Decrypts the secrets for an update. An unreadable secret stays masked, so the caller must send it again. */
export const decryptMonitorsForChange = (
  ring: Keyring,
  templateId: string,
  monitors: readonly ClosedMonitor[],
): StoredMonitor[] => decryptMonitors(ring, templateId, monitors, decryptForChange)

/**
 * Replaces masked secrets by those that the template has at the same place in the same kind of check, if they stay with
 * the host they were given for.
 */
export function keepSecrets(monitors: readonly StoredMonitor[], stored: readonly StoredMonitor[]): StoredMonitor[] {
  const errors: FieldErrors = {}
  const kept = monitors.map((monitor, index) => ({
    ...monitor,
    checks: monitor.checks.map((check, place) => {
      const [before, known] = [stored[index], stored[index]?.checks[place]]
      if (!before || known?.type !== check.type) return check
      if (staysWithin(before, monitor)) return { ...check, settings: unmask(check.settings, known.settings).settings }
      for (const [group, name] of takeSecrets(check.settings, value => value === mask).secrets)
        errors[`monitors.${index}.checks.${place}.settings.${group}.${name}`] = [
          'The stored secret was given for another host: send it again.',
        ]
      return check
    }),
  }))
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return kept
}

/** The same monitors with all secrets encrypted by the present key. */
export const renewMonitors = (ring: Keyring, templateId: string, monitors: readonly ClosedMonitor[]): ClosedMonitor[] =>
  monitors.map(monitor => ({
    ...monitor,
    checks: monitor.checks.map(({ secrets, ...check }) => ({
      ...check,
      secrets: secrets && renewSettings(ring, templateId, secrets),
    })),
  }))
