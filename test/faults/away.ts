import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { obtainTemporal, temporalPart } from '#cli/local/embedded/temporal.ts'
import { findPort } from '#cli/local/loopback.ts'
import { showFor } from '#cli/local/show.ts'
import { Supervisor } from '#cli/local/supervise.ts'
import { selfSigned } from '#test/checks/certificates.ts'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { startClickhouse } from '#test/support/clickhouse.ts'
import { MailServer } from '#test/support/mail-server.ts'
import { confirmRecipients } from '#test/support/recipients.ts'
import { ArchiveProxy, TcpProxy } from '#test/support/store-proxy.ts'
import { eventually, System } from '#test/support/system.ts'
import { Site } from '#test/support/target.ts'
import { missingAndDoubled } from './due-results.ts'

/** The ways in which a store is away, or nearly so, that no alert may wait for. */
export const awayStores = [
  'ClickHouse refused',
  'ClickHouse frozen',
  'ClickHouse no quorum',
  'ClickHouse full',
  'ClickHouse slow',
  'Temporal refused',
  'Temporal frozen',
] as const
export type AwayStore = (typeof awayStores)[number]

export interface AwayTally {
  store: AwayStore
  outages: number
  /** From the outage's start to the incident's row, in milliseconds. */
  found: number[]
  /** To its webhook, and to its mail. */
  notified: number[]
  mailed: number[]
  /** Results of the time without the store. */
  expected: number
  missing: number
  doubled: number
  /** Incidents of sites that were well, and further ones of one outage; the same of webhooks. */
  falseIncidents: number
  /** How long after the store's return all results were stored. */
  drainedMs: number
}

interface Wish {
  store: AwayStore
  minutes: number
  /** How long after one outage the next one begins. */
  everyS: number
  /** What else happens while the store is away. */
  meanwhile?: (scene: AwayScene) => Promise<void>
}

interface Monitored {
  id: string
  check: string
  path: string
}

const regions = ['eu-west', 'us-east', 'ap-south']
const intervalS = 10
const lastsS = 25
/** An alert later than this counts as missed. */
export const inTimeMs = 15_000

/** `npm start` with a ClickHouse and a Temporal that can be taken away, and a team that is notified by webhook and mail. */
export class AwayScene {
  readonly system: System
  readonly archive: ArchiveProxy
  readonly platform: pg.Pool
  readonly receiver: Receiver
  readonly monitors: Monitored[] = []
  readonly #site: Site
  readonly #mails: { at: number; subject: string }[] = []
  readonly #temporal: TcpProxy
  readonly #ends: (() => unknown)[]
  #next = 0

  private constructor(
    system: System,
    parts: { archive: ArchiveProxy; receiver: Receiver; site: Site; mails: MailServer; temporal: TcpProxy },
    ends: (() => unknown)[],
  ) {
    this.system = system
    this.archive = parts.archive
    this.receiver = parts.receiver
    this.#site = parts.site
    parts.mails.onTaken = ({ mail }) => void this.#mails.push({ at: Date.now(), subject: mail.subject ?? '' })
    this.#temporal = parts.temporal
    this.#ends = ends
    this.platform = new pg.Pool({ connectionString: system.environment.DATABASE_PLATFORM_URL ?? '', max: 2 })
    this.platform.on('error', () => undefined)
  }

  static async open(sites: number): Promise<AwayScene> {
    const ends: (() => unknown)[] = []
    try {
      const clickhouse = await startClickhouse()
      ends.unshift(() => clickhouse.stop())
      const archive = await ArchiveProxy.open(clickhouse.url('vedette'))
      ends.unshift(() => archive.close())
      const temporal = await TcpProxy.open(await startTemporal(ends))
      ends.unshift(() => temporal.close())
      const [site, receiver, mails] = await Promise.all([
        Site.open(),
        Receiver.open(),
        selfSigned({ names: ['localhost'] }).then(certificate => MailServer.open({ certificate, encryption: 'none' })),
      ])
      ends.unshift(
        () => site.close(),
        () => receiver.close(),
        () => mails.close(),
      )
      const system = await System.start({
        regions,
        env: {
          CLICKHOUSE_URL: archive.url,
          TEMPORAL_ADDRESS: temporal.address,
          SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
          MAIL_FROM: 'alerts@vedette.example',
          LOG_LEVEL: 'warn',
        },
      })
      ends.unshift(() => system.stop())
      const scene = new AwayScene(system, { archive, receiver, site, mails, temporal }, ends)
      await scene.#prepare(sites)
      return scene
    } catch (error) {
      for (const end of ends) await end()
      throw error
    }
  }

