import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import { Agent, request } from 'undici'
import {
  AccessToken,
  agentHeaders,
  agentPaths,
  agentProtocol,
  Enrolled,
  enrolmentProtocol,
  ProtocolRefusal,
} from '#contract/agent.ts'
import { build } from '#contract/version.ts'
import { Backoff } from './backoff.ts'
import type { ServerClock } from './clock.ts'
import type { Identity } from './identity.ts'

export interface Reply {
  status: number
  body: unknown
  retryAfterMs: number
  /** Monotonic time, to derive the server's clock from the response. */
  requestedAt: number
  receivedAt: number
  /** Of an answer in NDJSON, whose first line is the body: its last line, undefined where it ends without another. */
  more?: Promise<unknown>
}

export interface LinkOptions {
  url: string
  identity: Identity
  clock: ServerClock
  log: Logger
  /** For tests: another than the present one. */
  protocol?: number
}

/** The control plane refuses this agent; a retry would not help. */
export class AgentRefused extends Error {
  override readonly name: string = 'NotAdmitted'
}

/** The control plane does not speak this agent's protocol, until one of the two is upgraded. */
export class ProtocolNotSpoken extends AgentRefused {
  override readonly name = 'ProtocolNotSpoken'
}

interface Access {
  text: string
  renewAt: number
  endsAt: number
}

/** How long an agent waits that is refused for its protocol, when the control plane does not say. */
const refusedMs = 60_000
/** Timeout of a renewal in the background. */
const renewalMs = 15_000

