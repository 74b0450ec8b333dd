import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { newCertificate } from '#test/control-plane/identity/sso/saml/test-provider.ts'
import { blockedIn, mostBlockedMs, watchedLoop } from '#test/support/loop.ts'
import { eventually, System } from '#test/support/system.ts'
import { Site } from '#test/support/target.ts'
import { claim, median, quantile, round } from './figures.ts'
import { attacks, type World } from './hostile/attacks.ts'
import { usageOf } from './processes.ts'

/**
 * The damage that one stranger or customer can do: the most expensive known input of each open endpoint and check
 * kind, one attack after the other, beside an honest caller and three regions that watch.
 */
const seconds = Number(process.env.HOSTILE_SECONDS ?? 30)
/** Words that name the attacks to be made; all of them when left out. */
const only = process.argv.slice(2)
const restS = 5
/**
 * Measured after remote writes, garbage of 96 MB was collected 14 s after: what is there after so long is taken for
 * kept.
 */
const collectedS = 30
const growthMb = 100
/** Half-seconds of an attack in which the event loop may be blocked for longer: each attack is made far more often. */
const rare = 2
const targets = 'targets of a customer'

const paths = ['/monitors?per_page=10', '/incidents?per_page=10', '/dashboard/stats']

/** One who asks ten times a second from an address of their own, whether the answer before has come or not. */
class HonestCaller {
  readonly took: number[] = []
  failed = 0
  readonly #asked: Promise<void>[] = []
  readonly #timer: NodeJS.Timeout

  constructor(port: number, tokens: readonly string[]) {
    let n = 0
    this.#timer = setInterval(() => {
      const [path, token] = [paths[n % paths.length]!, tokens[n % tokens.length]!]
      n++
      this.#asked.push(this.#ask(port, path, token))
    }, 100)
  }

  async end(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(this.#asked)
  }

  async #ask(port: number, path: string, token: string): Promise<void> {
    const began = performance.now()
    const status = await new Promise<number>(resolve => {
      request(
        {
          port,
          host: '127.0.0.1',
          localAddress: '127.0.0.77',
          path: `/api/v1${path}`,
          headers: { Authorization: `Bearer ${token}` },
          agent: false,
        },
        answer => {
          answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
        },
      )
        .once('error', () => resolve(0))
        .end()
    })
    this.took.push(performance.now() - began)
    if (status !== 200) this.failed++
  }
}

const program = (name: string) => join(import.meta.dirname, 'hostile', `${name}.ts`)

async function endOf(child: ChildProcess): Promise<unknown> {
  const said = once(child, 'message')
  child.send('stop')
  const [last] = await Promise.race([said, once(child, 'exit')])
  return last
}

/**
 * By how much a process is larger than before: as soon as that is within a limit, or after the time in which garbage
 * is collected.
 */
async function growthMbOf(pid: number, beforeMb: number, limitMb: number): Promise<number> {
  const until = performance.now() + (collectedS - restS) * 1_000
  while (residentMb(pid) - beforeMb >= limitMb && performance.now() < until) await sleep(1_000)
  return residentMb(pid) - beforeMb
}

const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024

