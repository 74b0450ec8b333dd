import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { agentPaths, Beat, Enrol } from '#contract/agent.ts'
import { CrawlStep, type CrawlStepReply, crawlLimits, FindingsRequest } from '#contract/crawl.ts'
import { isStoreBusy, isStoreUnavailable } from '#control-plane/base/away.ts'
import { ConcurrencyLimit } from '#control-plane/base/bounded.ts'
import { invalid, overloaded, Refusal, unauthenticated, unavailable } from '#control-plane/base/refusal.ts'
import { writeAnswer, writeRefusal } from '#control-plane/http/answer.ts'
import { bearerOf } from '#control-plane/http/bearer.ts'
import { readJson } from '#control-plane/http/body.ts'
import { fieldErrors } from '#control-plane/http/field-errors.ts'
import { rateKeyOfIp, SlidingWindow, tooMany } from '#control-plane/http/rate.ts'
import { RefusalCounter } from '#control-plane/http/refusal-counter.ts'
import type { Services } from '#control-plane/http/services.ts'
import { clientAddressOf } from '#control-plane/http/stages/address.ts'
import { AccessTokens, type AgentIdentity } from './access-token.ts'
import type { AgentRegistry } from './agent-registry.ts'
import { Assertions } from './assertion.ts'
import { enrolAgent } from './enrol.ts'
import type { Regions } from './regions.ts'
import { WorkStream } from './work-stream.ts'

const bodyBytes = 65_536
/** The limit for a body whose sender has not yet proved who it is. */
const proofBytes = 8_192
/**
 * In a minute: failed proofs of one address, and tokens of one agent. Valid proofs are never counted by address.
 */
const most = { failedEnrolments: 60, failedAssertions: 120, tokens: 120 }

const TokenRequest = z.object({ assertion: z.string().max(4_000) })

/** Takes a batch of results from an agent that has proved who it is. */
export type TakeResults = (request: IncomingMessage, response: ServerResponse, identity: AgentIdentity) => Promise<void>

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
  takeResults: TakeResults
  crawls: Crawls
}

