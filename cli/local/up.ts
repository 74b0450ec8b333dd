import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { freemem } from 'node:os'
import { delimiter, join, relative, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { main, nodeFlags, runCommand } from '#cli/command.ts'
import { exitCodes, messageOf, StartFault } from '#cli/fault.ts'
import { whenOrphaned } from '#cli/program/ancestors.js'
import { heapFlags, restsIdle, youngMemory } from '#cli/program/heap-flags.js'
import { bundleFolder } from '#cli/program/place.ts'
import { regionName } from '#contract/agent.ts'
import { build } from '#contract/version.ts'
import { setupLinkMinutes } from '#control-plane/platform/setup/link.ts'
import { denyFileEntry, isForThisMachine, isLoopbackHost } from '#egress/deny.ts'
import { baseUrlFor, dialable, placesOf } from './addresses.ts'
import { keepAlive, readPulse } from './demo/pulse.ts'
import { defaultSitesPort, serveSites } from './demo/sites.ts'
import { prepareSetup } from './first-operator.ts'
import { loadKeys, writePrivately } from './keys.ts'
import { type Accounts, localFile, Prepared, readAccounts, writeLocal } from './local.ts'
import { type Environment, type LockedFolder, lockFolder } from './locked-folder.ts'
import { answers, findPort, readinessMs, until } from './loopback.ts'
import { OwnPorts } from './own-ports.ts'
import { type Show, showFor } from './show.ts'
import { startClickHouse, startPostgres, startTemporal, withoutSecrets } from './stores.ts'
import { Supervisor, sayWaitingMs, stopLeftovers } from './supervise.ts'
import { buildWeb } from './web.ts'

export interface UpOptions {
  data: string
  port: number
  regions: string[]
  /** One region, whose agent runs inside the control plane's process. */
  isSmall: boolean
  isJson: boolean
  withDemo: boolean
  withTemporalUi: boolean
  /** From the sources: the app with hot reload, and a new start of what changes. */
  isDevelopment?: boolean
  /** Lets a debugger attach to the control plane, at port 9229 of this machine. */
  isInspected?: boolean
}

interface Context {
  options: UpOptions
  env: NodeJS.ProcessEnv
  dataDir: string
  show: Show
  folderLock: LockedFolder
  supervisor: Supervisor
  ownPorts: OwnPorts
}

export const defaultRegions = ['eu-west', 'us-east', 'ap-south']

const root = join(import.meta.dirname, '..', '..')
const loopbackRanges = '127.0.0.0/8,::1/128'

/** Runs everything on one machine, each part in its own process, until a signal stops it in order. */
export async function up(options: UpOptions, env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const began = performance.now()
  const stopAsked = Promise.withResolvers<string>()
  const show = showFor({ isJson: options.isJson, isTty: process.stdout.isTTY === true && !env.CI })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopAsked.resolve(signal))
  process.once('disconnect', () => stopAsked.resolve('the end of its parent'))
  process.channel?.unref()
  const forgetNpm = whenOrphaned(env.VEDETTE_ANCESTORS, () => stopAsked.resolve('the end of npm'))
  process.on('SIGHUP', () => {
    if (isOnTerminal()) return stopAsked.resolve('SIGHUP')
    // the terminal of a start by `nohup` is gone, and npm with it, which no `nohup` protects
    forgetNpm()
    show.note('the terminal is gone; the start goes on')
  })

  const dataDir = resolve(options.data)
  checkRegions(options)
  metricsPortIn(env)
  makeFolder(dataDir)
  const folderLock = lockFolder(dataDir)
  const leftovers = await stopLeftovers(dataDir)
  if (leftovers.length > 0) show.note(`an earlier start was killed; stopped what it had left: ${leftovers.join(', ')}`)
  const ownPorts = new OwnPorts(ownPortsFile(dataDir))
  const supervisor = new Supervisor({ dataDir, show, ownPorts })

  const stopAll = async () => {
    await supervisor.stop()
    folderLock.release()
    show.end()
  }
  const started = start({ options, env, dataDir, show, folderLock, supervisor, ownPorts })
  started.catch(() => {}) // reported below, unless a stop came first
  try {
    const reason = await Promise.race([started.then(() => stopAsked.promise), stopAsked.promise])
    show.note(`stopping after ${reason}`)
    const stopping = performance.now()
    await stopAll()
    show.event('stopped', { seconds: since(stopping), ran_seconds: since(began) })
    if (!options.isJson)
      process.stdout.write(`  stopped  in ${since(stopping)} s; everything is kept in ${shorten(dataDir)}\n`)
  } catch (error) {
    await stopAll()
    throw error
  }
}

