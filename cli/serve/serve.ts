import type { RequestListener } from 'node:http'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { build } from '#contract/version.ts'
import { isStoreUnavailable } from '#control-plane/base/away.ts'
import { accessTimeoutMs } from '#control-plane/base/db-timeouts.ts'
import type { Loop } from '#control-plane/base/loop.ts'
import { createMetrics } from '#control-plane/base/metrics.ts'
import { openTracing } from '#control-plane/base/open-tracing.ts'
import { retryQuarantined } from '#control-plane/base/quarantine/retries.ts'
import type { Config } from '#control-plane/config.ts'
import { refusePowerfulRole } from '#control-plane/db/migrate.ts'
import { prepared, rows } from '#control-plane/db/queries.ts'
import type { Ahead } from '#control-plane/http/ahead.ts'
import { dispatcher, type Table } from '#control-plane/http/dispatch.ts'
import { RouteTable } from '#control-plane/http/route-table.ts'
import type { Services } from '#control-plane/http/services.ts'
import { processRoles, reportProcess } from '#control-plane/platform/processes/report.ts'
import { type OpenSite, openSite } from '#control-plane/publishing/status-pages/site/open.ts'
import { type Api, openApi } from './api.ts'
import { Health, sendJson } from './health.ts'
import { type Ingest, openIngest } from './ingest.ts'
import { type Listening, listen } from './listen.ts'
import { createLog } from './log.ts'
import { scrape } from './metrics.ts'
import { sendPlain } from './plain-page.ts'
import { watchRestores } from './restored.ts'
import { retryUntilDone } from './retry.ts'
import { createServices, type OwnServices } from './services.ts'
import { type DurableWork, openDurableWork } from './worker.ts'

export const serveRoles = processRoles
export type ServeRole = (typeof serveRoles)[number]

export interface ControlPlane {
  baseUrl: string
  metricsUrl: string
  services: Services
  health: Health
  /** Ends requests under way within eight seconds, flushes, closes. */
  close(): Promise<void>
}

const connectionsPerAddress = 256
const requestGraceMs = 8_000
/** Requests that wait for the database at a stop are answered 503 after this time. */
const databaseGraceMs = 7_000

interface Options {
  log?: Logger
  onFatal?(error: unknown): void
}

/**
 * The control plane in this process. It listens at once; until PostgreSQL is reached requests are answered 503 and
 * /readyz says why. Rejects when the start can never succeed: a role with too many rights, a port that is taken.
 */
export async function startControlPlane(
  config: Config,
  roles: readonly ServeRole[] = serveRoles,
  { log = createLog(config.logLevel), onFatal = rethrow }: Options = {},
): Promise<ControlPlane> {
  const metrics = createMetrics()
  for (const role of roles) metrics.role.set({ role }, 1)
  const tracing = await openTracing(config.tracing, { log, metrics })
  const services = createServices(config, log, { metrics, tracing })
  const stopping = new AbortController()
  const parts: Parts = { isOpen: false, table: new RouteTable() }
  // status pages are served from their folder before the stores are reached
  if (roles.includes('api') || roles.includes('pages')) parts.site = openSite(services)
  const health = healthOf(services, roles, parts, stopping.signal)
  const handle = handlerOf(services, roles, parts, health)
  const [front, back] = await listenToBoth(services, parts, health, handle)
  const close = async (): Promise<void> => {
    stopping.abort()
    await closeAll(services, parts, front, back)
  }

  const open = async () => {
    await openParts(services, roles, parts)
    parts.reporting ??= reportProcess({ ...services, roles: [...roles], readiness: () => health.readiness() })
  }
  try {
    await open()
  } catch (error) {
    if (!isStoreUnavailable(error)) {
      await close().catch(() => undefined)
      throw error
    }
    log.warn({ err: error }, 'PostgreSQL connection failure, retrying')
    const onFailure = (failure: unknown) => {
      if (!isStoreUnavailable(failure)) onFatal(failure)
    }
    void retryUntilDone(open, { signal: stopping.signal, onFailure }).then(done => {
      if (done) log.info('PostgreSQL connected')
    })
  }
  log.info({ roles, base_url: front.url, metrics_url: back.url }, 'control plane is up')
  return { baseUrl: front.url, metricsUrl: back.url, services, health, close }
}

const rethrow = (error: unknown): never => {
  throw error
}

