import { randomUUID } from 'node:crypto'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import * as otel from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  RandomIdGenerator,
  type ReadableSpan,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import { build } from '#contract/version.ts'
import type { Metrics } from './metrics.ts'
import {
  type Beginning,
  parseTraceparent,
  type Span,
  type SpanAttributes,
  type SpanKind,
  type Tracing,
} from './tracing.ts'

export interface TracingConfig {
  /** Base address of a receiver of OTLP over HTTP; spans go to `/v1/traces` below it. */
  endpoint: string
  headers: Readonly<Record<string, string>>
  serviceName: string
  /** Share of traces that are recorded, 0 to 1. */
  ratio: number
}

export interface TracingDeps {
  log: Logger
  metrics: Pick<Metrics, 'spans'>
}

/** What may wait for a receiver that does not answer: some two megabytes. Further spans are dropped and counted. */
export const mostWaiting = 2_048
const mostAtOnce = 512
const everyMs = 2_000
const exportMs = 5_000
const closeMs = 1_000
const logEveryMs = 60_000

const kinds: Record<SpanKind, otel.SpanKind> = {
  internal: otel.SpanKind.INTERNAL,
  server: otel.SpanKind.SERVER,
  client: otel.SpanKind.CLIENT,
  consumer: otel.SpanKind.CONSUMER,
}

/** Spans by OpenTelemetry's library, which this module loads. */
export class OpenTelemetry implements Tracing {
  readonly #ratio: number
  readonly #provider: TracerProvider
  readonly #tracer: otel.Tracer
  readonly #ids: Ids
  readonly #exporter: CountingExporter
  readonly #agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) }

  constructor({ endpoint, headers, serviceName, ratio }: TracingConfig, deps: TracingDeps) {
    this.#ratio = ratio
    this.#ids = new Ids()
    const exporter = new OTLPTraceExporter({
      url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
      headers: { ...headers },
      timeoutMillis: exportMs,
      concurrencyLimit: 1,
      httpAgentOptions: protocol => this.#agents[protocol === 'https:' ? 'https:' : 'http:'],
    })
    this.#exporter = new CountingExporter(exporter, deps)
    const batches = new BatchSpanProcessor({
      exporter: this.#exporter,
      maxQueueSize: mostWaiting,
      maxExportBatchSize: mostAtOnce,
      scheduledDelayMillis: everyMs,
      exportTimeoutMillis: exportMs + 1_000,
    })
    this.#provider = new TracerProvider({
      // what is not sampled never comes here
      sampler: new AlwaysOnSampler(),
      idGenerator: this.#ids,
      resource: resourceFromAttributes({
        'service.name': serviceName,
        'service.version': build,
        'service.instance.id': randomUUID(),
      }),
      spanLimits: { attributeValueLengthLimit: 200, attributeCountLimit: 32, linkCountLimit: 4, eventCountLimit: 4 },
      spanProcessors: [{ ...doNothing, onEnd: () => this.#exporter.ended() }, batches],
    })
    this.#tracer = this.#provider.getTracer('vedette', build)
  }

  begin({ name, kind, attributes = {}, header, stored, traceId, startedMs }: Beginning): Span | undefined {
    const before = parseTraceparent(stored)
    const isSampled = before
      ? before.isSampled
      : traceId === undefined
        ? Math.random() < this.#ratio
        : Number.parseInt(traceId.slice(-8), 16) < this.#ratio * 2 ** 32
    if (!isSampled) return undefined
    const parent = before ?? parseTraceparent(header)
    if (!parent) this.#ids.next = traceId
    const around = parent
      ? otel.trace.setSpanContext(otel.ROOT_CONTEXT, {
          traceId: parent.traceId,
          spanId: parent.spanId,
          traceFlags: otel.TraceFlags.SAMPLED,
          isRemote: true,
        })
      : otel.ROOT_CONTEXT
    return startSpan(this.#tracer, { name, kind, attributes, startedMs }, around)
  }

  async close(): Promise<void> {
    const flushed = this.#provider.shutdown().catch(() => undefined)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise(resolve => {
      timer = setTimeout(resolve, closeMs)
    })
    await Promise.race([flushed, late])
    clearTimeout(timer)
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }
}