async function start(context: Context): Promise<void> {
  const { options, env, dataDir, folderLock, supervisor } = context
  const began = performance.now()
  const { keys, isNew } = loadKeys(dataDir)
  showMachine(context, isNew)
  const web = options.isDevelopment ? Promise.resolve(undefined) : prepareWeb(context)
  web.catch(() => {}) // awaited below, unless a store fails first

  forgetLostStores(context)
  const temporal = await startTemporal(context, { withUi: options.withTemporalUi })
  const [database, clickhouse] = await Promise.all([startPostgres(context, keys), startClickHouse(context, keys)])
  const places = await findPlaces(context)
  const stores = [database.databaseUrl, database.ownerUrl, clickhouse, `temporal://${temporal.address}`, temporal.uiUrl]
  const egress = await egressFor(context, places, stores, temporal.ports)
  const { host, port, metricsPort, agentPorts, anchor, baseUrl } = places
  const environment: Environment = {
    DATABASE_URL: database.databaseUrl,
    DATABASE_PLATFORM_URL: database.platformUrl,
    CLICKHOUSE_URL: clickhouse,
    TEMPORAL_ADDRESS: temporal.address,
    PORT: String(port),
    HOST: host,
    METRICS_PORT: String(metricsPort),
    BASE_URL: baseUrl,
    SECRET_KEY: env.SECRET_KEY || keys.secret_key,
    PAGES_FOLDER: join(dataDir, 'status-pages'),
    PURGED_TEAMS_LIST: env.PURGED_TEAMS_LIST || join(dataDir, 'purged-teams.jsonl'),
    ...egress,
    DATA_DIR: dataDir,
    SAMPLE_SITES_URL: places.sites,
    ...((await web) && { WEB_FOLDER: await web }),
  }
  const asOwner = { ...environment, DATABASE_OWNER_URL: database.ownerUrl }
  folderLock.publish(asOwner)

  const { accounts, enrolments } = await bringUpToDate(context, asOwner)
  const agents = { url: `http://${dialable(host)}:${port}`, egress, anchor, metricsPorts: agentPorts, enrolments }
  const plane = startControlPlane(context, environment, agents)
  await Promise.race([plane, isListening(metricsPort, supervisor.signal)])
  const setupStores = { DATABASE_PLATFORM_URL: database.platformUrl, BASE_URL: baseUrl }
  const starting = options.isSmall
    ? [{ region: options.regions[0] ?? '', started: plane.then(() => awaitInnerAgent(context, agents)) }]
    : startAgents(context, agents)
  for (const { started } of starting) started.catch(() => {}) // reported below, unless the control plane fails first
  const [setupUrl, missing] = await Promise.all([
    prepareSetup({ ...env, ...environment, ...setupStores }, supervisor.signal),
    plane.then(() => awaitAgents(context, starting)),
  ])
  // only what waits for hours needs it
  const temporalState = await Promise.race([
    temporal.settled,
    temporal.isFetched
      ? sleep(0, 'obtained in the background' as const)
      : sleep(temporalPatienceMs, 'still starting' as const, { signal: supervisor.signal, ref: false }),
  ])
  if (supervisor.signal.aborted) return

  const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`
  writeLocal(dataDir, {
    ...accounts,
    base_url: baseUrl,
    metrics_url: metricsUrl,
    temporal_ui_url: temporal.uiUrl,
    regions: options.regions,
  })
  if (options.isDevelopment) await develop(context, places)
  if (options.withDemo) await fillDemo(context, asOwner)
  void keepAlive(dataDir, agents.url, supervisor.signal)
  showReady(context, {
    host,
    missing,
    fields: {
      base_url: baseUrl,
      docs_url: `${baseUrl}/api/docs`,
      metrics_url: metricsUrl,
      temporal: temporalState,
      waiting_for: missing.map(region => `agent-${region}`),
      temporal_ui_url: temporal.uiUrl,
      local_file: localFile(dataDir),
      setup_url: setupUrl,
      seconds: since(began),
    },
  })
}

function showMachine({ env, dataDir, show }: Context, isNew: boolean): void {
  show.head(
    `vedette ${build}    data in ${shorten(dataDir)}${isNew ? '    (first start: making keys and accounts)' : ''}`,
  )
  show.ready({
    part: 'node',
    title: `Node.js ${process.versions.node}`,
    note: `${gigabytes(freemem())} free memory, ${freeDisk(dataDir)} free disk`,
  })
  if (!isOnPath('ping', env.PATH))
    show.note('ICMP ping is off: `ping` was not found. Debian: apt-get install iputils-ping')
}

/** Builds the app in the browser where it was not built from these files before; its folder. */
async function prepareWeb({ env, show }: Context): Promise<string> {
  const began = performance.now()
  show.starting({ part: 'web', title: 'Web UI' })
  const { folder, isNew } = await buildWeb(env)
  show.ready({ part: 'web', title: 'Web UI', how: isNew ? 'built once' : 'kept', seconds: since(began) })
  return folder
}

/** Serves the app from its sources before the control plane, and restarts what changes. */
async function develop({ supervisor, show }: Context, { host, port, appPort }: Places): Promise<void> {
  const { restartOnChange, serveApp } = await import('./dev.ts')
  const began = performance.now()
  await serveApp({ port: appPort, host, target: new URL(`http://${dialable(host)}:${port}`) })
  restartOnChange(supervisor, show, supervisor.signal)
  show.ready({ part: 'web', title: 'Web UI', how: 'from its sources', seconds: since(began) })
}