  async #prepare(sites: number): Promise<void> {
    const { system, platform, receiver } = this
    const { tenant_id } = system.local.team
    await platform.query(
      `update tenants set feature_overrides = '{"min_check_interval":1,"monitors":null}' where id = $1`,
      [tenant_id],
    )
    await confirmRecipients(platform, tenant_id, 'ops@acme.example')
    const channels = [
      { name: 'Hook', type: 'webhook', config: { url: `${receiver.url}/in`, secret: 'a secret of the scene' } },
      { name: 'Mail', type: 'email', config: { recipients: ['ops@acme.example'] } },
    ]
    for (const channel of channels) {
      const { status, body } = await system.post('/notification-channels', channel)
      if (status !== 201) throw new Error(`adding a channel answered ${status}: ${JSON.stringify(body)}`)
      const { rows } = await platform.query('select 1 from notification_rules where channel_id = $1', [body.data.id])
      if (rows.length === 0)
        await system.post('/notification-rules', {
          channel_id: body.data.id,
          event_types: ['incident.created', 'incident.resolved'],
        })
    }
    for (let n = 0; n < sites; n++) {
      const path = `/away-${n}`
      const { id } = await system.addMonitor({
        name: path,
        url: this.#site.url + path,
        check_interval: intervalS,
        timeout: 3,
      })
      const { rows } = await platform.query<{ id: string }>('select id from checks where monitor_id = $1', [id])
      this.monitors.push({ id, path, check: rows[0]!.id })
    }
    await eventually('all sites up', async () => {
      const { rowCount } = await platform.query(`select 1 from monitors where status is distinct from 'up'`)
      return rowCount === 0
    })
    await sleep(2 * intervalS * 1_000)
  }

  /** Takes the store away, has one outage after the other meanwhile, and counts when it is back. */
  async suffer({ store, minutes, everyS, meanwhile }: Wish): Promise<AwayTally> {
    const begunAt = new Date()
    await this.become(store)
    const from = Date.now()
    const until = from + minutes * 60_000
    const others = meanwhile?.(this)
    others?.catch(() => undefined)
    const outages: Promise<Outage>[] = []
    while (Date.now() < until) {
      outages.push(this.#outage())
      await sleep(Math.max(0, Math.min(everyS * 1_000, until - Date.now())))
    }
    const caused = await Promise.all(outages)
    await others
    const to = Date.now()
    await this.become('up')
    const due = {
      checks: this.monitors.map(({ check }) => check),
      regions,
      everyMs: intervalS * 1_000,
      fromMs: ceilTo(from, intervalS * 1_000),
      toMs: ceilTo(to, intervalS * 1_000) - intervalS * 1_000,
    }
    const backAt = performance.now()
    const count = () => missingAndDoubled(this.archive.url, due)
    await eventually('all results stored', async () => (await count()).missing === 0, 120_000, 500).catch(
      () => undefined,
    )
    const drainedMs = performance.now() - backAt
    const { expected, missing, doubled } = await count()
    const { rows } = await this.platform.query<{ incidents: number }>(
      'select count(*)::int as incidents from incidents where created_at >= $1',
      [begunAt],
    )
    const known = (read: (outage: Outage) => number | undefined) => caused.flatMap(outage => read(outage) ?? [])
    return {
      store,
      outages: caused.length,
      found: known(({ foundMs }) => foundMs),
      notified: known(({ notifiedMs }) => notifiedMs),
      mailed: known(({ mailedMs }) => mailedMs),
      expected,
      missing,
      doubled,
      falseIncidents: rows[0]!.incidents - known(({ foundMs }) => foundMs).length,
      drainedMs,
    }
  }

  async become(store: AwayStore | 'up'): Promise<void> {
    const [name = '', mood = ''] = store === 'up' ? [] : [store.split(' ')[0], store.slice(store.indexOf(' ') + 1)]
    await this.archive.become(name === 'ClickHouse' ? (mood as Parameters<ArchiveProxy['become']>[0]) : 'up')
    await this.#temporal.become(name === 'Temporal' ? (mood as 'refused' | 'frozen') : 'up')
  }

  /** One site after the other is down for a while. Resolves when it is up again. */
  async #outage(): Promise<Outage> {
    const number = this.#next++
    const { id, path } = this.monitors[number % this.monitors.length]!
    const began = this.#site.become(number % 2 ? 'error' : 'reset', path)
    const row = async () => {
      const { rows } = await this.platform.query<{ at: number }>(
        `select extract(epoch from created_at)::float8 * 1000 as at from incidents
         where monitor_id = $1 and created_at > to_timestamp($2 / 1000.0)`,
        [id, began - 1_000],
      )
      return rows[0]?.at
    }
    const hook = () =>
      this.receiver.received.find(
        ({ at, body }) => at >= began && body.event === 'incident.created' && JSON.stringify(body).includes(id),
      )?.at
    const mail = () => this.#mails.find(({ at, subject }) => at >= began && subject.includes(`${path} `))?.at
    const times = { found: row, notified: async () => hook(), mailed: async () => mail() }
    const since = async (ask: () => Promise<number | undefined>) => {
      for (const end = Date.now() + lastsS * 1_000; Date.now() < end; await sleep(50)) {
        const at = await ask().catch(() => undefined)
        if (at !== undefined) return Math.max(0, at - began)
      }
      return undefined
    }
    const [foundMs, notifiedMs, mailedMs] = await Promise.all([
      since(times.found),
      since(times.notified),
      since(times.mailed),
    ])
    this.#site.become('up', path)
    await eventually(
      `the end of the incident of ${path}`,
      async () => {
        const open = 'select 1 from incidents where monitor_id = $1 and resolved_at is null'
        return (await this.platform.query(open, [id])).rowCount === 0
      },
      40_000,
    ).catch(() => undefined)
    return { foundMs, notifiedMs, mailedMs }
  }

  async close(): Promise<void> {
    await this.become('up').catch(() => undefined)
    await this.platform.end()
    for (const end of this.#ends) await end()
  }
}

interface Outage {
  foundMs: number | undefined
  notifiedMs: number | undefined
  mailedMs: number | undefined
}

const ceilTo = (ms: number, step: number) => Math.ceil(ms / step) * step

/** A Temporal of one's own, in memory. */
async function startTemporal(ends: (() => unknown)[]): Promise<{ host: string; port: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-temporal-'))
  const supervisor = new Supervisor({ dataDir: folder, show: showFor({ isJson: false, isTty: false }) })
  ends.unshift(async () => {
    await supervisor.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const [port, httpPort, metricsPort] = [await findPort(0), await findPort(0), await findPort(0)]
  const { path } = await obtainTemporal()
  await supervisor.start(temporalPart({ path, dataFile: undefined, port, httpPort, metricsPort }, process.env))
  return { host: '127.0.0.1', port }
}
