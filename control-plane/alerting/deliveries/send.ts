import type { Dispatcher } from 'undici'
import { RunFailure } from '#contract/check.ts'
import type { Outgoing } from '#control-plane/alerting/channels/kinds/kind.ts'
import type { SendError } from '#control-plane/db/model/shapes.ts'
import type { Guard } from '#egress/guard.ts'

/** How an attempt ended. It reveals nothing of our own network. */
export interface Sent {
  isDelivered: boolean
  status: number | null
  error: SendError | null
  /** The first kilobyte of the response. */
  answer: string | null
  /** The mail sink has it: the platform has no mail server. */
  isKept?: boolean
  /**
   * The deliveries that it arrives with: to webhooks of the reseller, which get it instead of its recipients, or of
   * another channel that mails the same recipients.
   */
  handedTo?: readonly string[]
  /** Seconds until the next attempt at the earliest: the team's own mail server refused the mail for now. */
  waitS?: number
  durationMs: number
}

const wholeMs = 10_000
const keptBytes = 1_024

/**
 * Sends one request through the guard: no redirects, ten seconds in all, and only the first kilobyte of the response is
 * read.
 */
export async function sendHttp(
  guard: Pick<Guard, 'dispatcher' | 'refuseUrl'>,
  { method = 'POST', url, headers, body }: Outgoing,
): Promise<Sent> {
  const begun = performance.now()
  const ended = (rest: Omit<Sent, 'durationMs'>): Sent => ({
    ...rest,
    durationMs: Math.round(performance.now() - begun),
  })
  const signal = AbortSignal.timeout(wholeMs)
  try {
    if (guard.refuseUrl(url) !== null)
      return ended({ isDelivered: false, status: null, error: 'blocked', answer: null })
    const { origin, pathname, search } = new URL(url)
    const response = await guard.dispatcher().request({
      origin,
      path: pathname + search,
      method,
      headers: { 'User-Agent': 'Monitoring-Webhooks/1', Accept: '*/*', ...headers },
      body: method === 'GET' ? null : body,
      signal,
    })
    const answer = await beginning(response.body)
    const isDelivered = response.statusCode >= 200 && response.statusCode < 300
    return ended({ isDelivered, status: response.statusCode, error: isDelivered ? null : 'http_status', answer })
  } catch (error) {
    return ended({
      isDelivered: false,
      status: null,
      error: signal.aborted ? 'timeout' : reasonOf(error),
      answer: null,
    })
  }
}

async function beginning(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(Buffer.from(chunk))
    bytes += chunk.length
    // leaving the loop closes the connection
    if (bytes >= keptBytes) break
  }
  return Buffer.concat(chunks).subarray(0, keptBytes).toString('utf8').replaceAll('\0', '')
}

function reasonOf(error: unknown): SendError {
  const failure =
    error instanceof RunFailure
      ? error
      : error instanceof Error && error.cause instanceof RunFailure
        ? error.cause
        : undefined
  const code = failure?.code ?? (error instanceof Error && 'code' in error ? String(error.code) : '')
  if (code === 'blocked') return 'blocked'
  if (/timeout/i.test(code)) return 'timeout'
  if (code.startsWith('dns') || code === 'resolver_unavailable') return 'dns'
  return /tls|cert/i.test(code) ? 'tls' : 'connect'
}
