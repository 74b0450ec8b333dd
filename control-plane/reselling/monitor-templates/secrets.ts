import { mask, maskSettings, type Settings } from '#control-plane/monitoring/checks/settings.ts'
import type { StoredMonitor } from './input.ts'
import { holdsPlaceholder } from './placeholders.ts'

const groups = ['auth', 'headers'] as const

/** Settings as they may be shown: secrets are eight asterisks, but a placeholder that stands for one is no secret. */
export function maskTemplate(settings: Settings): Settings {
  const shown = maskSettings(settings)
  for (const group of groups)
    for (const [name, value] of entriesOf(settings[group]))
      if (holdsPlaceholder(value)) shown[group] = { ...Object.fromEntries(entriesOf(shown[group])), [name]: value }
  return shown
}

/** Secrets that come back masked are those the template has, at the same place in the same kind of check. */
export const keepSecrets = (monitors: readonly StoredMonitor[], stored: readonly StoredMonitor[]): StoredMonitor[] =>
  monitors.map((monitor, index) => ({
    ...monitor,
    checks: monitor.checks.map((check, place) => {
      const known = stored[index]?.checks[place]
      return known?.type === check.type ? { ...check, settings: unmask(check.settings, known.settings) } : check
    }),
  }))

function unmask(given: Settings, stored: Settings): Settings {
  const kept = { ...given }
  for (const group of groups) {
    const known = new Map(entriesOf(stored[group]).map(([name, value]) => [name.toLowerCase(), value]))
    const values = entriesOf(given[group])
    if (values.length > 0)
      kept[group] = Object.fromEntries(values.map(([name, value]) => [name, value === mask ? (known.get(name.toLowerCase()) ?? value) : value]))
  }
  return kept
}

const entriesOf = (group: unknown): [string, unknown][] => (group && typeof group === 'object' ? Object.entries(group) : [])