/** Where the parts listen on this machine. */
interface Places {
  host: string
  port: number
  /** Where browsers find the app: in development a port of its own, before that of the control plane. */
  appPort: number
  metricsPort: number
  /** The port of each agent's metrics, by region. */
  agentPorts: Record<string, number>
  /** The URL of the agents' self-check. */
  anchor: string
  /** The URL of the sample sites of the demo. */
  sites: string
  baseUrl: string
}

async function findPlaces({ options, env, dataDir, show, ownPorts }: Context): Promise<Places> {
  const host = env.HOST || '127.0.0.1'
  const wishedMetrics = metricsPortIn(env)
  const appPort = await findPort(options.port, host)
  const port = options.isDevelopment ? await findPort(appPort + 1, host) : appPort
  const metricsPort = await findPort(wishedMetrics ?? 9_464)
  // 0 asks for any port
  for (const [wished, found, whose] of [
    [options.port, appPort, ''],
    [wishedMetrics, metricsPort, ' of the metrics'],
  ] as const)
    if (wished && found !== wished) show.note(`port ${wished}${whose} is taken: using ${found}`)
  const agentPorts: Record<string, number> = {}
  for (const region of options.regions) agentPorts[region] = await findPort(9_470)
  const baseUrl = (env.BASE_URL || baseUrlFor(host, appPort)).replace(/\/$/, '')
  // monitors of a demo name the port
  const sitesPort = await findPort(
    Number(new URL(readPulse(dataDir)?.sites ?? `http://sites:${defaultSitesPort}`).port),
  )
  const { url: sites } = await serveSites(sitesPort)
  ownPorts.admit(sitesPort)
  return { host, port, appPort, metricsPort, agentPorts, anchor: await openAnchor(), sites, baseUrl }
}

/** The port that METRICS_PORT names; undefined where it names none. Programs that scrape it know no other. */
function metricsPortIn({ METRICS_PORT: text = '' }: NodeJS.ProcessEnv): number | undefined {
  if (text === '') return undefined
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Infinity
  if (port <= 65_535) return port
  throw new StartFault('config', `METRICS_PORT is ${text}`, 'A port is a number from 0 to 65535.', 'unset METRICS_PORT')
}

/**
 * What checks may reach: no part of this installation. `stores`: their URLs. `ports`: further ports of theirs. Those
 * that a part chooses itself, such as the inner ones of Temporal, are in a file that follows them.
 */
