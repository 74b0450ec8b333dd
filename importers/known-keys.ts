import type { StandIns } from './shapes.ts'

/*
 * What a source knows of the documents that it reads. A key that stands in no list is named in the preview: a setting
 * that is new at a provider, or missing in the lists, is never dropped in silence.
 */

export interface Keys {
  /** Carried over, or read: what cannot be carried over of them is noted where they are read. */
  read: readonly string[]
  /** Of no meaning here: dates, counts, addresses of pages, its style there. */
  meaningless?: readonly string[]
  /** Not carried over: what the preview says of each. */
  left?: Readonly<Record<string, string>>
}

/** Whether a value says nothing: that a setting is not set. */
const isNothing = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value as object).length === 0)

/** As an API or a database shows a setting that is off. */
const isOff = (value: unknown): boolean => isNothing(value) || value === false || value === 0 || value === '0'

export interface NoteOptions {
  /** Where the keys stand, such as `client.`. */
  within?: string
  /** The document was written by a machine, which names all settings: those that are off are not worth a note. */
  isComplete?: boolean
}

/** Notes each key of a document that is not carried over: with its own words, or by its name. */
export function noteKeys(
  found: Readonly<Record<string, unknown>>,
  { read, meaningless = [], left = {} }: Keys,
  standIns: StandIns,
  { within = '', isComplete = false }: NoteOptions = {},
): void {
  const known = new Set([...read, ...meaningless])
  const unknown: string[] = []
  for (const [key, value] of Object.entries(found)) {
    if (known.has(key) || (isComplete ? isOff(value) : isNothing(value))) continue
    const note = Object.hasOwn(left, key) ? left[key] : undefined
    if (note === undefined) unknown.push(within + key)
    else standIns.add(note)
  }
  standIns.addNames('It has settings that are not carried over', unknown)
}