/** The agent's connection to one process of the control plane: enrols, gets and renews access tokens, sends requests. */
export class Link {
  readonly #options: LinkOptions
  readonly #agent = new Agent({
    keepAliveTimeout: 20_000,
    headersTimeout: 60_000,
    bodyTimeout: 60_000,
    connect: { timeout: 10_000 },
  })
  readonly #closed = new AbortController()
  #token: Access | undefined
  #renewing: Promise<string> | undefined
  #backoff = new Backoff(1_000, 15_000)
  /** Until then nothing is sent: the control plane does not speak this agent's protocol. */
  #refused: { until: number; error: ProtocolNotSpoken } | undefined

  constructor(options: LinkOptions) {
    this.#options = options
  }

  /** Resolves once the agent is enrolled, however long the control plane is unreachable. */
  async enrol(region: string, name: string, token: string | undefined, signal: AbortSignal) {
    const { identity, log } = this.#options
    const backoff = new Backoff(500, 15_000)
    while (!identity.agentId && !signal.aborted) {
      if (!token)
        throw new AgentRefused(
          'This agent is not enrolled yet: set ENROLMENT_TOKEN to a one-time token of the control plane.',
        )
      try {
        const proof = identity.enrolmentProof(token, region)
        const body = JSON.stringify({
          protocol: enrolmentProtocol,
          token,
          region,
          name,
          public_key: identity.publicKey,
          proof,
        })
        const reply = await this.#post(agentPaths.enrol, Buffer.from(body), {}, signal)
        if (reply.status === 201) return await identity.enrolledAs(Enrolled.parse(reply.body).agent_id)
        if (reply.status === 401)
          throw new AgentRefused(
            'The enrolment token is unknown, used or expired: ask the control plane for a new one.',
          )
        if (reply.status === 422)
          throw new AgentRefused(`The control plane refuses the enrolment: ${JSON.stringify(reply.body)}`)
        log.warn({ status: reply.status }, 'enrolment deferred')
      } catch (error) {
        if (error instanceof AgentRefused && !(error instanceof ProtocolNotSpoken)) throw error
        if (signal.aborted) return
        if (error instanceof ProtocolNotSpoken) log.debug({ reason: error.message }, 'enrolment deferred')
        else log.warn({ reason: messageOf(error) }, 'enrolment connection failure')
      }
      await backoff.wait(signal)
    }
  }

  /** Sends an authenticated request. Throws when there is no response. */
  post(path: string, body: Buffer, headers: Record<string, string>, signal: AbortSignal): Promise<Reply> {
    return this.#authenticated(signal, authorization => this.#post(path, body, { ...headers, authorization }, signal))
  }

  /** As `post`, without a body. */
  get(path: string, signal: AbortSignal): Promise<Reply> {
    return this.#authenticated(signal, authorization => this.#send('GET', path, undefined, { authorization }, signal))
  }

  async #authenticated(signal: AbortSignal, send: (authorization: string) => Promise<Reply>): Promise<Reply> {
    const reply = await send(`Bearer ${await this.#access(signal)}`)
    if (reply.status !== 401) return reply
    this.#token = undefined
    return send(`Bearer ${await this.#access(signal)}`)
  }

  /** Opens the work stream. With a status other than 200 there is no stream. */
  async openWork(
    signal: AbortSignal,
  ): Promise<{ status: number; stream?: Readable; isGzip: boolean; requestedAt: number }> {
    for (let attempt = 1; ; attempt++) {
      const authorization = `Bearer ${await this.#access(signal)}`
      this.#throwIfRefused()
      const requestedAt = performance.now()
      const { statusCode, headers, body } = await request(`${this.#options.url}${agentPaths.work}`, {
        headers: { ...this.#headers, authorization, accept: 'application/x-ndjson', 'accept-encoding': 'gzip' },
        dispatcher: this.#agent,
        signal,
        headersTimeout: 15_000,
        bodyTimeout: 0,
      })
      if (statusCode === 200)
        return { status: 200, stream: body, isGzip: headers['content-encoding'] === 'gzip', requestedAt }
      if (statusCode === 426) this.#refuse(parse(await body.text()), retryAfterOf(headers['retry-after']))
      else await body.dump()
      if (statusCode !== 401 || attempt > 1) return { status: statusCode, isGzip: false, requestedAt }
      this.#token = undefined
    }
  }

  /**
   * A valid access token. From half of its lifetime on it is renewed in the background, with retries until it expires.
   */
  #access(signal: AbortSignal): Promise<string> {
    const token = this.#token
    const now = performance.now()
    // a renewal in progress has the signal of another request
    if (!token || now >= token.endsAt) return Promise.race([this.#renewOnce(signal), rejectionOf(signal)])
    if (now >= token.renewAt && !this.#renewing) this.#renewAhead(token)
    return Promise.resolve(token.text)
  }

  #renewAhead(token: Access) {
    const deadline = AbortSignal.any([this.#closed.signal, AbortSignal.timeout(renewalMs)])
    this.#renewOnce(deadline).catch(error => {
      token.renewAt = performance.now() + this.#backoff.next()
      if (!this.#closed.signal.aborted)
        this.#options.log.warn({ reason: messageOf(error) }, 'access token renewal failure')
    })
  }

  #renewOnce(signal: AbortSignal): Promise<string> {
    this.#renewing ??= this.#renew(signal).finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  async #renew(signal: AbortSignal): Promise<string> {
    const { clock, identity } = this.#options
    for (let attempt = 1; ; attempt++) {
      const assertion = await identity.assertion(clock.estimate())
      const reply = await this.#post(agentPaths.token, Buffer.from(JSON.stringify({ assertion })), {}, signal)
      if (reply.status === 200) {
        const { access_token, expires_in_s } = AccessToken.parse(reply.body)
        const lifeMs = expires_in_s * 1_000
        // jitter, so that agents started together do not renew together
        const renewAt = reply.requestedAt + lifeMs * (0.45 + 0.1 * Math.random())
        // the server counts whole seconds and rounds down
        this.#token = { text: access_token, renewAt, endsAt: reply.requestedAt + lifeMs - 1_000 }
        this.#backoff = new Backoff(Math.min(1_000, lifeMs / 20), Math.min(15_000, lifeMs / 10))
        return access_token
      }
      // A wrong wall clock gives the assertion a wrong date; the response of the refusal carries the right time.
      if (reply.status === 401 && attempt === 1) continue
      if (reply.status === 401) throw new AgentRefused('The control plane does not know this agent any more.')
      throw new Error(`No access token: status ${reply.status}.`)
    }
  }

  #post(path: string, body: Buffer, headers: Record<string, string>, signal: AbortSignal): Promise<Reply> {
    return this.#send('POST', path, body, { 'content-type': 'application/json', ...headers }, signal)
  }

  async #send(
    method: 'GET' | 'POST',
    path: string,
    body: Buffer | undefined,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Reply> {
    this.#throwIfRefused()
    const requestedAt = performance.now()
    const answer = await request(`${this.#options.url}${path}`, {
      method,
      headers: { ...this.#headers, ...headers },
      body: body ?? null,
      dispatcher: this.#agent,
      signal,
    })
    const receivedAt = performance.now()
    const { date, 'retry-after': retryAfter, 'content-type': type } = answer.headers
    const { text, more } = String(type).startsWith('application/x-ndjson')
      ? await readLines(answer.body)
      : { text: await answer.body.text(), more: undefined }
    if (!this.#options.clock.isSet && typeof date === 'string' && !Number.isNaN(Date.parse(date)))
      this.#options.clock.sync(Date.parse(date), receivedAt, requestedAt, 1_000)
    const parsed = parse(text)
    if (answer.statusCode === 426) this.#refuse(parsed, retryAfterOf(retryAfter))
    return {
      status: answer.statusCode,
      body: parsed,
      retryAfterMs: retryAfterOf(retryAfter),
      requestedAt,
      receivedAt,
      ...(more && { more }),
    }
  }

  get #headers(): Record<string, string> {
    const { protocol = agentProtocol.present } = this.#options
    return {
      [agentHeaders.protocol]: String(protocol),
      [agentHeaders.version]: build,
      [agentHeaders.owners]: '1',
    }
  }

  /** Nothing is sent for a while: results stay in the spool. Logged once each time. */
  #refuse(body: unknown, retryAfterMs: number): never {
    const { data } = ProtocolRefusal.safeParse(body)
    const error = new ProtocolNotSpoken(data?.message ?? 'The control plane does not speak the protocol of this agent.')
    const waitMs = (retryAfterMs || refusedMs) * (0.8 + 0.2 * Math.random())
    this.#refused = { until: performance.now() + waitMs, error }
    this.#options.log.error(
      {
        protocol: this.#options.protocol ?? agentProtocol.present,
        version: build,
        ...(data && { oldest_spoken: data.oldest_spoken, newest_spoken: data.newest_spoken }),
        retry_s: Math.round(waitMs / 1_000),
      },
      `${error.message} Results are kept in the spool until then.`,
    )
    throw error
  }

  #throwIfRefused(): void {
    if (this.#refused && performance.now() < this.#refused.until) throw this.#refused.error
    this.#refused = undefined
  }

  async close() {
    this.#closed.abort()
    await this.#agent.destroy()
  }
}

const rejectionOf = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

export const messageOf = (error: unknown) =>
  error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error)

/** Milliseconds, a minute at most; 0 without the header. */
const retryAfterOf = (header: string | string[] | undefined): number =>
  Number(header) > 0 ? Math.min(Number(header), 60) * 1_000 : 0

const maxLineChars = 8_000_000

async function readLines(body: Readable): Promise<{ text: string; more: Promise<unknown> }> {
  const lines = linesOf(body)
  const first = await lines.next()
  if (first.done) throw new Error('The answer has no line.')
  const rest = async () => {
    let last: unknown
    for await (const line of lines) last = parse(line)
    return last
  }
  // what does not arrive counts as not said
  return { text: first.value, more: rest().catch(() => undefined) }
}

async function* linesOf(body: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk as Buffer, { stream: true })
    if (text.length > maxLineChars) throw new Error('A line of the answer is too long.')
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      const line = text.slice(0, end)
      text = text.slice(end + 1)
      if (line) yield line
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