async function egressFor(
  { env, dataDir }: Context,
  { host, port, appPort, metricsPort, agentPorts, anchor, sites, baseUrl }: Places,
  stores: Parameters<typeof placesOf>[0],
  ports: number[],
): Promise<{ EGRESS_ALLOW: string; EGRESS_DENY: string }> {
  const listening = [port, appPort, metricsPort, ...Object.values(agentPorts), new URL(anchor).port, ...ports]
  const own = [...listening, ...(await placesOf(stores)), denyFileEntry(ownPortsFile(dataDir))]
  // on a machine of one's own the first sites to check are one's own; where others sign in, they are not theirs
  const isOwn = isForThisMachine(host, baseUrl, Number(env.TRUSTED_PROXIES || 0))
  return {
    // the sample sites are there for all teams
    EGRESS_ALLOW: [env.EGRESS_ALLOW ?? (isOwn ? loopbackRanges : ''), new URL(sites).host].filter(Boolean).join(','),
    EGRESS_DENY: [...new Set([env.EGRESS_DENY, ...own.map(String)])].filter(Boolean).join(','),
  }
}

const ownPortsFile = (dataDir: string) => join(dataDir, 'own-ports')

interface Ready {
  host: string
  /** Regions whose agent still starts. */
  missing: string[]
  fields: {
    base_url: string
    docs_url: string
    metrics_url: string
    temporal: string
    /** Parts that still start. */
    waiting_for: string[]
    temporal_ui_url: string | null
    local_file: string
    /** Makes the operator and the first team; null where there is an operator. */
    setup_url: string | null
    seconds: number
  }
}

function showReady({ options, env, dataDir, show }: Context, { host, missing, fields }: Ready): void {
  const dataArgument = options.data === '.data' ? '' : ` --data ${shorten(dataDir)}`
  show.block(
    [
      `Open       ${fields.base_url}    ${reachOf(host, env)}`,
      ...(fields.setup_url
        ? [`Create your account (link works once, ${setupLinkMinutes} min): ${fields.setup_url}`]
        : [`Sign in    ${fields.base_url}/login`]),
      `Programs   ${shorten(fields.local_file)}    accounts and a token, readable by you alone`,
      `API        ${fields.docs_url}    metrics  ${fields.metrics_url}`,
      ...(['obtained in the background', 'still starting'].includes(fields.temporal)
        ? [
            `Temporal   is ${fields.temporal}: trials, purges and later delivery attempts wait for it; ` +
              'its line follows',
          ]
        : []),
      ...(missing.length > 0
        ? [`Agents     of ${missing.join(', ')} still start, and check nothing until then; their lines follow`]
        : []),
      ...(fields.temporal_ui_url ? [`Temporal   ${fields.temporal_ui_url}    without sign-in`] : []),
      `Logs       ${shorten(join(dataDir, 'logs'))}`,
      ...(env.SMTP_URL
        ? []
        : ['Mail       is kept here: GET /api/v1/caught-mails as the operator; SMTP_URL and MAIL_FROM let it leave']),
      ...(options.withDemo
        ? []
        : [`Try it     node cli/vedette.js demo${dataArgument}    fills a sample reseller with 90 days of data`]),
      '',
      `ready in ${fields.seconds} s. Ctrl-C stops everything cleanly.`,
    ],
    fields,
  )
}

/** Migrates both stores, creates missing accounts, and one-time tokens for agents without an identity. */
async function bringUpToDate(
  { options, env, dataDir, show, supervisor }: Context,
  environment: Environment,
): Promise<{ accounts: Accounts; enrolments: Record<string, string> }> {
  const began = performance.now()
  const known = readAccounts(dataDir)
  const strangers = options.regions.filter(region => !isEnrolled(agentFolder(dataDir, region)))
  const stamp = schemaStamp(environment, options.regions)
  // external stores may have changed, so they are always examined
  const isOurs = !env.DATABASE_URL && !env.CLICKHOUSE_URL
  if (isOurs && known && strangers.length === 0 && stamp === readStamp(dataDir)) {
    show.ready({ part: 'schema', title: 'Database schema', note: 'up to date', seconds: since(began) })
    return { accounts: known, enrolments: {} }
  }
  show.starting({ part: 'schema', title: 'Database schema' })
  const ended = await runCommand(
    [
      'prepare',
      '--regions',
      options.regions.join(','),
      ...(known ? [] : ['--seed']),
      ...(strangers.length > 0 ? ['--enrol', strangers.join(',')] : []),
    ],
    { ...env, ...environment },
    supervisor.signal,
  )
  supervisor.signal.throwIfAborted()
  if (ended.code !== 0)
    throw new StartFault(
      ended.code === exitCodes.config ? 'config' : 'migration',
      'the stores could not be brought up to date',
      lastLines(ended.stderr),
      `the logs are in ${shorten(join(dataDir, 'logs'))}`,
      'or go back to the version that made this data',
    )
  const { migrations, accounts = known, enrolments } = Prepared.parse(JSON.parse(ended.stdout))
  if (!accounts)
    throw new StartFault('migration', 'the first accounts were not made', 'The command that makes them said nothing.')
  writePrivately(stampFile(dataDir), { schema: stamp })
  show.ready({
    part: 'schema',
    title: 'Database schema',
    note: noteOf(migrations, known === undefined),
    seconds: since(began),
  })
  return { accounts, enrolments }
}