interface Started {
  name: string
  kind: SpanKind
  attributes: SpanAttributes
  startedMs: number | undefined
}

function startSpan(
  tracer: otel.Tracer,
  { name, kind, attributes, startedMs }: Started,
  around: otel.Context,
): RecordedSpan {
  const options = { kind: kinds[kind], attributes: { ...attributes }, ...(startedMs && { startTime: startedMs }) }
  return new RecordedSpan(tracer, tracer.startSpan(name, options, around))
}

class RecordedSpan implements Span {
  readonly #tracer: otel.Tracer
  readonly #span: otel.Span
  readonly traceId: string
  readonly spanId: string
  hasEnded = false

  constructor(tracer: otel.Tracer, span: otel.Span) {
    this.#tracer = tracer
    this.#span = span
    const { traceId, spanId } = span.spanContext()
    this.traceId = traceId
    this.spanId = spanId
  }

  get traceparent(): string {
    return `00-${this.traceId}-${this.spanId}-01`
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes({ ...attributes })
  }

  rename(name: string): void {
    this.#span.updateName(name)
  }

  fail(type: string): void {
    this.#span.setAttribute('error.type', type)
    this.#span.setStatus({ code: otel.SpanStatusCode.ERROR })
  }

  child(
    name: string,
    attributes: SpanAttributes,
    { kind = 'internal', startedMs }: { kind?: SpanKind; startedMs?: number } = {},
  ): Span {
    const around = otel.trace.setSpan(otel.ROOT_CONTEXT, this.#span)
    return startSpan(this.#tracer, { name, kind, attributes, startedMs }, around)
  }

  end(endedMs?: number): void {
    if (this.hasEnded) return
    this.hasEnded = true
    this.#span.end(endedMs)
  }
}

/** Random ids, or the one that the next trace is to have. */
class Ids extends RandomIdGenerator {
  next: string | undefined

  override generateTraceId(): string {
    const id = this.next ?? super.generateTraceId()
    this.next = undefined
    return id
  }
}

const doNothing = {
  forceFlush: async () => undefined,
  onStart: () => undefined,
  shutdown: async () => undefined,
}

/** Counts what is exported, and what is lost because the receiver fails or is too slow. */
class CountingExporter implements SpanExporter {
  readonly #exporter: SpanExporter
  readonly #deps: TracingDeps
  #waiting = 0
  #lost = 0
  #loggedAt = Number.NEGATIVE_INFINITY

  constructor(exporter: SpanExporter, deps: TracingDeps) {
    this.#exporter = exporter
    this.#deps = deps
  }

  /** Called for each span before it is queued: the queue drops what is too much. */
  ended(): void {
    if (this.#waiting < mostWaiting) this.#waiting++
    else this.#lose(1, 'dropped', undefined)
  }

  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    this.#waiting -= spans.length
    this.#exporter.export(spans, result => {
      if (result.code === 0) this.#deps.metrics.spans.inc({ outcome: 'exported' }, spans.length)
      else this.#lose(spans.length, 'failed', result.error)
      done(result)
    })
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown()
  }

  #lose(count: number, outcome: 'dropped' | 'failed', error: Error | undefined): void {
    this.#deps.metrics.spans.inc({ outcome }, count)
    this.#lost += count
    const now = performance.now()
    if (now - this.#loggedAt < logEveryMs) return
    this.#loggedAt = now
    // an answer of the receiver may quote what was sent
    const { code } = (error ?? {}) as { code?: unknown }
    this.#deps.log.warn({ spans: this.#lost, outcome, ...(code !== undefined && { code }) }, 'span export failure')
    this.#lost = 0
  }
}
