import { z } from 'zod'
import { line } from '#contract/line.ts'

const viewsAtMost = 50

const MonitorListView = z
  .strictObject({
    tenant_id: z.uuid().meta({ description: 'The team whose list it is.' }),
    name: line(60),
    query: z
      .string()
      .max(500)
      .regex(/^\?[!-~]+$/, 'Must be what the address of the list has from `?` on.')
      .meta({ description: 'What the address of the list has from `?` on, such as `?status=down&tag=shop`.' }),
  })
  .meta({ id: 'MonitorListView', description: 'Filters and order of the list of monitors, kept under a name.' })
type MonitorListView = z.output<typeof MonitorListView>

const haveOwnNames = (views: readonly MonitorListView[]) =>
  new Set(views.map(({ tenant_id, name }) => `${tenant_id} ${name}`)).size === views.length

/** How a person wants the app. A new name needs a default, since stored preferences lack it. */
const choices = {
  theme: z.enum(['system', 'light', 'dark']).meta({ description: '`system`: as the device is set.' }),
  density: z.enum(['comfortable', 'compact']).meta({ description: '`compact`: more rows of a list on a screen.' }),
  monitor_views: z
    .array(MonitorListView)
    .max(viewsAtMost)
    .refine(haveOwnNames, 'Two views of a team cannot have one name.')
    .meta({ description: 'Views of the lists of all your teams. What is sent replaces them all.' }),
}

export const Preferences = z.strictObject(choices).meta({ id: 'Preferences', description: 'How you want the app.' })
export type Preferences = z.output<typeof Preferences>

export const PreferenceChanges = z.strictObject(choices).partial().meta({ id: 'PreferenceChanges' })

const defaults: Preferences = { theme: 'system', density: 'comfortable', monitor_views: [] }

/** Stored preferences, completed by the defaults. */
export const preferencesOf = (stored: unknown): Preferences =>
  Preferences.parse({ ...defaults, ...PreferenceChanges.parse(stored) })
