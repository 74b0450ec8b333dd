import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A span as it was received, with the resource of the process that sent it. */
export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  kind: number
  startMs: number
  endMs: number
  attributes: Record<string, unknown>
  hasFailed: boolean
  resource: Record<string, unknown>
}

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean }
}
interface Exported {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: {
      spans: {
        traceId: string
        spanId: string
        parentSpanId?: string
        name: string
        kind: number
        startTimeUnixNano: string
        endTimeUnixNano: string
        attributes: Attribute[]
        status?: { code?: number }
      }[]
    }[]
  }[]
}

const plain = (attributes: readonly Attribute[]) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? (value.intValue === undefined ? (value.doubleValue ?? value.boolValue) : +value.intValue),
    ]),
  )

/** A receiver of OTLP over HTTP in JSON, with a log of what it was sent. */
export class SpanReceiver {
  readonly spans: ReceivedSpan[] = []
  /** Every byte received: paths, headers and bodies. */
  readonly bytes: string[] = []
  readonly headers: IncomingHttpHeaders[] = []
  connections = 0
  /** How it answers from now on: it takes what it is sent, refuses it, or never answers. */
  mood: 'takes' | 'refuses' | 'hangs' = 'takes'
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', chunk => chunks.push(chunk))
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        this.bytes.push(`${request.method} ${request.url}`, JSON.stringify(request.headers), text)
        this.headers.push(request.headers)
        this.#answer(request.url ?? '', text, response)
      })
    })
    this.#server.on('connection', socket => {
      this.connections++
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => this.#sockets.delete(socket))
    })
  }

  static async open(): Promise<SpanReceiver> {
    const receiver = new SpanReceiver()
    receiver.#server.listen(0, '127.0.0.1')
    await once(receiver.#server, 'listening')
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** The spans of a trace, from the first to the last begun. */
  trace(traceId: string): ReceivedSpan[] {
    return this.spans.filter(span => span.traceId === traceId).sort((a, b) => a.startMs - b.startMs)
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #answer(path: string, text: string, response: ServerResponse): void {
    if (this.mood === 'hangs') return
    if (this.mood === 'refuses' || path !== '/v1/traces') return void response.writeHead(400).end()
    for (const { resource, scopeSpans } of (JSON.parse(text) as Exported).resourceSpans)
      for (const { spans } of scopeSpans)
        for (const span of spans)
          this.spans.push({
            traceId: span.traceId,
            spanId: span.spanId,
            parentSpanId: span.parentSpanId || undefined,
            name: span.name,
            kind: span.kind,
            startMs: Number(span.startTimeUnixNano) / 1e6,
            endMs: Number(span.endTimeUnixNano) / 1e6,
            attributes: plain(span.attributes),
            hasFailed: span.status?.code === 2,
            resource: plain(resource.attributes),
          })
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  }
}
