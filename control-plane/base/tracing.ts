import { AsyncLocalStorage } from 'node:async_hooks'
import { Refusal } from './refusal.ts'

/*
 * Spans of OpenTelemetry, without its packages: `opentelemetry.ts` loads those, and only where an operator has named a
 * receiver. Whether something is recorded is decided once, where its trace begins (`Tracing.begin`): what is not
 * recorded has no span, and costs the lookup of one.
 */

/**
 * Every attribute that a span may have. Their values are our own words, ids and numbers: never an address, a query, a
 * body, a name or a secret.
 */
export interface SpanAttributes {
  'http.request.method'?: string
  /** The pattern of the path. */
  'http.route'?: string
  'http.response.status_code'?: number
  'db.system.name'?: 'postgresql'
  'error.type'?: string
  'vedette.request.id'?: string
  'vedette.team.id'?: string
  'vedette.transaction.read_only'?: boolean
  'vedette.outbox.kind'?: string
  'vedette.outbox.name'?: string
  'vedette.outbox.attempt'?: number
  'vedette.delivery.id'?: string
  'vedette.delivery.attempt'?: number
  'vedette.delivery.outcome'?: string
  'vedette.channel.kind'?: string
  'vedette.mail.type'?: string
  'vedette.mail.outcome'?: string
  'vedette.activity.name'?: string
  'vedette.activity.attempt'?: number
  'vedette.check.id'?: string
  'vedette.check.kind'?: string
  'vedette.check.outcome'?: string
  'vedette.region'?: string
  'vedette.verdict'?: string
}

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer'

/** A span that is recorded. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  /** The header and the text by which another process continues the trace. */
  readonly traceparent: string
  readonly hasEnded: boolean
  set(attributes: SpanAttributes): void
  rename(name: string): void
  /** Marks it as failed. `type` is a class or code of errors, never a message: messages quote data. */
  fail(type: string): void
  child(name: string, attributes: SpanAttributes, more?: { kind?: SpanKind; startedMs?: number }): Span
  /** `endedMs`: as `Date.now`, by default now. */
  end(endedMs?: number): void
}

export interface Beginning {
  name: string
  kind: SpanKind
  attributes?: SpanAttributes
  /**
   * `traceparent` of a stranger: its trace is continued, but whether it is recorded is decided here, so that no caller
   * can make us export.
   */
  header?: string | string[] | undefined
  /** `traceparent` that a process of ours has stored: what was recorded there is recorded here. */
  stored?: string | undefined
  /** Id of the trace, 32 hexadecimal digits, chosen at random: it decides by itself whether the trace is recorded. */
  traceId?: string
  startedMs?: number
}

/** Begins traces. */
export interface Tracing {
  /** A span if the trace is sampled. Its maker ends it. */
  begin(beginning: Beginning): Span | undefined
  /** Sends what is recorded, within a second. */
  close(): Promise<void>
}

/** Where no receiver is named. */
export const noTracing: Tracing = { begin: () => undefined, close: async () => undefined }

const active = new AsyncLocalStorage<Span>()

/** The span in which the caller works. A timer that outlives its span has none. */
export function activeSpan(): Span | undefined {
  const span = active.getStore()
  return span?.hasEnded ? undefined : span
}

/** Work as a part of the active span, with a span of its own; without an active span nothing is recorded. */
export function traced<T>(
  name: string,
  attributes: SpanAttributes,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const parent = activeSpan()
  return parent ? within(parent.child(name, attributes), work) : work(undefined)
}

/** Work inside a span whose maker ends it. */
export const inside = <T>(span: Span, work: () => T): T => active.run(span, work)

/** Work as what the span covers. It ends with the work, and fails with it unless the work was refused. */
export async function within<T>(span: Span | undefined, work: (span: Span | undefined) => Promise<T>): Promise<T> {
  if (!span) return work(undefined)
  try {
    return await active.run(span, work, span)
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) span.fail(errorType(error))
    throw error
  } finally {
    span.end()
  }
}

/** Work that belongs to no trace, such as a timer that goes on after the request that set it. */
export const untraced = <T>(work: () => T): T => active.exit(work)

const shortWord = /^[\w.:-]{1,60}$/

/** A class or code of an error: never its message. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return shortWord.test(code) ? code : 'Error'
}

/** Version 00 and whatever a later version appends: ids of zeros alone are not valid. */
const shape = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.{0,200})?$/

export interface RemoteParent {
  traceId: string
  spanId: string
  isSampled: boolean
}

/** Reads a `traceparent` of W3C Trace Context; undefined where it is not valid. */
export function parseTraceparent(text: unknown): RemoteParent | undefined {
  const found = typeof text === 'string' && text.length <= 260 ? shape.exec(text) : null
  if (!found) return undefined
  const [, version, traceId = '', spanId = '', flags = '', rest] = found
  if (version === '00' && rest !== undefined) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
