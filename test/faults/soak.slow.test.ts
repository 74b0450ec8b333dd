import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { EventStreamUnderTest } from '#test/support/event-stream.ts'
import { eventually, System } from '#test/support/system.ts'
import { Site } from '#test/support/target.ts'
import { median } from '../../bench/figures.ts'
import { askClickhouse, missingAndDoubled } from './due-results.ts'

/**
 * The whole system under load while its parts are killed and frozen in turn, for `SOAK_MINUTES`. The control plane and
 * two agents live through all of it: their memory, sockets and files stay flat, and so do the tables that hold work in
 * progress. Memory is judged from half an hour on.
 */
const minutes = Number(process.env.SOAK_MINUTES ?? 2)
const faultEveryMs = minutes < 10 ? 10_000 : 30_000
const sampleEveryMs = minutes < 10 ? 5_000 : 15_000
const regions = ['eu-west', 'us-east', 'ap-south']
/** Whose agents are neither killed nor frozen: every run that is due has its result. */
const spared = ['eu-west']
const monitorCount = 60
const everyMs = 2_000
const lasting = ['control-plane', 'agent-eu-west', 'agent-ap-south']

/** Tables that grow with what happened, until its retention of days is over; all others stay as they are. */
const histories = new Set([
  'audit_entries',
  'audit_links',
  'deliveries',
  'incidents',
  'monitor_changes',
  'notification_decisions',
  'outbox',
  'pings',
  'region_eligibilities',
  'region_gaps',
  'restore_marks',
  'verdict_changes',
])
// kept for a quarter of an hour
if (minutes < 60) histories.add('stream_events')

interface Sample {
  at: number
  parts: Map<string, Usage>
  tables: Map<string, number>
  /** Active parts of ClickHouse. */
  active: number
}
interface Usage {
  mb: number
  sockets: number
  files: number
}

let site: Site
let receiver: Receiver
let system: System
let platform: pg.Pool
const monitors: { id: string; path: string; check: string }[] = []
const samples: Sample[] = []
const faults: string[] = []
let outages = 0
let ping = ''
let token = ''
let refusals = 0

beforeAll(async () => {
  site = await Site.open()
  receiver = await Receiver.open()
  system = await System.start({ regions })
  platform = new pg.Pool({ connectionString: system.environment.DATABASE_PLATFORM_URL ?? '', max: 2 })
  platform.on('error', () => undefined)
  await platform.query(
    `update tenants set feature_overrides = '{"min_check_interval":1,"monitors":null}' where id = $1`,
    [system.local.team.tenant_id],
  )
  const channel = await system.post('/notification-channels', {
    name: 'Ops',
    type: 'webhook',
    config: { url: `${receiver.url}/in`, secret: 'a secret of the soak' },
  })
  expect(channel.status).toBe(201)
  for (let i = 0; i < monitorCount; i++) {
    const path = `/${i}`
    const { id } = await system.addMonitor({ name: path, url: site.url + path, check_interval: 2, timeout: 2 })
    const [check] = (await system.get(`/monitors/${id}/checks`)).body.data
    monitors.push({ id, path, check: check.id })
  }
  const { email, password } = system.local.team
  token = (await system.call('POST', '/auth/token', { email, password, device_name: 'soak' }, '')).body.token
  const cron = await system.post('/cron-monitors', { name: 'Backup', schedule: '* * * * *', grace_minutes: 60 })
  ping = cron.body.data.ping_url
  for (const { id } of monitors) await eventually('up', async () => (await system.monitor(id)).status === 'up')
}, 240_000)
afterAll(async () => {
  await platform?.end()
  await system?.stop()
  await site?.close()
  await receiver?.close()
})

const pidOf = (part: string) => system.partPid(part)

function usageOf(pid: number): Usage {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const files = readdirSync(`/proc/${pid}/fd`).flatMap(fd => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`)
    } catch {
      return []
    }
  })
  return {
    mb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024,
    sockets: files.filter(target => target.startsWith('socket:')).length,
    files: files.length,
  }
}

async function rowsOfTables(): Promise<Map<string, number>> {
  const names = await platform.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and has_table_privilege(oid, 'select')`,
  )
  const counts = names.rows.map(({ name }) => `select '${name}' as name, count(*)::int as rows from public."${name}"`)
  const { rows } = await platform.query<{ name: string; rows: number }>(counts.join(' union all '))
  return new Map(rows.map(({ name, rows }) => [name, rows]))
}

async function sample(): Promise<Sample> {
  const [active] = await askClickhouse<{ parts: string }>(
    system.environment.CLICKHOUSE_URL ?? '',
    'SELECT count() AS parts FROM system.parts WHERE active',
  )
  return {
    at: Date.now(),
    parts: new Map([
      ['supervisor', usageOf(system.pid)],
      ...lasting.map(part => [part, usageOf(pidOf(part))] as const),
    ]),
    tables: await rowsOfTables(),
    active: Number(active?.parts),
  }
}

