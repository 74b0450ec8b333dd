import { z } from 'zod'

/** How a person wants the app. A new name needs a default, since stored preferences lack it. */
const choices = {
  theme: z.enum(['system', 'light', 'dark']).meta({ description: '`system`: as the device is set.' }),
  density: z.enum(['comfortable', 'compact']).meta({ description: '`compact`: more rows of a list on a screen.' }),
}

export const Preferences = z.strictObject(choices).meta({ id: 'Preferences', description: 'How you want the app.' })
export type Preferences = z.output<typeof Preferences>

export const PreferenceChanges = z.strictObject(choices).partial().meta({ id: 'PreferenceChanges' })

const defaults: Preferences = { theme: 'system', density: 'comfortable' }

/** Stored preferences, completed by the defaults. */
export const preferencesOf = (stored: unknown): Preferences =>
  Preferences.parse({ ...defaults, ...PreferenceChanges.parse(stored) })
