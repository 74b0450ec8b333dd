import { type Logger, symbols } from 'pino'

/** What is written of a request that was answered. Every field is ours or has been vetted, so nothing needs quoting, nor to be searched for secrets. */
interface AnsweredRequest {
  requestId: string
  method: string
  /** The pattern, never the path. */
  route: string
  status: number
  ms: number
  tokenId?: string
  tenantId?: string
}

/**
 * Lines like those of the log itself, and to where it writes, for a tenth of the time: to have each field looked at would be the dearest
 * part of a cheap request. What a tick brings is written at once.
 */
export function requestLog(log: Logger): (level: 'debug' | 'info', request: AnsweredRequest) => void {
  const { [symbols.streamSym]: stream } = log as unknown as { [symbols.streamSym]: { write(lines: string): void } }
  const time = new Stamps()
  let lines = ''
  const flush = () => {
    stream.write(lines)
    lines = ''
  }
  return (level, { requestId, method, route, status, ms, tokenId, tenantId }) => {
    if (!log.isLevelEnabled(level)) return
    if (lines === '') setImmediate(flush)
    const whose = tokenId === undefined ? '' : `,"token_id":"${tokenId}","tenant_id":"${tenantId}"`
    lines += `{"level":"${level}","time":"${time.at(Date.now())}","request_id":"${requestId}","method":"${method}","route":"${route}","status":${status},"ms":${Math.round(ms * 10) / 10}${whose},"msg":"request"}\n`
  }
}

/** Moments as text; all but the milliseconds is written once a second. */
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