function noteOf(migrations: string[], isFirst: boolean): string {
  if (migrations.length === 0) return 'up to date'
  return isFirst ? 'created' : `${migrations.length} migration${migrations.length === 1 ? '' : 's'} applied`
}

/** Deletes the stored state about stores that no longer exist: accounts, the schema stamp, identities of agents. */
function forgetLostStores({ env, dataDir }: Context) {
  const isLost = (given: string | undefined, folder: string) => !given && !existsSync(join(dataDir, folder))
  const isDatabaseLost = isLost(env.DATABASE_URL, 'postgres')
  if (isDatabaseLost || isLost(env.CLICKHOUSE_URL, 'clickhouse')) rmSync(stampFile(dataDir), { force: true })
  if (isDatabaseLost)
    for (const path of [localFile(dataDir), join(dataDir, 'agents')]) rmSync(path, { recursive: true, force: true })
}

const isListening = (metricsPort: number, signal: AbortSignal) =>
  until(async () => (await answers(`http://127.0.0.1:${metricsPort}/healthz`, readinessMs)) !== undefined, { signal })

const stampFile = (dataDir: string) => join(dataDir, 'schema.json')

function readStamp(dataDir: string): unknown {
  try {
    return JSON.parse(readFileSync(stampFile(dataDir), 'utf8')).schema
  } catch {
    return undefined
  }
}

/** A stamp of all migrations, the addresses of the stores and the regions. An equal stamp means nothing to do. */
function schemaStamp({ DATABASE_URL = '', CLICKHOUSE_URL = '' }: Environment, regions: string[]): string {
  const hash = createHash('sha256')
  for (const folder of ['control-plane/db', 'analytics/schema'])
    for (const file of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort())
      if (/\.(sql|ts)$/.test(file)) hash.update(file).update(readFileSync(join(root, folder, file)))
  return hash.update(JSON.stringify([new URL(DATABASE_URL).host, new URL(CLICKHOUSE_URL).host, regions])).digest('hex')
}

/** Threads of the control plane give memory back as the process does. */
const threads = bundleFolder ? ['--import', pathToFileURL(join(bundleFolder, 'thread.mjs')).href] : []

/** A small young generation instead of `youngMemory`, for few requests. */
const smallMemory = ['--max-semi-space-size=4', '--optimize-for-size']
/** A check of an agent takes a sixth less of the processor than with `smallMemory`, and a busy agent 25 MB more. */
const agentMemory = '--max-semi-space-size=8'
/**
 * What is freed of 16 KB and more goes back at once: between smaller pieces 28 MB stay that the start has used. Each
 * such piece is a call of the system, which many requests would feel.
 */
const smallAllocations = { MALLOC_MMAP_THRESHOLD_: '16384' }

/** Starts the control plane, and inside it the agent of a small system. */
async function startControlPlane(context: Context, environment: Environment, agents: Agents): Promise<void> {
  const { options, env, show, supervisor } = context
  const [region = ''] = options.regions
  const [memory, agent, agentEnv] = options.isSmall
    ? [
        [...smallMemory, restsIdle],
        ['--agent'],
        { ...smallAllocations, ...prefixed('AGENT_', settingsOfAgent(context, region, agents)) },
      ]
    : [[youngMemory, ...heapFlags], [], {}]
  const began = performance.now()
  show.starting({ part: 'control-plane', title: 'Control plane' })
  await supervisor.start({
    name: 'control-plane',
    title: 'Control plane',
    command: process.execPath,
    args: [...nodeFlags, ...(options.isInspected ? ['--inspect'] : []), ...memory, ...threads, main, 'serve', ...agent],
    env: { ...env, ...environment, ...agentEnv },
    stopSignal: 'SIGTERM',
    stage: 1,
    stopMs: 5_000,
    isReady: async () =>
      (await answers(`http://127.0.0.1:${environment.METRICS_PORT}/readyz`, readinessMs))?.status === 200,
  })
  show.ready({
    part: 'control-plane',
    title: 'Control plane',
    address: environment.BASE_URL ?? '',
    seconds: since(began),
    pid: supervisor.pidOf('control-plane'),
  })
}

