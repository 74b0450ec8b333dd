import { createRequire } from 'node:module'
import { SourceError } from './source.ts'
import { readDocuments, type YamlReader } from './yaml-documents.ts'

/**
 * Bounds of a YAML text. Aliases may make a small text a huge document: so many values, each as often as it is named,
 * and so deep, and no more.
 */
const limits = { bytes: 2_097_152, values: 200_000, depth: 60 }

/** The document of a YAML text as plain values. Only a program may call it: a text may take any time and memory. */
export function readYaml(text: string): unknown {
  if (Buffer.byteLength(text) > limits.bytes)
    throw new SourceError(`The file has more than ${limits.bytes / 1_048_576} MB of YAML.`)
  const document = parse(text)
  measure(document)
  return document ?? null
}

function parse(text: string): unknown {
  // loaded here: a process that only names a source does not need it
  const yaml: YamlReader = createRequire(import.meta.url)('js-yaml')
  try {
    return readDocuments(yaml, text)
  } catch (error) {
    if (error instanceof SourceError) throw error
    const { reason = '', mark } = error as { reason?: string; mark?: { line: number } }
    const place = mark ? ` in line ${mark.line + 1}` : ''
    throw new SourceError(`The YAML cannot be read${place}: ${reason.slice(0, 200) || 'it is malformed'}.`)
  }
}

function measure(document: unknown): void {
  let values = 0
  const waiting: { value: unknown; depth: number }[] = [{ value: document, depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (++values > limits.values || next.depth > limits.depth)
      throw new SourceError('The YAML holds more values than are read of one source.')
    if (typeof next.value === 'object' && next.value !== null)
      for (const value of Object.values(next.value)) waiting.push({ value, depth: next.depth + 1 })
  }
}