/** The API of agents: enrolment, tokens, the work stream, beats and results. Plain node:http: the stream stays open. */
export function createGateway({ services, agentRegistry, regions, takeResults, crawls }: GatewayParts) {
  const { clock, platform, log, metrics } = services
  const tokens = new AccessTokens(services.config.secretKey, () => clock.now(), services.config.agentTokenLifeS)
  const assertions = new Assertions(() => clock.nowMs())
  const failedEnrolments = new SlidingWindow(20_000)
  const failedAssertions = new SlidingWindow(20_000)
  const refusals = new RefusalCounter(services)
  const tokensByAgent = new SlidingWindow(20_000)
  /** Few at once, so that a flood of guessed tokens leaves connections for storing results. */
  const enrolling = new ConcurrencyLimit({ atOnce: 2, waiting: 64 })

  const count = (window: SlidingWindow, key: string, limit: number) => {
    const counted = window.count(key, limit, clock.nowMs())
    if (counted.isRefused) throw tooMany(counted)
  }
  const senderOf = (request: IncomingMessage) => rateKeyOfIp(clientAddressOf(request, services.config.trustedProxies))

  async function identify(request: IncomingMessage): Promise<AgentIdentity> {
    const identity = await tokens.read(bearerOf(request.headers.authorization))
    if (
      !identity ||
      !(await agentRegistry.find(identity.agent)) ||
      !agentRegistry.isTrusted(identity.agent, identity.region)
    )
      throw unauthenticated()
    return identity
  }

  /** Only the holder of its region is accepted. */
  async function identifyHolder(request: IncomingMessage): Promise<AgentIdentity> {
    const identity = await identify(request)
    if (regions.generationOf(identity) === null) throw new Refusal(409, 'fenced', 'Another agent holds this region.')
    return identity
  }

  const routes: Record<string, { method: string; serve: TakeRequest }> = {
    [agentPaths.enrol]: {
      method: 'POST',
      async serve(request, response) {
        const sender = senderOf(request)
        if (failedEnrolments.isSpent(sender, most.failedEnrolments, clock.nowMs()))
          count(failedEnrolments, sender, most.failedEnrolments)
        const enrolment = await parseBody(request, Enrol, proofBytes)
        const agent = await enrolling
          .run(() => enrolAgent(platform, enrolment))
          .catch(error => {
            if (error instanceof Refusal && error.status === 401) count(failedEnrolments, sender, most.failedEnrolments)
            throw error
          })
        await agentRegistry.load()
        regions.refresh()
        log.info({ agent, region: enrolment.region }, 'agent enrolled')
        send(response, 201, { agent_id: agent, region: enrolment.region })
      },
    },
    [agentPaths.token]: {
      method: 'POST',
      async serve(request, response) {
        const { assertion } = await parseBody(request, TokenRequest, proofBytes)
        const id = await assertions.read(assertion, async agent => (await agentRegistry.find(agent))?.key ?? null)
        const agent = id ? await agentRegistry.find(id) : null
        if (!agent) {
          count(failedAssertions, senderOf(request), most.failedAssertions)
          throw unauthenticated()
        }
        count(tokensByAgent, agent.id, most.tokens)
        send(response, 200, {
          access_token: await tokens.sign({ agent: agent.id, region: agent.region }),
          expires_in_s: tokens.lifeS,
        })
      },
    },
    [agentPaths.work]: {
      method: 'GET',
      async serve(request, response) {
        const { agent, region, session } = await identify(request)
        await regions.open(region, { agent, session }, () => new WorkStream(request, response, agent))
      },
    },
    [agentPaths.beat]: {
      method: 'POST',
      async serve(request, response) {
        const identity = await identify(request)
        const { generation, health } = await parseBody(request, Beat)
        if (!regions.receive(identity, generation, health))
          throw new Refusal(409, 'fenced', 'Another agent holds this region.')
        send(response, 200, { now_ms: clock.nowMs() })
      },
    },
    [agentPaths.crawl]: {
      method: 'POST',
      async serve(request, response) {
        const { region } = await identifyHolder(request)
        send(response, 200, await crawls.step(region, await parseBody(request, CrawlStep, crawlLimits.stepBytes)))
      },
    },
    [agentPaths.findings]: {
      method: 'POST',
      async serve(request, response) {
        const { region } = await identifyHolder(request)
        const { check } = await parseBody(request, FindingsRequest)
        const findings = await crawls.findings(region, check)
        if (!findings) throw new Refusal(404, 'not_found', 'This region does not run that check.')
        send(response, 200, { seen: findings })
      },
    },
    [agentPaths.results]: {
      method: 'POST',
      serve: async (request, response) => takeResults(request, response, await identify(request)),
    },
  }

  function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    const refusal = refusalOf(error)
    if (refusal.status >= 500)
      log[refusal.status === 503 ? 'warn' : 'error'](
        { err: error, path: request.url?.split('?')[0] },
        'request of an agent failed',
      )
    if (response.headersSent) return void response.destroy()
    const isLast = refusal.status < 500 && refusals.isOneTooMany(request)
    const body = { ...refusal.toJSON(), now_ms: clock.nowMs() }
    writeRefusal(request, response, jsonAnswer(refusal.status, body, refusal.headers), { isLast })
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    request.on('error', () => undefined)
    const started = performance.now()
    // an agent whose clock is off dates its first results by this
    response.setHeader('Date', clock.now().toUTCString())
    try {
      const path = request.url?.split('?')[0] ?? ''
      const route = routes[path]
      if (!route) throw new Refusal(404, 'not_found', 'There is nothing here.')
      // a stream is open for days: its duration is not measured
      if (route !== routes[agentPaths.work])
        response.once('finish', () => {
          const labels = { method: route.method, route: path, status: String(response.statusCode) }
          metrics.requests.observe(labels, (performance.now() - started) / 1_000)
        })
      if (request.method !== route.method)
        throw new Refusal(405, 'method_not_allowed', 'This method is not allowed here.', {
          headers: { Allow: route.method },
        })
      await route.serve(request, response)
    } catch (error) {
      refuse(request, response, error)
    }
  }
}
export type Gateway = ReturnType<typeof createGateway>

type TakeRequest = (request: IncomingMessage, response: ServerResponse) => Promise<void>

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