interface Agents {
  url: string
  egress: { EGRESS_ALLOW: string; EGRESS_DENY: string }
  anchor: string
  metricsPorts: Record<string, number>
  enrolments: Record<string, string>
}

/** Settings of an agent, wherever it runs. Its self-check requests this process, which is always up with it. */
const settingsOfAgent = ({ env, dataDir }: Context, region: string, { anchor, metricsPorts, enrolments }: Agents) => ({
  REGION: region,
  DATA_DIR: agentFolder(dataDir, region),
  METRICS_PORT: String(metricsPorts[region]),
  ANCHORS: [anchor, env.ANCHORS].filter(Boolean).join(','),
  ...(enrolments[region] && { ENROLMENT_TOKEN: enrolments[region] }),
})

const prefixed = (prefix: string, settings: Record<string, string>) =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [prefix + name, value]))

interface StartingAgent {
  region: string
  /** Resolves when the agent works, however long that takes. */
  started: Promise<void>
}

/** Starts one agent for each region, each in a process of its own. */
function startAgents(context: Context, agents: Agents): StartingAgent[] {
  const { options, env, show, supervisor } = context
  const { url, egress, metricsPorts } = agents
  const startAgent = async (region: string) => {
    const began = performance.now()
    const metricsPort = metricsPorts[region]
    show.starting({ part: `agent-${region}`, title: `Agent ${region}` })
    await supervisor.start({
      name: `agent-${region}`,
      title: `Agent ${region}`,
      command: process.execPath,
      args: [...nodeFlags, agentMemory, ...heapFlags, main, 'probe'],
      env: {
        ...withoutSecrets(env),
        // compiled code that was read from it stays in memory: a twelfth of an agent, which starts as fast without it
        ...(bundleFolder && { NODE_COMPILE_CACHE: undefined }),
        VEDETTE_URL: url,
        ...egress,
        ...settingsOfAgent(context, region, agents),
      },
      stopSignal: 'SIGTERM',
      stage: 0,
      yields: true,
      stopMs: 2_500,
      // the other regions go on without it
      tries: Number.POSITIVE_INFINITY,
      isReady: () => isActive(metricsPort),
    })
    show.ready({
      part: `agent-${region}`,
      title: `Agent ${region}`,
      address: `127.0.0.1:${metricsPort}`,
      seconds: since(began),
      pid: supervisor.pidOf(`agent-${region}`),
    })
  }
  return options.regions.map(region => ({ region, started: startAgent(region) }))
}

const isActive = async (metricsPort: number | undefined) =>
  /^vedette_agent_active 1$/m.test((await answers(`http://127.0.0.1:${metricsPort}/metrics`, readinessMs))?.body ?? '')

/** How long the start waits for agents once the control plane serves, and in the end for Temporal: it can be used. */
const agentPatienceMs = 30_000
const temporalPatienceMs = 10_000

/** Waits until all agents work, or long enough; the regions whose agent still starts then. */
async function awaitAgents({ show, supervisor }: Context, agents: StartingAgent[]): Promise<string[]> {
  const missing = new Set(agents.map(({ region }) => region))
  const all = Promise.all(agents.map(({ region, started }) => started.then(() => missing.delete(region))))
  await Promise.race([all, sleep(agentPatienceMs, undefined, { signal: supervisor.signal, ref: false })])
  all.catch(error => {
    if (supervisor.signal.aborted) return
    const [region = ''] = missing
    const fault = error instanceof StartFault ? error : undefined
    const why = [messageOf(error), fault?.why].filter(Boolean).join('. ')
    show.failed({ part: `agent-${region}`, title: `Agent ${region}`, why, fixes: fault?.fixes ?? [] })
  })
  return [...missing]
}

