import { z } from 'zod'
import { Sentence } from '#contract/sentence.ts'
import { isServerMetric, type ServerMetric, serverLimits } from '#contract/server-agent.ts'
import { invalid, malformed, tooLarge } from '#control-plane/base/refusal.ts'
import { isNestedBeyond, textOf } from '#control-plane/http/body.ts'
import { fieldErrors } from '#control-plane/http/field-errors.ts'
import { machineNamed } from './machine.ts'
import type { Reading, ServerReport } from './readings.ts'

const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine(value => value.isWellFormed() && !/\p{Cc}/u.test(value), 'Contains characters that cannot be stored.')
const label = text(serverLimits.labelChars).min(1)
const percent = z.number().min(0).max(100)

const Host = z.object({
  name: text(255),
  os: text(100),
  kernel: text(100),
  arch: text(40),
  cores: z.int().min(1).max(100_000),
  memory_bytes: z.int().min(0),
  agent: text(40),
})
const Header = z.object({ batch: z.uuid(), host: Host.optional() })
const Sample = z.object({
  at: z.int().min(0).meta({ description: 'Milliseconds since 1970.' }),
  metrics: z.record(z.string().max(60), z.union([z.number(), z.record(label, z.number())])).meta({
    description: 'Numbers by metric, or by metric and label: `{"cpu": 12.5, "disk": {"/": 40.1}}`.',
  }),
  processes: z
    .array(z.object({ name: text(60), cpu: percent, memory: percent }))
    .max(serverLimits.processes)
    .optional(),
})

export const ServerBatch = Header.extend({ samples: z.array(Sample).min(1).max(serverLimits.batchSamples) }).meta({
  id: 'ServerBatch',
})
export const ServerAck = z
  .object({
    batch: z.uuid(),
    accepted: z.int(),
    ignored: z.int().meta({ description: 'Values of metrics not known here.' }),
    now_ms: z.number(),
  })
  .meta({ id: 'ServerAck', description: 'Everything accepted is stored.' })

/** Parses a batch in our own format: one JSON value, or a header line and one line for each sample. */
export function readOwn(body: Buffer, type: string): ServerReport & { batch: string } {
  const text = textOf(body)
  if (isNestedBeyond(text, Number.POSITIVE_INFINITY, valuesAtMost)) throw tooLarge()
  const given = type === 'application/json' ? parse(text, 'The body') : readLines(text)
  if (countValues(given) > serverLimits.batchValues)
    throw invalid({ samples: [new Sentence('A batch has at most {n} values.', { n: serverLimits.batchValues })] })
  const parsed = ServerBatch.safeParse(given)
  if (!parsed.success) throw invalid(fieldErrors(parsed.error))
  const { batch, host, samples } = parsed.data
  const readings: Reading[] = []
  let ignored = 0
  for (const { at, metrics } of samples)
    for (const [metric, given] of Object.entries(metrics)) {
      const pairs = typeof given === 'number' ? [['', given] as const] : Object.entries(given)
      if (isServerMetric(metric))
        for (const [of, value] of pairs)
          readings.push({ kind: 'value', metric, label: of, at, value: bound(metric, value) })
      else ignored += pairs.length
    }
  const newest = samples.reduce<(typeof samples)[number] | undefined>(
    (last, sample) => (sample.processes && (!last || sample.at >= last.at) ? sample : last),
    undefined,
  )
  return {
    batch,
    readings,
    ignored,
    host,
    machine: host ? machineNamed(host.name) : null,
    processes: newest?.processes && { at: newest.at, list: newest.processes },
  }
}

const shares = new Set<ServerMetric>(['cpu', 'memory', 'swap', 'disk'])
const bound = (metric: ServerMetric, value: number) => (shares.has(metric) ? Math.min(100, Math.max(0, value)) : value)

/** The JSON values of the largest batch allowed. */
const valuesAtMost = 150_000

/** Counts the values of a batch before it is validated, which takes fifty times as long. */
function countValues(given: unknown): number {
  const samples =
    typeof given === 'object' && given !== null && 'samples' in given && Array.isArray(given.samples)
      ? given.samples
      : []
  let count = 0
  for (const sample of samples) {
    const metrics = typeof sample === 'object' && sample !== null && 'metrics' in sample ? sample.metrics : undefined
    if (typeof metrics !== 'object' || metrics === null) continue
    for (const value of Object.values(metrics))
      count += typeof value === 'object' && value !== null ? Object.keys(value).length : 1
  }
  return count
}

/** Reads no further than the first line that is wrong. */
function readLines(body: string): unknown {
  let header: unknown
  const samples: unknown[] = []
  let [number, blank] = [0, 0]
  for (let at = 0; at < body.length; ) {
    const next = body.indexOf('\n', at)
    const line = body.slice(at, next === -1 ? body.length : next)
    at = next === -1 ? body.length : next + 1
    number++
    if (line.trim() === '') {
      if (++blank > serverLimits.batchSamples)
        throw malformed(new Sentence('Line {n} is one of too many that are empty.', { n: number }))
    } else if (number - blank === 1) header = parse(line, `Line ${number}`)
    else {
      if (samples.length === serverLimits.batchSamples)
        throw invalid({ samples: [new Sentence('A batch has at most {n} samples.', { n: serverLimits.batchSamples })] })
      samples.push(parse(line, `Line ${number}`))
    }
  }
  if (number === blank) throw malformed('Line 1 is not valid JSON.')
  return typeof header === 'object' && header !== null ? { ...header, samples } : header
}

function parse(json: string, what: string): unknown {
  if (isNestedBeyond(json, 8)) throw malformed(new Sentence('{what} is nested too deep.', { what }))
  try {
    return JSON.parse(json)
  } catch {
    throw malformed(new Sentence('{what} is not valid JSON.', { what }))
  }
}
