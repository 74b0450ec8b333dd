import { setTimeout as pause } from 'node:timers/promises'
import { RunFailure } from '#contract/check.ts'
import type { Guard } from '#egress/guard.ts'
import { type Ask, type Reach, SourceError } from './source.ts'

/** Bounds of what is read of one source. */
export const httpLimits = {
  answerMs: 15_000,
  answerBytes: 8_388_608,
  wholeBytes: 67_108_864,
  pages: 500,
  /** Requests of one source to which commands are sent, such as to pause its monitors. */
  commands: 5_000,
  /** How often, and how long at the most, is waited where the source allows no more requests at present. */
  waits: 3,
  waitMs: 60_000,
}

/** `signal` ends a request that is under way. */
export function openHttpClient(
  guard: Pick<Guard, 'dispatcher' | 'refuseUrl'>,
  signal?: AbortSignal,
  limits: typeof httpLimits = httpLimits,
): Reach {
  let [pages, bytes] = [0, 0]

  async function text(address: URL | string, ask: Ask = {}): Promise<string> {
    for (let waits = 0; ; waits++) {
      const answer = await request(address, ask)
      if (typeof answer === 'string') return answer
      if (waits >= limits.waits) throw new SourceError(meaningOf(429, new URL(address).host))
      await pause(Math.min(answer.againInMs, limits.waitMs), undefined, { ...(signal && { signal }) })
    }
  }

  async function request(
    address: URL | string,
    { method = 'GET', headers = {}, body }: Ask,
  ): Promise<string | { againInMs: number }> {
    const url = new URL(address)
    const refused = guard.refuseUrl(url.href)
    if (refused !== null) throw new SourceError(`The source ${url.host} cannot be reached: ${refused}`)
    if (++pages > limits.pages)
      throw new SourceError(`The source ${url.host} has more than ${limits.pages} pages: it was not read to its end.`)
    const deadline = AbortSignal.timeout(limits.answerMs)
    const until = signal ? AbortSignal.any([signal, deadline]) : deadline
    try {
      const response = await guard.dispatcher(limits.answerBytes).request({
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers: {
          'User-Agent': 'Monitoring-Migration/1',
          Accept: 'application/json',
          'Accept-Encoding': 'identity',
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body: body ?? null,
        signal: until,
      })
      // destroying the body below emits an error that has no other listener
      response.body.on('error', () => undefined)
      // Statuspage says 420 as well
      if (response.statusCode === 429 || response.statusCode === 420) {
        response.body.destroy()
        return { againInMs: 1_000 * (Number(response.headers['retry-after']) || 10) }
      }
      if (response.statusCode < 200 || response.statusCode > 299) {
        response.body.destroy()
        throw new SourceError(meaningOf(response.statusCode, url.host), response.statusCode)
      }
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of response.body as AsyncIterable<Buffer>) {
        chunks.push(chunk)
        size += chunk.length
        bytes += chunk.length
        if (size > limits.answerBytes || bytes > limits.wholeBytes) {
          response.body.destroy()
          throw new SourceError(`The source ${url.host} sends more than is read of one source.`)
        }
      }
      return Buffer.concat(chunks).toString('utf8').replaceAll('\0', '')
    } catch (error) {
      if (error instanceof SourceError) throw error
      if (signal?.aborted) throw error
      if (isTooLarge(error)) throw new SourceError(`The source ${url.host} sends more than is read of one source.`)
      throw new SourceError(
        deadline.aborted
          ? `The source ${url.host} did not answer within ${limits.answerMs / 1_000} seconds.`
          : `The source ${url.host} cannot be reached: ${reasonOf(error)}`,
      )
    }
  }

  return {
    text,
    left: () => limits.pages - pages,
    json: async (url, ask) => parseAnswer(url, await text(url, ask)),
  }
}

/** The JSON of an answer. Only a program may call it for a whole answer: it may take a quarter of a second. */
export function parseAnswer(url: URL | string, answer: string): unknown {
  try {
    return JSON.parse(answer)
  } catch {
    throw new SourceError(`The source ${new URL(url).host} answered with something that is not JSON.`)
  }
}

function meaningOf(status: number, host: string): string {
  if (status === 401 || status === 403) return `The source ${host} refuses the key (status ${status}).`
  if (status === 404) return `The source ${host} has nothing at this address (status 404).`
  if (status === 429) return `The source ${host} allows no more requests at present (status 429). Try again later.`
  return `The source ${host} answered with status ${status}.`
}

const isTooLarge = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE'

function reasonOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof RunFailure) return cause.message
  return 'the connection failed.'
}
