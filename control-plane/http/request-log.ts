import { type Logger, symbols } from 'pino'

/** The log fields of an answered request. All are our own or validated: none needs escaping or redaction. */
interface AnsweredRequest {
  requestId: string
  method: string
  /** The pattern, never the path. */
  route: string
  status: number
  ms: number
  tokenId?: string
  tenantId?: string
  /** Where a span is recorded. */
  traceId?: string
  spanId?: string
}

/**
 * Writes lines in the format and to the stream of the log, in a tenth of the time: serialising each field would be the
 * most expensive part of a cheap request. The lines of one tick are written together.
 */
export function requestLog(log: Logger): (level: 'debug' | 'info', request: AnsweredRequest) => void {
  const { [symbols.streamSym]: stream } = log as unknown as { [symbols.streamSym]: { write(lines: string): void } }
  const time = new Stamps()
  let lines = ''
  const flush = () => {
    stream.write(lines)
    lines = ''
  }
  return (level, { requestId, method, route, status, ms, tokenId, tenantId, traceId, spanId }) => {
    if (!log.isLevelEnabled(level)) return
    if (lines === '') setImmediate(flush)
    const whose = tokenId === undefined ? '' : `,"token_id":"${tokenId}","tenant_id":"${tenantId}"`
    const spanned = traceId === undefined ? '' : `,"trace_id":"${traceId}","span_id":"${spanId}"`
    lines +=
      `{"level":"${level}","time":"${time.at(Date.now())}","request_id":"${requestId}","method":"${method}",` +
      `"route":"${route}","status":${status},"ms":${Math.round(ms * 10) / 10}${whose}${spanned},"msg":"request"}\n`
  }
}

/** Times as text; all but the milliseconds is formatted once a second. */
class Stamps {
  #second = -1
  #text = ''

  at(ms: number): string {
    const second = Math.floor(ms / 1_000)
    if (second !== this.#second) {
      this.#second = second
      this.#text = new Date(second * 1_000).toISOString().slice(0, -4)
    }
    return `${this.#text}${String(ms % 1_000).padStart(3, '0')}Z`
  }
}