/** What is open so far. A start that failed half-way is continued from it. */
interface Parts {
  isOpen: boolean
  /** What requests lead to. */
  table: Table
  site?: OpenSite
  api?: Api
  openingIngest?: Promise<Ingest>
  ingest?: Ingest
  durable?: DurableWork
  restores?: Loop
  retrying?: ReturnType<typeof retryQuarantined>
  reporting?: ReturnType<typeof reportProcess>
}

const ask = prepared(null, () => sql`select 1`, { timeoutMs: accessTimeoutMs })

function healthOf(services: OwnServices, roles: readonly ServeRole[], parts: Parts, stopping: AbortSignal): Health {
  const { platform, clickhouse } = services
  const health = new Health()
  const needsStores = roles.some(role => role !== 'pages')
  health.add('postgres', needsStores, async () => {
    if (stopping.aborted) return 'is stopping'
    await rows(platform, ask())
    return parts.isOpen ? null : 'has not been reached since the start'
  })
  // results are taken and decided on without it, and most of the API works
  health.add('clickhouse', false, async () => ((await clickhouse.ping()).success ? null : 'does not answer'))
  if (roles.includes('ingest')) {
    // an ingest process that stands by must not get agents; one that serves the API too must still get callers
    health.add('ingest', !roles.includes('api'), () => (parts.ingest ? parts.ingest.whyNot : 'has not started'))
    if (services.config.ingestUrl !== undefined) health.add('shards', false, () => parts.ingest?.whyAside ?? null)
    health.add('history', false, () => parts.ingest?.whyHistoryWaits ?? null)
    health.add('agents', false, () =>
      parts.ingest?.silentRegions.length ? `no say at the moment: ${parts.ingest.silentRegions.join(', ')}` : null,
    )
  }
  if (roles.includes('worker'))
    health.add('temporal', roles.length === 1, () => (parts.durable ? parts.durable.whyNot() : 'has not started'))
  return health
}

/**
 * Answers every request by one table: health, agents and status pages are entries of it from the beginning, the routes
 * of the API once it is open. What none of them answers is Koa's, and 503 before the start is complete.
 */
function handlerOf({ config }: Services, roles: readonly ServeRole[], parts: Parts, health: Health): RequestListener {
  const { site, table } = parts
  const starting: RequestListener = (request, response) =>
    sendPlain(pathOf(request.url), request, response, {
      status: 503,
      message: 'The service is starting.',
      code: 'unavailable',
      headers: { 'Retry-After': '1', Connection: 'close' },
    })
  const nothing = { status: 404, message: 'There is nothing here.', code: 'not_found' } as const
  const rest: RequestListener = (request, response) => {
    const { api, isOpen } = parts
    if (!isOpen) starting(request, response)
    else if (api) void api.koa(request, response)
    else sendPlain(pathOf(request.url), request, response, nothing)
  }
  const aliveness: Ahead = (request, response) => health.serve(pathOf(request.url), response)
  for (const path of ['/healthz', '/readyz']) table.addFolder(path, { ahead: aliveness })
  if (site) {
    const pages: Ahead = (request, response) => site.site.handle(request, response)
    const { host: ours } = new URL(config.baseUrl)
    table.addHosts(host => host !== ours && site.site.hasHost(host), {
      ahead: (...asked) => aliveness(...asked) || pages(...asked),
    })
    for (const path of ['/status', '/status/']) table.addFolder(path, { ahead: pages })
  }
  if (roles.includes('ingest'))
    table.addFolder('/agent/v1/', {
      ahead(request, response) {
        const handle = parts.ingest?.handle ?? starting
        handle(request, response)
        return true
      },
    })
  return dispatcher(table, rest)
}

/** Opens what the roles need. May be called again after a failure: what is open already stays. */
async function openParts(services: OwnServices, roles: readonly ServeRole[], parts: Parts): Promise<void> {
  const { config, platform, listener, clock, log } = services
  await refusePowerfulRole(config.databaseUrl)
  await refusePowerfulRole(config.platformUrl)
  await clock.stop()
  await clock.start(platform)
  await listener.start()
  // does not wait for the first of these, which asks ClickHouse
  if (roles.includes('ingest'))
    parts.openingIngest ??= openIngest(services).then(ingest => {
      parts.ingest = ingest
      return ingest
    })
  parts.restores ??= await watchRestores(services)
  if (roles.includes('api') && !parts.api) {
    await services.rate.join()
    services.usage.start()
    parts.api = await openApi(services, parts.table)
    const retries = { usage: (tenants: string[]) => services.usage.retry(tenants) }
    parts.retrying ??= retryQuarantined({ platform, listener, log, retries })
  }
  parts.site?.start()
  parts.isOpen = true
  await parts.openingIngest
  if (roles.includes('worker')) parts.durable ??= openDurableWork(services)
}

