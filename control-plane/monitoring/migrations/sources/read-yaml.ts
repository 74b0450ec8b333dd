import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { SourceError } from './source.ts'

/** Bounds of the thread that parses. */
export const yamlLimits = { bytes: 2_097_152, wholeMs: 10_000, heapMb: 256 }

interface Answer {
  json?: string
  isTooLarge?: boolean
  why?: string
  line?: number | null
}

/** The document of a YAML text as plain values. It is parsed in a thread of its own, which is ended at its bounds. */
export async function readYaml(text: string, limits: typeof yamlLimits = yamlLimits): Promise<unknown> {
  if (Buffer.byteLength(text) > limits.bytes)
    throw new SourceError(`The file has more than ${limits.bytes / 1_048_576} MB of YAML.`)
  const worker = new Worker(join(import.meta.dirname, 'parse-yaml.ts'), {
    workerData: { text },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
  })
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const timer = setTimeout(
    () => reject(new SourceError(`The YAML was not read within ${limits.wholeMs / 1_000} seconds.`)),
    limits.wholeMs,
  )
  worker.once('message', resolve)
  // above all that it ran out of memory
  worker.once('error', () => reject(new SourceError('The YAML is too large to be read.')))
  worker.once('exit', () => reject(new SourceError('The YAML cannot be read.')))
  try {
    const answer = await promise
    if (answer.json !== undefined) return JSON.parse(answer.json)
    if (answer.isTooLarge) throw new SourceError('The YAML holds more values than are read of one source.')
    const place = answer.line ? ` in line ${answer.line}` : ''
    throw new SourceError(`The YAML cannot be read${place}: ${answer.why?.slice(0, 200) || 'it is malformed'}.`)
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
