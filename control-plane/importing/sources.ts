import { providers } from '#importers/index.ts'
import type { Source } from '#importers/source.ts'
import { vedette } from './vedette.ts'

/** All sources, by name: those of other providers, and an export of this service. */
const { csv, ...others } = providers
export const sources = { ...others, vedette, csv } satisfies Record<string, Source>

export type SourceName = keyof typeof sources
export const sourceNames = Object.keys(sources) as [SourceName, ...SourceName[]]

export const sourceNamed = (name: string): Source | undefined =>
  Object.hasOwn(sources, name) ? sources[name as SourceName] : undefined
