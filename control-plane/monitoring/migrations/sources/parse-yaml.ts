import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { readDocuments, type YamlReader } from './yaml-documents.ts'

const yaml: YamlReader = createRequire(import.meta.url)('js-yaml')

/*
 * The thread that parses YAML from outside. Its caller ends it when it takes too long or too much memory. Aliases may
 * make a small text a huge document: so many values, each as often as it is named, and so deep, and no more.
 */

const limits = { values: 200_000, depth: 60 }

function measure(document: unknown): void {
  let values = 0
  const waiting: { value: unknown; depth: number }[] = [{ value: document, depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (++values > limits.values || next.depth > limits.depth) throw new Error('too large')
    if (typeof next.value === 'object' && next.value !== null)
      for (const value of Object.values(next.value)) waiting.push({ value, depth: next.depth + 1 })
  }
}

try {
  const document = readDocuments(yaml, workerData.text)
  measure(document)
  parentPort?.postMessage({ json: JSON.stringify(document ?? null) })
} catch (error) {
  const { reason = '', mark, message = '' } = error as { reason?: string; mark?: { line: number }; message?: string }
  parentPort?.postMessage({ isTooLarge: message === 'too large', why: reason, line: mark ? mark.line + 1 : null })
}
