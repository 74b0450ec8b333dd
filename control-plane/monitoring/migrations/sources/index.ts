import { csv } from './csv/source.ts'
import type { Source } from './source.ts'
import { uptimeKuma } from './uptime-kuma/source.ts'

/** All sources, by name. */
export const sources = { [uptimeKuma.name]: uptimeKuma, [csv.name]: csv } as const satisfies Record<string, Source>

const names = ['uptime-kuma', 'csv'] as const
export const sourceNames = names
export type SourceName = (typeof names)[number]

export const sourceNamed = (name: string): Source | undefined =>
  Object.hasOwn(sources, name) ? sources[name] : undefined
