import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import { Agent, request } from 'undici'
import { AccessToken, agentPaths, Enrolled, enrolmentProtocol } from '#contract/agent.ts'
import { Backoff } from './backoff.ts'
import type { ServerClock } from './clock.ts'
import type { Identity } from './identity.ts'

export interface Reply {
  status: number
  body: unknown
  retryAfterMs: number
  /** Of the monotonic clock, for reading the server's clock off the answer. */
  askedAt: number
  heardAt: number
}

export interface LinkOptions {
  url: string
  identity: Identity
  clock: ServerClock
  log: Logger
}

/** The control plane does not want this agent: another try would not change that. */
export class NotAdmitted extends Error {
  override readonly name = 'NotAdmitted'
}

interface Access {
  text: string
  renewAt: number
  endsAt: number
}

/** Of a renewal that nobody waits for. */
const renewalMs = 15_000

/** This agent's line to the control plane: enrols, gets access tokens and renews them, and posts. */
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

  constructor(options: LinkOptions) {
    this.#options = options
  }

  /** Returns when the control plane knows this agent, however long it is away. */
  async enrol(region: string, name: string, token: string | undefined, signal: AbortSignal) {
    const { identity, log } = this.#options
    const backoff = new Backoff(500, 15_000)
    while (!identity.agentId && !signal.aborted) {
      if (!token)
        throw new NotAdmitted(
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
          throw new NotAdmitted('The enrolment token is unknown, used or expired: ask the control plane for a new one.')
        if (reply.status === 422)
          throw new NotAdmitted(`The control plane refuses the enrolment: ${JSON.stringify(reply.body)}`)
        log.warn({ status: reply.status }, 'enrolment is not possible now')
      } catch (error) {
        if (error instanceof NotAdmitted) throw error
        if (signal.aborted) return
        log.warn({ reason: messageOf(error) }, 'the control plane cannot be reached for enrolment')
      }
      await backoff.wait(signal)
    }
  }

  /** Posts as this agent. Throws when there was no answer. */
  async post(path: string, body: Buffer, headers: Record<string, string>, signal: AbortSignal): Promise<Reply> {
    const reply = await this.#post(
      path,
      body,
      { ...headers, authorization: `Bearer ${await this.#access(signal)}` },
      signal,
    )
    if (reply.status !== 401) return reply
    this.#token = undefined
    return this.#post(path, body, { ...headers, authorization: `Bearer ${await this.#access(signal)}` }, signal)
  }

  /** Opens the work stream. A status other than 200 comes without a stream. */
  async openWork(
    signal: AbortSignal,
  ): Promise<{ status: number; stream?: Readable; isGzip: boolean; askedAt: number }> {
    for (let attempt = 1; ; attempt++) {
      const authorization = `Bearer ${await this.#access(signal)}`
      const askedAt = performance.now()
      const { statusCode, headers, body } = await request(`${this.#options.url}${agentPaths.work}`, {
        headers: { authorization, accept: 'application/x-ndjson', 'accept-encoding': 'gzip' },
        dispatcher: this.#agent,
        signal,
        headersTimeout: 15_000,
        bodyTimeout: 0,
      })
      if (statusCode === 200)
        return { status: 200, stream: body, isGzip: headers['content-encoding'] === 'gzip', askedAt }
      await body.dump()
      if (statusCode !== 401 || attempt > 1) return { status: statusCode, isGzip: false, askedAt }
      this.#token = undefined
    }
  }

  /** A token that is good now. From half of its life on it is renewed beside the work, again and again until it ends. */
  #access(signal: AbortSignal): Promise<string> {
    const token = this.#token
    const now = performance.now()
    if (!token || now >= token.endsAt) return this.#renewOnce(signal)
    if (now >= token.renewAt && !this.#renewing) this.#renewAhead(token)
    return Promise.resolve(token.text)
  }

  #renewAhead(token: Access) {
    const patience = AbortSignal.any([this.#closed.signal, AbortSignal.timeout(renewalMs)])
    this.#renewOnce(patience).catch(error => {
      token.renewAt = performance.now() + this.#backoff.next()
      if (!this.#closed.signal.aborted) this.#options.log.warn({ reason: messageOf(error) }, 'access token not renewed')
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
      const assertion = await identity.assertion(clock.bestGuess())
      const reply = await this.#post(agentPaths.token, Buffer.from(JSON.stringify({ assertion })), {}, signal)
      if (reply.status === 200) {
        const { access_token, expires_in_s } = AccessToken.parse(reply.body)
        const lifeMs = expires_in_s * 1_000
        // not at the very half, lest agents that started together all come together
        const renewAt = reply.askedAt + lifeMs * (0.45 + 0.1 * Math.random())
        // the server counts in whole seconds, of which the first has begun
        this.#token = { text: access_token, renewAt, endsAt: reply.askedAt + lifeMs - 1_000 }
        this.#backoff = new Backoff(Math.min(1_000, lifeMs / 20), Math.min(15_000, lifeMs / 10))
        return access_token
      }
      // A wrong wall clock dates the assertion wrongly; the refusal itself has told the right time.
      if (reply.status === 401 && attempt === 1) continue
      if (reply.status === 401) throw new NotAdmitted('The control plane does not know this agent any more.')
      throw new Error(`No access token: status ${reply.status}.`)
    }
  }

  async #post(path: string, body: Buffer, headers: Record<string, string>, signal: AbortSignal): Promise<Reply> {
    const askedAt = performance.now()
    const answer = await request(`${this.#options.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      dispatcher: this.#agent,
      signal,
    })
    const heardAt = performance.now()
    const text = await answer.body.text()
    const { date, 'retry-after': retryAfter } = answer.headers
    if (!this.#options.clock.isSet && typeof date === 'string' && !Number.isNaN(Date.parse(date)))
      this.#options.clock.heard(Date.parse(date), heardAt, askedAt, 1_000)
    return {
      status: answer.statusCode,
      body: parse(text),
      retryAfterMs: Number(retryAfter) > 0 ? Math.min(Number(retryAfter), 60) * 1_000 : 0,
      askedAt,
      heardAt,
    }
  }

  async close() {
    this.#closed.abort()
    await this.#agent.destroy()
  }
}

export const messageOf = (error: unknown) =>
  error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
