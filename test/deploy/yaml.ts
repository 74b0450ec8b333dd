import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const yaml: { load(text: string): unknown; loadAll(text: string): unknown[] } = createRequire(import.meta.url)(
  'js-yaml',
)

/** A file of YAML, with its anchors resolved. */
export const readYaml = (path: string): unknown => yaml.load(readFileSync(path, 'utf8'))

export const parseAll = (text: string): unknown[] => yaml.loadAll(text)