/** Waits for the agent that the control plane's process has started in itself. */
async function awaitInnerAgent(
  { options, dataDir, show, supervisor }: Context,
  { metricsPorts }: Agents,
): Promise<void> {
  const [region = ''] = options.regions
  const [part, title, metricsPort] = [`agent-${region}`, `Agent ${region}`, metricsPorts[region]]
  const began = performance.now()
  show.starting({ part, title })
  const log = join(dataDir, 'logs', 'control-plane.log')
  const why = 'it runs inside the control plane'
  const saying = setInterval(() => show.waiting({ part, title, seconds: since(began), why, log }), sayWaitingMs)
  const isReady = await until(() => isActive(metricsPort), { signal: supervisor.signal })
  clearInterval(saying)
  if (!isReady) return
  show.ready({
    part,
    title,
    note: 'inside the control plane',
    address: `127.0.0.1:${metricsPort}`,
    seconds: since(began),
  })
}

/** Opens a URL that answers as long as this process runs. */
async function openAnchor(): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(204).end())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

async function fillDemo({ env, show, supervisor }: Context, environment: Environment): Promise<void> {
  const began = performance.now()
  show.starting({ part: 'demo', title: 'Demo' })
  const { code, stdout, stderr } = await runCommand(['demo'], { ...env, ...environment }, supervisor.signal)
  if (code === 0)
    show.ready({
      part: 'demo',
      title: 'Demo',
      note:
        stdout
          .trim()
          .split('\n')
          .at(-1)
          ?.replace(/^demo: /, '') ?? '',
      seconds: since(began),
    })
  else show.failed({ part: 'demo', title: 'Demo', why: lastLines(stderr), fixes: ['node cli/vedette.js demo'] })
}

/** Whether a terminal is at one of the three ends: `nohup` and services have none. */
const isOnTerminal = () => [process.stdin, process.stdout, process.stderr].some(stream => stream.isTTY)

function reachOf(host: string, env: NodeJS.ProcessEnv): string {
  if (isLoopbackHost(host)) return '(this machine only; HOST=0.0.0.0 and BASE_URL open it to others)'
  return `(listens on ${host}${env.BASE_URL ? '' : '; set BASE_URL to the address people use'})`
}

const isOnPath = (program: string, path = '') =>
  path.split(delimiter).some(folder => folder !== '' && existsSync(join(folder, program)))
const agentFolder = (dataDir: string, region: string) => join(dataDir, 'agents', region)
function isEnrolled(folder: string) {
  try {
    return 'agent_id' in JSON.parse(readFileSync(join(folder, 'identity.json'), 'utf8'))
  } catch {
    return false
  }
}
const lastLines = (text: string) => text.trim().split('\n').slice(-6).join(' | ') || 'It said nothing.'
const since = (began: number) => Math.round((performance.now() - began) / 100) / 10
const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`

function checkRegions({ regions, isSmall }: UpOptions) {
  if (isSmall && regions.length > 1)
    throw new StartFault(
      'config',
      `--small runs one region, not ${regions.length}`,
      'Its agent shares the process of the control plane.',
      'npm start -- --small --regions eu-west',
      'npm start -- --regions eu-west,us-east,ap-south',
    )
  const wrong = regions.filter(region => !regionName.safeParse(region).success)
  if (wrong.length > 0 || regions.length === 0)
    throw new StartFault(
      'config',
      `${wrong.join(', ') || 'an empty list'} cannot name regions`,
      'A region is named by lower-case letters, digits and single hyphens.',
      'npm start -- --regions eu-west,us-east,ap-south',
    )
  if (new Set(regions).size < regions.length)
    throw new StartFault(
      'config',
      'a region is named twice',
      'Each region has one agent here.',
      'npm start -- --regions eu-west,us-east,ap-south',
    )
}

function makeFolder(dataDir: string) {
  try {
    // root's PostgreSQL runs as another user, who must be able to pass; everything in it is closed by itself
    mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
    process.umask(0o077)
  } catch (error) {
    throw new StartFault('config', `${dataDir} cannot be made`, messageOf(error), 'npm start -- --data ANOTHER_FOLDER')
  }
}

function freeDisk(folder: string) {
  const { bavail, bsize } = statfsSync(folder)
  return gigabytes(bavail * bsize)
}

/** The path relative to the current folder, if shorter. */
function shorten(path: string) {
  const short = relative(process.cwd(), path)
  return short === '' ? '.' : short.startsWith('..') ? path : short
}
