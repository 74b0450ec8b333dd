import { z } from 'zod'
import { Sentence } from '#contract/sentence.ts'
import { serverLimits } from '#contract/server-agent.ts'
import { malformed, tooLarge } from '#control-plane/base/refusal.ts'
import { isNestedBeyond, textOf } from '#control-plane/http/body.ts'
import { Fields } from './protobuf.ts'

/** A number at a moment, of a metric as OpenTelemetry names it. */
export interface OtlpPoint {
  metric: string
  attributes: ReadonlyMap<string, string>
  at: number
  startAt: number
  value: number
  /** A sum that only grows; `delta`: its growth since `startAt`. */
  sum: 'none' | 'cumulative' | 'delta'
  host: string
}

export interface OtlpMessage {
  points: OtlpPoint[]
  /** Points that are no numbers: histograms and the like. */
  others: number
}

type Sum = OtlpPoint['sum']
const sumOf = (isMonotonic: boolean, temporality: number): Sum =>
  !isMonotonic ? 'none' : temporality === 1 ? 'delta' : 'cumulative'
const msOfNanos = (nanos: number) => Math.round(nanos / 1_000_000)

/** Counts before it walks: an export of nothing but empty metrics is refused for the price of its first bytes. */
class Gathering {
  readonly points: OtlpPoint[] = []
  others = 0
  #metrics = 0
  #numbers = 0
  #parts = 0