console.log(
  `      load of the machine before: ${round(loadavg()[0] ?? 0)} on ${availableParallelism()} processors; beside other work these figures say little`,
)
const watched = await Site.open()
const loopSocket = join(tmpdir(), `vedette-hostile-${process.pid}`)
const system = await System.start({ env: { LOG_LEVEL: 'warn', ...watchedLoop(loopSocket) } })
const platform = new pg.Pool({ connectionString: system.environment.DATABASE_PLATFORM_URL ?? '', max: 1 })
const site = fork(program('site'))
try {
  const port = Number(new URL(system.local.base_url).port)
  const [{ port: sitePort }] = (await once(site, 'message')) as [{ port: number }]
  await platform.query(`update tenants set plan = 'pro', feature_overrides = $2 where id = $1`, [
    system.local.team.tenant_id,
    { min_check_interval: 1, monitors: null, sso: true },
  ])
  for (let n = 0; n < 20; n++)
    await system.addMonitor({ name: `site ${n}`, url: `${watched.url}/${n}`, check_interval: 5 })
  const sessions = await sessionsOf(25)
  const world = await makeWorld(port, sessions[0]!)
  await eventually(
    'all sites up',
    async () =>
      (await platform.query(`select from monitors where type = 'website' and status is distinct from 'up'`))
        .rowCount === 0,
    60_000,
  )

  const planePid = system.partPid('control-plane')
  const isWanted = (name: string) => only.length === 0 || only.some(word => name.includes(word))
  /** The processor time of the control plane in a second without an attack. */
  let defaultCpu = 0
  await measure('nothing', async () => {
    await sleep(seconds * 1_000)
    return { sent: 0 }
  })
  const defaultMb = residentMb(planePid)
  for (const name of Object.keys(attacks).filter(isWanted)) {
    const child = fork(program('attacker'), [name, JSON.stringify(world)])
    await once(child, 'message')
    await measure(name, async () => {
      child.send('begin')
      await sleep(seconds * 1_000)
      return (await endOf(child)) as { sent: number }
    })
  }
  if (isWanted(targets)) {
    const made = await addTargets(`http://127.0.0.1:${sitePort}`)
    await measure(targets, async () => {
      await sleep(2 * seconds * 1_000)
      return { sent: 0 }
    })
    for (const id of made) await system.call('DELETE', `/monitors/${id}`)
  }
  claim(
    'memory of the control plane, growth by all of them',
    await growthMbOf(planePid, defaultMb, 2 * growthMb),
    'under',
    2 * growthMb,
    ' MB',
  )

  async function measure(name: string, attackOnce: () => Promise<{ sent: number } | undefined>): Promise<void> {
    const honest = new HonestCaller(port, sessions)
    const [cpuBefore, memoryBefore] = [cpuOf(), residentMb(planePid)]
    const watching = new AbortController()
    const watch = watchPlane(watching.signal)
    const requestsBefore = watched.log.length
    const began = performance.now()
    const sent = (await attackOnce())?.sent ?? 0
    const tookS = (performance.now() - began) / 1_000
    const cpuS = cpuOf() - cpuBefore
    await honest.end()
    await sleep(restS * 1_000)
    watching.abort()
    const [{ ineligible, lagMs, blocks }, runs] = [await watch, watched.log.length - requestsBefore]
    const growth = await growthMbOf(planePid, memoryBefore, growthMb)
    if (name === 'nothing') defaultCpu = cpuS / tookS
    const each = Math.max(0, (1_000 * (cpuS - defaultCpu * tookS)) / sent)
    console.log(
      `\n${name}: ${sent > 0 ? `${sent} sent, ${round(sent / tookS)} a second, ${round(each)} ms of the control plane each, beside what it computes anyway; ` : ''}control plane ${round((100 * cpuS) / tookS)} % of a processor, honest p50 ${round(median(honest.took))} ms of ${honest.took.length}, event loop p99 ${round(lagMs)} ms late, ${runs} runs meanwhile`,
    )
    claim(`${name}: honest p99`, quantile(honest.took, 0.99), 'under', 100, ' ms')
    claim(`${name}: event loop of the API, blocked in ${rare + 1} half-seconds`, blocks, 'under', mostBlockedMs, ' ms')
    claim(`${name}: honest answers other than 200`, honest.failed, 'under', 1)
    claim(`${name}: moments at which a region was ineligible`, ineligible.length, 'under', 1)
    for (const each of new Set(ineligible)) console.log(`      ${each}`)
    claim(`${name}: growth of memory, ${restS} to ${collectedS} s after`, growth, 'under', growthMb, ' MB')
  }

  /**
   * At which moments a region was ineligible, how late the event loop was at its latest, and for how much processor
   * time it was blocked, beside a few half-seconds in which it collects garbage or compiles code.
   */
  async function watchPlane(signal: AbortSignal): Promise<{ ineligible: string[]; lagMs: number; blocks: number }> {
    const ineligible: string[] = []
    const blocks: number[] = []
    let lagMs = 0
    await blockedIn(loopSocket, planePid)
    for (; !signal.aborted; await sleep(500)) {
      blocks.push(await blockedIn(loopSocket, planePid))
      const metrics = await system.metrics()
      lagMs = Math.max(lagMs, 1_000 * (metrics.get('vedette_nodejs_eventloop_lag_p99_seconds') ?? 0))
      for (const [name, value] of metrics)
        if (/^vedette_agents\{/.test(name) && !name.includes('"ok"') && value > 0)
          ineligible.push(`${value} of ${name}`)
    }
    return { ineligible, lagMs, blocks: blocks.sort((a, b) => b - a)[rare] ?? 0 }
  }

  function cpuOf(): number {
    return (usageOf(system.pid).byPart.get('control plane') ?? []).reduce((sum, { cpuS }) => sum + cpuS, 0)
  }
} finally {
  await platform.end()
  await endOf(site)
  await system.stop()
  await watched.close()
}

/** Sessions enough that an honest caller stays below the rate of each. */
async function sessionsOf(count: number): Promise<string[]> {
  const { email, password } = system.local.team
  const tokens: string[] = []
  for (let n = 0; n < Math.min(count, 8); n++)
    tokens.push((await system.post('/auth/token', { email, password, device_name: `honest ${n}` }, '')).body.token)
  return tokens
}

async function makeWorld(port: number, session: string): Promise<World> {
  const made = async (path: string, body: unknown) => {
    const answer = await system.post(path, body)
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const server = await made('/agent-monitors', { name: 'server' })
  const cron = await made('/cron-monitors', { name: 'job', schedule: '0 * * * *' })
  const monitors = await system.get('/monitors?per_page=1')
  const monitor: string = monitors.body.data[0].id
  const page = (await made('/status-pages', { name: 'Acme', slug: 'hostile', state: 'published' })).data
  const posts: string[] = []
  for (let n = 0; n < 10; n++) {
    const text = 'https://a.b?('.repeat(700)
    posts.push((await made(`/status-pages/${page.id}/posts`, { title: 'x', body: text })).data.id)
  }
  const migrationOf = async (provider: string): Promise<string> => (await made('/migrations', { provider })).data.id
  return {
    port,
    serverToken: server.plain_text_token,
    tenantToken: session,
    resellerToken: system.local.reseller.token,
    pingPath: new URL(cron.data.ping_url).pathname,
    badgePath: `/api/badges/${monitor}`,
    relayStates: await beginSignIns(port, 40),
    page: { slug: page.slug, id: page.id, post: posts[0] ?? '' },
    monitor,
    migrations: {
      csv: await migrationOf('csv'),
      gatus: await migrationOf('gatus'),
      'uptime-kuma': await migrationOf('uptime-kuma'),
    },
  }
}

/** Sign-ins at a SAML provider of the team, begun by strangers of several addresses. */
async function beginSignIns(port: number, count: number): Promise<string[]> {
  const { cert } = await newCertificate()
  const provider = { issuer: 'https://idp.example.com/saml', sign_in_url: 'https://idp.example.com/sso' }
  const config = { protocol: 'saml', ...provider, certificates: [cert], is_enabled: true }
  const set = await system.call('PATCH', '/sso/config', config)
  if (set.status !== 200) throw new Error(`/sso/config answered ${set.status}: ${JSON.stringify(set.body)}`)
  const { rows } = await platform.query('select slug from tenants where id = $1', [system.local.team.tenant_id])
  const states: string[] = []
  for (let n = 0; n < count; n++) {
    const asked = request({
      port,
      host: '127.0.0.1',
      localAddress: `127.88.0.${1 + (n % 8)}`,
      path: `/sso/login?team=${rows[0].slug}`,
      agent: false,
    }).end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    answer.resume()
    const state = new URL(answer.headers.location ?? '/', 'http://localhost').searchParams.get('RelayState')
    if (state === null) throw new Error(`The sign-in answered ${answer.statusCode} ${answer.headers.location}.`)
    states.push(state)
  }
  return states
}

/** Monitors of one customer, each of whose runs costs an agent as much as one can. */
async function addTargets(base: string): Promise<string[]> {
  const headers = Object.fromEntries(
    Array.from({ length: 20 }, (_, n) => [
      `x-token-${n}`,
      Array.from({ length: 600 }, (_, i) => `${n}${i.toString(36).padStart(4, 'q')}`)
        .join(' ')
        .slice(0, 4_000),
    ]),
  )
  const contains = {
    source: 'body',
    property: '',
    comparison: 'contains',
    target: `${'a'.repeat(250)}b${'a'.repeat(249)}`,
  }
  const equals = { source: 'json', property: 'list', comparison: 'equals', target: 'b' }
  const wanted = [
    { path: '/drip', type: 'uptime', settings: {} },
    { path: '/chunks', type: 'uptime', settings: { keyword_present: 'x' } },
    { path: '/letters', type: 'uptime', settings: { headers, assertions: Array(20).fill(contains) } },
    { path: '/list', type: 'uptime', settings: { assertions: Array(20).fill(equals) } },
    { path: '/health', type: 'application_health', settings: {} },
    { path: '/cookies', type: 'security_headers', settings: {}, interval: 60 },
    { path: '/', type: 'robots_txt', settings: {}, interval: 60 },
    { path: '/', type: 'sitemap', settings: { path: '/sitemap.xml' }, interval: 300 },
  ]
  const made: string[] = []
  for (const { path, interval = 5, ...check } of wanted)
    for (let n = 0; n < 5; n++) {
      const { id } = await system.addMonitor({
        name: `expensive ${path} ${n}`,
        url: base + path,
        check_interval: interval,
        timeout: 5,
        checks: [check],
      })
      made.push(id)
    }
  return made
}