/** Listens for callers and agents, and on the port of the metrics. */
async function listenToBoth(
  services: OwnServices,
  parts: Parts,
  health: Health,
  handle: RequestListener,
): Promise<[front: Listening, back: Listening]> {
  const { config, metrics } = services
  const ofOneAddress = config.connectionsPerAddress ?? connectionsPerAddress
  const front = await listen({
    host: config.host,
    port: config.port,
    handle,
    limits: { ofOneAddress: config.trustedProxies > 0 ? Number.POSITIVE_INFINITY : ofOneAddress },
    onCut: reason => metrics.connectionsCut.inc({ reason }),
  })
  try {
    const back = await listen({
      host: config.metricsHost,
      port: config.metricsPort,
      handle: metricsHandlerOf(services, parts, health),
    })
    return [front, back]
  } catch (error) {
    await front.close(0)
    await closeStores(services)
    await services.tracing.close()
    throw error
  }
}

function metricsHandlerOf(services: OwnServices, parts: Parts, health: Health): RequestListener {
  return (request, response) => {
    const path = pathOf(request.url)
    if (health.serve(path, response, { build })) return
    if (path !== '/metrics') return sendJson(response, 404, { message: 'There is nothing here.', code: 'not_found' })
    scrape(services, { health, batchesInWork: parts.ingest?.batchesInWork ?? 0 }, response).catch(error => {
      services.log.error({ err: error }, 'metrics failure')
      response.destroy()
    })
  }
}

async function closeAll(services: OwnServices, parts: Parts, front: Listening, back: Listening): Promise<void> {
  // requests that still wait for the database are answered then
  const late = setTimeout(() => services.cutOff.abort(), databaseGraceMs)
  const closed = front.close(requestGraceMs)
  await Promise.all([
    parts.api?.endStreams(),
    parts.openingIngest?.then(ingest => ingest.close()),
    parts.durable?.close(),
    parts.restores?.stop(),
    parts.retrying?.stop(),
    parts.reporting?.stop(),
  ])
  await closed
  await parts.site?.stop()
  await parts.api?.close()
  if (parts.api) await Promise.all([services.rate.leave(), services.usage.stop()])
  await services.listener.stop()
  await services.clock.stop()
  await back.close(0)
  await closeStores(services)
  await services.tracing.close()
  clearTimeout(late)
}

const closeStores = ({ platform, accessPool, clickhouse, bounded }: OwnServices) =>
  Promise.all([platform.end(), accessPool.end(), clickhouse.close(), bounded.close()])

const pathOf = (url = '/') => {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

const stopWithinMs = 9_500

/** `vedette serve`: runs until a signal stops it, then ends in order. */
export async function serve({
  roles,
  config,
  hasAgent = false,
}: {
  roles: readonly ServeRole[]
  config: Config
  /** Whether the agent of one region runs in this process too. */
  hasAgent?: boolean
}): Promise<void> {
  const log = createLog(config.logLevel)
  const die = (error: unknown) => {
    log.fatal({ err: error }, 'the control plane cannot go on')
    process.exit(1)
  }
  // a part of the process may have stopped: a restarted or standby process does better
  for (const event of ['unhandledRejection', 'uncaughtException'] as const)
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, event === 'unhandledRejection' ? 'unhandled rejection' : 'uncaught exception')
      process.exit(1)
    })
  const plane = await startControlPlane(config, roles, { log, onFatal: die })
  // loaded here and not above: the code of all check kinds, which a control plane of its own has no use for
  const agent = hasAgent
    ? (await import('./inner-agent.ts')).openInnerAgent(plane.baseUrl, process.env, log)
    : undefined

  await new Promise<void>(resolve => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
  log.info('stopping')
  setTimeout(() => {
    log.error('stop timeout')
    process.exit(1)
  }, stopWithinMs).unref()
  await agent?.stop()
  await plane.close()
  log.info('stopped')
}