  metric(): void {
    if (++this.#metrics > serverLimits.batchValues) throw tooLarge()
  }

  /** So many points, of whatever kind. */
  count(points: number): void {
    this.#numbers += points
    if (this.#numbers > serverLimits.batchValues) throw tooLarge()
  }

  /** What holds other things and says nothing itself. */
  part(): void {
    if (++this.#parts > serverLimits.batchValues) throw tooLarge()
  }
}

/** ExportMetricsServiceRequest in protobuf. */
export function readOtlpProtobuf(body: Buffer): OtlpMessage {
  const found = new Gathering()
  for (const request = new Fields(body); request.next(); )
    if (request.number === 1) {
      found.part()
      readResource(request.message(), found)
    }
  return found
}

function readResource(resource: Fields, found: Gathering): void {
  let host = ''
  const scopes: Fields[] = []
  while (resource.next())
    if (resource.number === 1) {
      for (const fields = resource.message(); fields.next(); )
        if (fields.number === 1) {
          const [key, value] = readAttribute(fields.message())
          if (key === 'host.name') host = value
        }
    } else if (resource.number === 2) {
      found.part()
      scopes.push(resource.message())
    }
  for (const scope of scopes)
    while (scope.next())
      if (scope.number === 2) {
        found.metric()
        readMetric(scope.message(), host, found)
      }
}

function readMetric(metric: Fields, host: string, found: Gathering): void {
  let name = ''
  const data: Fields[] = []
  while (metric.next())
    if (metric.number === 1) name = metric.text()
    else if (metric.number === 5 || metric.number === 7) {
      found.part()
      data.push(metric.message())
    } else if (metric.number >= 9 && metric.number <= 11)
      for (const fields = metric.message(); fields.next(); )
        if (fields.number === 1) {
          found.count(1)
          found.others++
        }
  for (const fields of data) {
    const points: Fields[] = []
    let temporality = 0
    let isMonotonic = false
    while (fields.next())
      if (fields.number === 1) {
        found.count(1)
        points.push(fields.message())
      } else if (fields.number === 2) temporality = fields.int()
      else if (fields.number === 3) isMonotonic = fields.int() !== 0
    for (const fields of points) {
      const point = readPoint(fields)
      if (point) found.points.push({ metric: name, host, sum: sumOf(isMonotonic, temporality), ...point })
    }
  }
}

/** A flag of a point: it says that its series has ended, and has no value. */
const hasNoValue = (flags: number) => flags % 2 === 1

/** null: it has no value. */
function readPoint(point: Fields): Pick<OtlpPoint, 'attributes' | 'at' | 'startAt' | 'value'> | null {
  const attributes = new Map<string, string>()
  let [at, startAt, value, flags] = [0, 0, Number.NaN, 0]
  while (point.next())
    if (point.number === 2) startAt = msOfNanos(point.fixed64())
    else if (point.number === 3) at = msOfNanos(point.fixed64())
    else if (point.number === 4) value = point.double()
    else if (point.number === 6) value = point.sfixed64()
    else if (point.number === 7) attributes.set(...readAttribute(point.message()))
    else if (point.number === 8) flags = point.int()
  return hasNoValue(flags) ? null : { attributes, at, startAt, value }
}

function readAttribute(pair: Fields): [key: string, value: string] {
  let [key, value] = ['', '']
  while (pair.next())
    if (pair.number === 1) key = pair.text()
    else if (pair.number === 2)
      for (const any = pair.message(); any.next(); )
        if (any.number === 1) value = any.text()
        else if (any.number === 2) value = String(any.int() !== 0)
        else if (any.number === 3) value = String(any.int())
        else if (any.number === 4) value = String(any.double())
  return [key, value]
}

/*
 * OTLP's JSON is that of proto3: null is a field that is not set, whole numbers of 64 bits are texts or numbers,
 * numbers may be `"NaN"` and `"Infinity"`, enums are numbers or names, and fields that are not known are passed over.
 */
const unless = <Schema extends z.ZodType, Fallback>(schema: Schema, fallback: Fallback) =>
  schema.nullish().transform(given => given ?? fallback)
const list = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .array(schema.nullable())
    .nullish()
    .transform(items => (items ?? []).filter((item): item is z.output<Schema> => item !== null))

const digits = z.union([z.string().regex(/^-?\d{1,20}(\.0{1,20})?(e\+?\d{1,2})?$/i), z.number()]).transform(Number)
const double = z.union([z.number(), z.string().transform(text => (text.trim() === '' ? Number.NaN : Number(text)))])
const AnyValue = z
  .object({
    stringValue: z.string().nullish(),
    boolValue: z.boolean().nullish(),
    intValue: digits.nullish(),
    doubleValue: double.nullish(),
  })
  .transform(({ stringValue, boolValue, intValue, doubleValue }) =>
    String(stringValue ?? boolValue ?? intValue ?? doubleValue ?? ''),
  )
const Attribute = z
  .object({ key: unless(z.string(), ''), value: unless(AnyValue, '') })
  .transform(({ key, value }): [string, string] => [key, value])
const Point = z.object({
  attributes: list(Attribute),
  startTimeUnixNano: unless(digits, 0),
  timeUnixNano: unless(digits, 0),
  asDouble: double.nullish(),
  asInt: digits.nullish(),
  flags: unless(digits, 0),
})
const temporality = unless(z.union([z.number(), z.string()]), 2).transform(given =>
  given === 1 || given === '1' || given === 'AGGREGATION_TEMPORALITY_DELTA' ? 1 : 2,
)
const Others = z.object({ dataPoints: list(z.unknown()) }).nullish()
const Metric = z.object({
  name: unless(z.string(), ''),
  gauge: z.object({ dataPoints: list(Point) }).nullish(),
  sum: z
    .object({
      dataPoints: list(Point),
      aggregationTemporality: temporality,
      isMonotonic: unless(z.boolean(), false),
    })
    .nullish(),
  histogram: Others,
  exponentialHistogram: Others,
  summary: Others,
})
const Request = z.object({
  resourceMetrics: list(
    z.object({
      resource: z.object({ attributes: list(Attribute) }).nullish(),
      scopeMetrics: list(z.object({ metrics: list(Metric) })),
    }),
  ),
})

/** The same in OTLP's JSON. */
export function readOtlpJson(body: Buffer): OtlpMessage {
  const text = textOf(body)
  if (isNestedBeyond(text, 32)) throw malformed('The JSON is nested too deep.')
  if (isNestedBeyond(text, 32, serverLimits.batchFields)) throw tooLarge()
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw malformed('The body is not valid JSON.')
  }
  const found = new Gathering()
  countJson(given, found)
  const parsed = Request.safeParse(given)
  if (!parsed.success)
    throw malformed(
      new Sentence('The body is no export of metrics: {why}.', {
        why: parsed.error.issues[0]?.path.join('.') || 'body',
      }),
    )
  for (const { resource, scopeMetrics } of parsed.data.resourceMetrics) {
    const host = resource?.attributes.find(([key]) => key === 'host.name')?.[1] ?? ''
    for (const { name, gauge, sum, histogram, exponentialHistogram, summary } of scopeMetrics.flatMap(
      scope => scope.metrics,
    )) {
      for (const others of [histogram, exponentialHistogram, summary]) found.others += others?.dataPoints.length ?? 0
      const kind = sumOf(sum?.isMonotonic ?? false, sum?.aggregationTemporality ?? 2)
      for (const point of [...(gauge?.dataPoints ?? []), ...(sum?.dataPoints ?? [])])
        if (!hasNoValue(point.flags))
          found.points.push({
            metric: name,
            host,
            sum: sum ? kind : 'none',
            attributes: new Map(point.attributes),
            at: msOfNanos(point.timeUnixNano),
            startAt: msOfNanos(point.startTimeUnixNano),
            value: point.asDouble ?? point.asInt ?? Number.NaN,
          })
    }
  }
  return found
}

/** Counts the points of an export before it is validated, which takes ten times as long. */
function countJson(given: unknown, found: Gathering): void {
  for (const resource of listIn(given, 'resourceMetrics'))
    for (const scope of listIn(resource, 'scopeMetrics'))
      for (const metric of listIn(scope, 'metrics')) {
        found.metric()
        for (const kind of ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary'])
          found.count(listIn(fieldOf(metric, kind), 'dataPoints').length)
      }
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

function listIn(value: unknown, name: string): unknown[] {
  const list = fieldOf(value, name)
  if (!Array.isArray(list)) return []
  if (list.length > serverLimits.batchValues) throw tooLarge()
  return list
}