async function freeze(part: string, ms: number): Promise<void> {
  const pid = pidOf(part)
  process.kill(pid, 'SIGSTOP')
  try {
    await sleep(ms)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}

/** One monitor after the other is down for a while: one incident each. */
async function outage(): Promise<void> {
  const { id, path } = monitors[outages++ % monitors.length]!
  const open = async () => (await system.incidents(id)).filter(incident => incident.resolved_at === null).length
  site.become(outages % 2 ? 'error' : 'reset', path)
  await eventually('an incident', async () => (await open()) === 1, 60_000, 500)
  site.become('up', path)
  await eventually('no incident', async () => (await open()) === 0, 60_000, 500)
}

const turns: Record<string, () => Promise<void>> = {
  'ClickHouse frozen': () => freeze('clickhouse', 4_000),
  'an outage': outage,
  'PostgreSQL killed': () => system.kill('postgres'),
  'an agent killed': () => system.kill('agent-us-east'),
  'the control plane frozen': () => freeze('control-plane', 3_000),
  'an outage while the channel refuses': async () => {
    receiver.answer = (_message, response) => response.writeHead(503).end()
    await outage()
    receiver.answer = (_message, response) => response.writeHead(200).end()
  },
  'ClickHouse killed': () => system.kill('clickhouse'),
  'an agent frozen': () => freeze('agent-ap-south', 4_000),
  'Temporal killed': () => system.kill('temporal'),
}

const openStream = () =>
  EventStreamUnderTest.open(`${system.local.base_url}/api/v1/stream`, { headers: { Authorization: `Bearer ${token}` } })

/** What people and machines do all day, also while a part is away. */
async function use(signal: AbortSignal): Promise<void> {
  for (let nth = 0; !signal.aborted; nth++) {
    const { id } = monitors[nth % monitors.length]!
    const stream = nth % 5 === 0 ? await openStream().catch(() => undefined) : undefined
    const answers = await Promise.all([
      system.get('/monitors?per_page=50').catch(() => undefined),
      system.get(`/monitors/${id}`).catch(() => undefined),
      system.call('PATCH', `/monitors/${id}`, { tags: [`turn-${nth}`] }).catch(() => undefined),
      fetch(ping).then(
        answer => answer.text(),
        () => undefined,
      ),
      fetch(`${system.local.base_url}/app/`).then(
        answer => answer.text(),
        () => undefined,
      ),
    ])
    for (const answer of answers) if (typeof answer === 'object' && answer.status >= 500) refusals++
    stream?.leave()
    await sleep(1_000)
  }
}

/** How much the median of the last quarter is above that of the second. */
function growthOf(read: (sample: Sample) => number): { from: number; to: number; by: number } {
  const quarter = Math.max(1, Math.floor(samples.length / 4))
  const [from, to] = [median(samples.slice(quarter, 2 * quarter).map(read)), median(samples.slice(-quarter).map(read))]
  return { from: Math.round(from), to: Math.round(to), by: to - from }
}

test(
  `${minutes} minutes under load and faults: no result missing or doubled, no false incident, memory, sockets and tables flat`,
  async () => {
    const over = new AbortController()
    const using = use(over.signal)
    const fromMs = Math.ceil(Date.now() / everyMs) * everyMs
    const end = performance.now() + minutes * 60_000
    let [faultAt, sampleAt] = [performance.now() + faultEveryMs / 2, 0]
    while (performance.now() < end) {
      if (performance.now() >= faultAt) {
        const [name, fault] = Object.entries(turns)[faults.length % Object.keys(turns).length]!
        faults.push(name)
        await fault()
        faultAt = performance.now() + faultEveryMs
        sampleAt = Math.max(sampleAt, performance.now() + 3_000)
      }
      if (performance.now() >= sampleAt) {
        const taken = await sample().catch(() => undefined)
        if (taken) samples.push(taken)
        sampleAt = performance.now() + sampleEveryMs
      }
      await sleep(200)
    }
    over.abort()
    await using
    const toMs = Math.floor((Date.now() - 4_000) / everyMs) * everyMs
    const due = { checks: monitors.map(({ check }) => check), regions: spared, everyMs, fromMs, toMs }
    const grid = () => missingAndDoubled(system.environment.CLICKHOUSE_URL ?? '', due)
    await eventually('all due results', async () => (await grid()).missing === 0, 60_000, 1_000).catch(() => undefined)
    const found = await grid()
    const usage = [...(samples[0]?.parts.keys() ?? [])].map(part => ({
      part,
      mb: growthOf(({ parts }) => parts.get(part)!.mb),
      sockets: growthOf(({ parts }) => parts.get(part)!.sockets),
      files: growthOf(({ parts }) => parts.get(part)!.files),
    }))
    const tables = [...(samples.at(-1)?.tables.keys() ?? [])]
      .map(table => ({ table, rows: growthOf(({ tables }) => tables.get(table) ?? 0) }))
      .filter(({ rows }) => rows.by !== 0)
    const active = growthOf(sample => sample.active)
    const grown = ({ from, to }: { from: number; to: number }) => `${from} to ${to}`
    console.log(
      `soak ${minutes} min, ${faults.length} faults, ${outages} outages: of ${found.expected} results ${found.missing} ` +
        `missing, ${found.doubled} doubled; ${usage
          .map(
            ({ part, mb, sockets, files }) =>
              `${part} ${grown(mb)} MB, ${grown(sockets)} sockets, ${grown(files)} files`,
          )
          .join(
            '; ',
          )}; ClickHouse ${grown(active)} parts; ${refusals} requests refused while a part was away; tables: ` +
        tables.map(({ table, rows }) => `${table} ${grown(rows)}`).join(', '),
    )
    expect(found).toMatchObject({ missing: 0, doubled: 0 })
    const { rows: incidents } = await platform.query<{ count: number }>('select count(*)::int as count from incidents')
    expect(incidents[0]?.count).toBe(outages)
    for (const { part, mb, sockets, files } of usage) {
      expect(sockets.by, `sockets of ${part}`).toBeLessThan(10)
      expect(files.by, `files of ${part}`).toBeLessThan(15)
      if (minutes >= 30) expect(mb.to / mb.from, `memory of ${part}`).toBeLessThan(1.1)
    }
    expect(active.to).toBeLessThan(300)
    const growing = tables.filter(({ table, rows }) => !histories.has(table) && rows.by > Math.max(20, rows.from / 10))
    expect(growing).toEqual([])
  },
  (minutes + 10) * 60_000,
)
