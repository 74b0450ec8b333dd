import type { IncomingMessage, ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { z } from 'zod'
import { agentHeaders, agentPaths, Beat, Enrol, type Owners } from '#contract/agent.ts'
import { CrawlStep, type CrawlStepReply, crawlLimits, FindingsRequest } from '#contract/crawl.ts'
import { isStoreBusy, isStoreUnavailable } from '#control-plane/base/away.ts'
import { ConcurrencyLimit } from '#control-plane/base/concurrency-limit.ts'
import { observeRequest } from '#control-plane/base/metrics.ts'
import { invalid, overloaded, Refusal, unauthenticated, unavailable } from '#control-plane/base/refusal.ts'
import type { OwnedShards } from '#control-plane/base/shards.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import { writeAnswer, writeRefusal } from '#control-plane/http/answer.ts'
import { bearerOf } from '#control-plane/http/bearer.ts'
import { readJson } from '#control-plane/http/body.ts'
import { fieldErrors } from '#control-plane/http/field-errors.ts'
import { rateKeyOfIp, SlidingWindow, tooMany } from '#control-plane/http/rate.ts'
import { RefusalCounter } from '#control-plane/http/refusal-counter.ts'
import type { Services } from '#control-plane/http/services.ts'
import { clientAddressOf } from '#control-plane/http/stages/address.ts'
import { AccessTokens, type AgentIdentity } from './access-token.ts'
import { protocolOf, protocolRefusal, protocolRefusalText, whyNotSpoken } from './agent-protocol.ts'
import type { AgentRegistry } from './agent-registry.ts'
import { Assertions } from './assertion.ts'
import { enrolAgent } from './enrol.ts'
import type { Regions } from './regions.ts'
import { fenced, type TakeResults } from './results.ts'
import { WorkStream } from './work-stream.ts'

const bodyBytes = 65_536
/** The limit for a body whose sender has not yet proved who it is. */
const proofBytes = 8_192
/**
 * In a minute: failed proofs of one address, and tokens of one agent. Valid proofs are never counted by address.
 */
const most = { failedEnrolments: 60, failedAssertions: 120, tokens: 120 }

const TokenRequest = z.object({ assertion: z.string().max(4_000) })

/** Answers the steps of crawls. */
export interface Crawls {
  step(region: string, step: CrawlStep): Promise<CrawlStepReply>
  /** Undefined: the region does not run this check. */
  findings(region: string, check: string): Promise<Record<string, unknown> | undefined>
}

export interface GatewayParts {
  services: Pick<Services, 'config' | 'clock' | 'platform' | 'log' | 'metrics'>
  agentRegistry: AgentRegistry
  regions: Regions
  results: Record<'take' | 'store', TakeResults>
  crawls: Crawls
  shards: OwnedShards
}

interface Route {
  method: string
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>
}

/** The API of agents: enrolment, tokens, the work stream, beats and results. Plain node:http: the stream stays open. */
export class Gateway {
  readonly #parts: GatewayParts
  readonly #tokens: AccessTokens
  readonly #assertions: Assertions
  readonly #failedEnrolments = new SlidingWindow(20_000)
  readonly #failedAssertions = new SlidingWindow(20_000)
  readonly #refusals: RefusalCounter
  readonly #tokensByAgent = new SlidingWindow(20_000)
  /** Few at once, so that a flood of guessed tokens leaves connections for storing results. */
  readonly #enrolling = new ConcurrencyLimit({ atOnce: 2, waiting: 64 })
  readonly #routes: Record<string, Route> = {
    [agentPaths.enrol]: { method: 'POST', serve: (request, response) => this.#enrol(request, response) },
    [agentPaths.token]: { method: 'POST', serve: (request, response) => this.#sign(request, response) },
    [agentPaths.work]: { method: 'GET', serve: (request, response) => this.#work(request, response) },
    [agentPaths.beat]: { method: 'POST', serve: (request, response) => this.#beat(request, response) },
    [agentPaths.crawl]: { method: 'POST', serve: (request, response) => this.#crawl(request, response) },
    [agentPaths.findings]: { method: 'POST', serve: (request, response) => this.#findings(request, response) },
    [agentPaths.owners]: { method: 'GET', serve: (request, response) => this.#owners(request, response) },
    [agentPaths.results]: { method: 'POST', serve: (request, response) => this.#results('take', request, response) },
    [agentPaths.store]: { method: 'POST', serve: (request, response) => this.#results('store', request, response) },
  }

  constructor(parts: GatewayParts) {
    const { config, clock } = parts.services
    this.#parts = parts
    this.#tokens = new AccessTokens(config.secretKey, () => clock.now(), config.agentTokenLifeS)
    this.#assertions = new Assertions(() => clock.nowMs())
    this.#refusals = new RefusalCounter(parts.services)
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on('error', () => undefined)
    // an agent whose clock is off dates its first results by this
    response.setHeader('Date', this.#parts.services.clock.now().toUTCString())
    try {
      const path = request.url?.split('?')[0] ?? ''
      const route = this.#routes[path]
      if (!route) throw new Refusal(404, 'not_found', 'There is nothing here.')
      // a stream is open for days: its duration is not measured
      if (path !== agentPaths.work) this.#measure(route.method, path, response)
      if (request.method !== route.method)
        throw new Refusal(405, 'method_not_allowed', 'This method is not allowed here.', {
          headers: { Allow: route.method },
        })
      await route.serve(request, response)
    } catch (error) {
      this.#refuse(request, response, error)
    }
  }

  async #enrol(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { services, agentRegistry, regions } = this.#parts
    const sender = this.#senderOf(request)
    if (this.#failedEnrolments.isSpent(sender, most.failedEnrolments, services.clock.nowMs()))
      this.#count(this.#failedEnrolments, sender, most.failedEnrolments)
    const enrolment = await parseBody(request, Enrol, proofBytes)
    const said = protocolOf(request)
    // before the token is used: the agent of the right version needs it
    if (whyNotSpoken(said.protocol) !== null) throw protocolRefusal(said)
    const agent = await this.#enrolling
      .run(() => enrolAgent(services.platform, enrolment))
      .catch(error => {
        if (error instanceof Refusal && error.status === 401)
          this.#count(this.#failedEnrolments, sender, most.failedEnrolments)
        throw error
      })
    await agentRegistry.load()
    regions.refresh()
    services.log.info({ agent, region: enrolment.region }, 'agent enrolled')
    send(response, 201, { agent_id: agent, region: enrolment.region })
  }

  async #sign(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { agentRegistry } = this.#parts
    const { assertion } = await parseBody(request, TokenRequest, proofBytes)
    const id = await this.#assertions.read(assertion, async agent => (await agentRegistry.find(agent))?.key ?? null)
    const agent = id ? await agentRegistry.find(id) : null
    if (!agent) {
      this.#count(this.#failedAssertions, this.#senderOf(request), most.failedAssertions)
      throw unauthenticated()
    }
    this.#count(this.#tokensByAgent, agent.id, most.tokens)
    await this.#refuseProtocol(request, agent)
    await agentRegistry.welcome(agent.id)
    this.#parts.regions.countRefused()
    send(response, 200, {
      access_token: await this.#tokens.sign({ agent: agent.id, region: agent.region }),
      expires_in_s: this.#tokens.lifeS,
    })
  }

  async #work(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { agent, region, session } = await this.#identify(request)
    const { protocol } = protocolOf(request)
    if (!this.#parts.shards.isAll && request.headers[agentHeaders.owners] !== '1') throw onlyOneOwner()
    await this.#parts.regions.open(region, { agent, session, protocol }, () => new WorkStream(request, response, agent))
  }

  async #beat(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const identity = await this.#identify(request)
    const { generation, health } = await parseBody(request, Beat)
    if (!this.#parts.regions.receive(identity, generation, health)) throw fenced()
    send(response, 200, { now_ms: this.#parts.services.clock.nowMs() })
  }

  async #crawl(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { region } = await this.#identifyHolder(request)
    const step = await parseBody(request, CrawlStep, crawlLimits.stepBytes)
    send(response, 200, await this.#parts.crawls.step(region, step))
  }

  async #findings(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { region } = await this.#identifyHolder(request)
    const { check } = await parseBody(request, FindingsRequest)
    const findings = await this.#parts.crawls.findings(region, check)
    if (!findings) throw new Refusal(404, 'not_found', 'This region does not run that check.')
    send(response, 200, { seen: findings })
  }

  async #owners(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.#identify(request)
    const { config, platform } = this.#parts.services
    if (config.ingestUrl === undefined) return send(response, 200, { owners: [] } satisfies Owners)
    const owners = await rows(platform, reachedSql())
    // an agent that had none would take this process for the only one
    if (owners.length === 0) throw unavailable('The shards are being divided.')
    send(response, 200, { owners } satisfies Owners)
  }

  async #results(verb: 'take' | 'store', request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.#parts.results[verb](request, response, await this.#identify(request))
  }

  async #identify(request: IncomingMessage): Promise<AgentIdentity> {
    const { agentRegistry } = this.#parts
    const identity = await this.#tokens.read(bearerOf(request.headers.authorization))
    if (
      !identity ||
      !(await agentRegistry.find(identity.agent)) ||
      !agentRegistry.isTrusted(identity.agent, identity.region)
    )
      throw unauthenticated()
    await this.#refuseProtocol(request, { id: identity.agent, region: identity.region })
    return identity
  }

  /** 426 for an agent of a protocol that is not spoken here; it is recorded for the operator. */
  async #refuseProtocol(request: IncomingMessage, { id, region }: { id: string; region: string }): Promise<void> {
    const said = protocolOf(request)
    const why = whyNotSpoken(said.protocol)
    if (why === null) return
    const { agentRegistry, services } = this.#parts
    if (await agentRegistry.refuse(id, said))
      services.log.error({ agent: id, region, why, alarm: 'agent', ...said }, protocolRefusalText(said))
    this.#parts.regions.countRefused()
    throw protocolRefusal(said)
  }

  /** Only the holder of its region is accepted. */
  async #identifyHolder(request: IncomingMessage): Promise<AgentIdentity> {
    const identity = await this.#identify(request)
    if (this.#parts.regions.generationOf(identity) === null) throw fenced()
    return identity
  }

  #senderOf(request: IncomingMessage): string {
    return rateKeyOfIp(clientAddressOf(request, this.#parts.services.config.trustedProxies))
  }

  #count(window: SlidingWindow, key: string, limit: number): void {
    const counted = window.count(key, limit, this.#parts.services.clock.nowMs())
    if (counted.isRefused) throw tooMany(counted)
  }

  #measure(method: string, route: string, response: ServerResponse): void {
    const started = performance.now()
    response.once('finish', () => {
      const measured = { method, route, status: response.statusCode }
      observeRequest(this.#parts.services.metrics, measured, (performance.now() - started) / 1_000)
    })
  }

  #refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    const { log, clock } = this.#parts.services
    const refusal = refusalOf(error)
    if (refusal.status >= 500)
      log[refusal.status === 503 ? 'warn' : 'error'](
        { err: error, path: request.url?.split('?')[0] },
        'request of an agent failed',
      )
    if (response.headersSent) return void response.destroy()
    const isLast = refusal.status < 500 && this.#refusals.isOneTooMany(request)
    const body = { ...refusal.toJSON(), now_ms: clock.nowMs() }
    writeRefusal(request, response, jsonAnswer(refusal.status, body, refusal.headers), { isLast })
  }
}

/** Owners, and those that would be if agents reached them: an attempt to connect shows that they do. */
const reachedSql = prepared(
  'owners',
  () => sql<Row<'ingest_owners', 'url'>>`
    select url from ingest_owners
    union
    select url from ingest_members
    where stands_aside and noted_at > clock_timestamp() - interval '30 seconds'
      and exists (select 1 from ingest_owners)`,
)

/** An agent of before would leave out the checks of the other owners. */
const onlyOneOwner = () =>
  new Refusal(
    426,
    'one_owner_only',
    'This agent speaks to one ingest process, and several are active: upgrade it to the version of the control plane.',
    { headers: { 'Retry-After': '60' } },
  )

async function parseBody<Schema extends z.ZodType>(
  request: IncomingMessage,
  schema: Schema,
  maxBytes = bodyBytes,
): Promise<z.output<Schema>> {
  const parsed = schema.safeParse(await readJson(request, maxBytes))
  if (!parsed.success) throw invalid(fieldErrors(parsed.error))
  return parsed.data
}

const send = (response: ServerResponse, status: number, body: unknown): void =>
  writeAnswer(response.req, response, jsonAnswer(status, body))

const jsonAnswer = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers: Object.entries({
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    ...headers,
  }).flat(),
  body: JSON.stringify(body),
})

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (isStoreUnavailable(error)) return unavailable('The database is not reachable at the moment.')
  if (isStoreBusy(error)) return overloaded()
  if ((error as { code?: string }).code === 'ECONNRESET') return new Refusal(400, 'aborted', 'The request ended early.')
  return new Refusal(500, 'server_error', 'Server error.')
}
