/** What the placeholders of a template stand for. */
export const placeholderNames = [
  'page_name',
  'page_url',
  'incident_title',
  'monitor_name',
  'component_names',
  'started_at',
] as const
export type PlaceholderName = (typeof placeholderNames)[number]

const placeholder = /\{\{ *([a-z_]{1,50}) *\}\}/g

/** The first placeholder of a text that stands for nothing. */
export const unknownPlaceholder = (text: string): string | undefined =>
  [...text.matchAll(placeholder)].map(([, name = '']) => name).find(name => !isKnown(name))

const isKnown = (name: string): name is PlaceholderName => placeholderNames.some(known => known === name)

/**
 * Replaces each placeholder by its value as it is, once: a placeholder within a value stays. Without a
 * value nothing takes its place.
 */
export const fill = (text: string, values: Partial<Record<PlaceholderName, string>>): string =>
  text.replace(placeholder, (whole, name: string) => (isKnown(name) ? (values[name] ?? '') : whole))
