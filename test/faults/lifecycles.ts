import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { Worker } from '@temporalio/worker'
import pg from 'pg'
import { type ClickHouseClient, openClickhouse } from '#analytics/client.ts'
import { obtainTemporal, temporalPart } from '#cli/local/embedded/temporal.ts'
import { findPort, isTemporalServing, until } from '#cli/local/loopback.ts'
import { rowChanged, unsnoozed, workflowId } from '#contract/workflows.ts'
import { addManagedTeam } from '#control-plane/reselling/managed-teams/add-managed-team.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import type { Databases } from '#test/support/databases.ts'
import { quiet } from '#test/workflows/skipping.ts'
import { bundle } from '#workflows/bundle.ts'

/**
 * Days long enough that a killed worker is replaced within one: what is asked is whether things happen, not how soon.
 */
const trialDayMs = 20_000
const purgeDayMs = 1_500
const graceMs = 30 * purgeDayMs

export interface Tally {
  runs: number
  /**
   * Moments that were set, of all runs: those at which something had to happen, and those that had been taken back by
   * then.
   */
  timers: number
  workerKills: number
  serverKills: number
  missed: number
  doubled: number
  early: number
  /**
   * Reminders left out because the next step was due before a worker could send them: a day is seconds here, and
   * workers are killed.
   */
  overtaken: number
  /** Milliseconds after its moment at which the slowest hundredth was done. */
  lateP99Ms: number
  /** Histories of all that ran, kills and all, that the code understands when it is given them again. */
  replayed: number
  notes: string[]
}

interface Options {
  runs: number
  /**
   * The time between two starts: as many a second as the machine can serve, or their days pass before a worker takes
   * them.
   */
  everyMs: number
  workerKills: number
  serverKills: number
  databases: Databases
}

/**
 * Lives through so many life cycles with short days while workers and the Temporal server are killed, and counts what
 * went wrong.
 */
export async function liveThrough({ runs, everyMs, workerKills, serverKills, databases }: Options): Promise<Tally> {
  quiet()
  const folder = mkdtempSync(join(tmpdir(), 'vedette-lifecycles-'))
  const platform = new pg.Pool({ connectionString: databases.platformUrl, max: 8 })
  const clickhouse = openClickhouse(databases.clickhouseUrl)
  const server = await TemporalServer.start(folder)
  const workers = new Workers({ folder, address: server.address, databases, kills: workerKills })
  try {
    const world = new Lives(platform, clickhouse)
    await world.prepare()
    await workers.start()
    const killing = killServer(server, serverKills)
    await Promise.all(Array.from({ length: runs }, (_, n) => sleep(n * everyMs).then(() => world.live(n))))
    await killing
    const replays = await world.settled(server.address, await bundle(folder))
    const { notes, ...counts } = await world.count()
    return {
      runs,
      workerKills: workers.killed,
      serverKills,
      ...counts,
      replayed: replays.good,
      notes: [...notes, ...replays.notes],
    }
  } finally {
    await workers.stop()
    await server.stop()
    await Promise.all([platform.end(), clickhouse.close()])
    rmSync(folder, { recursive: true, force: true })
  }
}

async function killServer(server: TemporalServer, kills: number): Promise<void> {
  for (let n = 0; n < kills; n++) {
    await sleep(5_000 + Math.random() * 5_000)
    await server.killAndRestart()
  }
}

/** What a life must have left behind. */
interface Expected {
  kind: string
  what: string
  sql: string
  values: unknown[]
  /** Moments, in order, at which things had to happen: as many rows, none before its moment. */
  dueMs: number[]
  /** Moments that were set and taken back: nothing may happen at them. */
  takenBack: number
}

class Lives {
  readonly #platform: pg.Pool
  readonly #clickhouse: ClickHouseClient
  readonly #expected: Expected[] = []
  #resellerId = ''

  constructor(platform: pg.Pool, clickhouse: ClickHouseClient) {
    this.#platform = platform
    this.#clickhouse = clickhouse
  }

  async prepare(): Promise<void> {
    this.#resellerId = await createTenant(this.#platform, {
      name: 'Reseller',
      slug: `r-${randomUUID()}`,
      plan: 'pro',
      isReseller: true,
    })
  }

  /** One life of ten kinds. */
  async live(n: number): Promise<void> {
    const kinds = [
      this.#trial,
      this.#purge,
      this.#token,
      this.#trial,
      this.#extended,
      this.#restored,
      this.#cleared,
      this.#deletedTwice,
      this.#purge,
      this.#shortened,
    ]
    await kinds[n % kinds.length]!.call(this)
  }

  async #trial(): Promise<void> {
    const team = await this.#team()
    const endsAtMs = await this.#setTrial(team, 3.4)
    this.#expectTrial('trial', team, [endsAtMs - 3 * trialDayMs, endsAtMs - trialDayMs, endsAtMs], 0)
  }

  async #extended(): Promise<void> {
    const team = await this.#team()
    const firstMs = await this.#setTrial(team, 1.6)
    // on the last day: once its reminder has come
    while ((await this.#notices(team)) === 0) await sleep(2_000)
    const endsAtMs = await this.#setTrial(team, 1.5)
    await this.#signal(workflowId.trial(team.id, firstMs))
    this.#expectTrial('extended on the last day', team, [firstMs - trialDayMs, endsAtMs - trialDayMs, endsAtMs], 1)
  }

  async #shortened(): Promise<void> {
    const team = await this.#team()
    const firstMs = await this.#setTrial(team, 9)
    await sleep(trialDayMs * 0.3)
    const endsAtMs = await this.#setTrial(team, 1.4)
    await this.#signal(workflowId.trial(team.id, firstMs))
    this.#expectTrial('shortened', team, [endsAtMs - trialDayMs, endsAtMs], 3)
  }

  async #cleared(): Promise<void> {
    const team = await this.#team()
    const firstMs = await this.#setTrial(team, 2.5)
    await sleep(trialDayMs * 0.5)
    await this.#platform.query('update managed_teams set trial_ends_at = null where id = $1', [team.id])
    await this.#signal(workflowId.trial(team.id, firstMs))
    this.#expectTrial('cleared', team, [], 2)
  }

  async #purge(): Promise<void> {
    const team = await this.#team()
    if (Math.random() < 0.2)
      await this.#clickhouse.insert({
        table: 'check_results',
        columns: ['tenant_id', 'monitor_id', 'check_id', 'region', 'due', 'at', 'outcome'],
        values: [[team.tenantId, randomUUID(), randomUUID(), 'eu-west', Date.now(), Date.now(), 'up']],
        format: 'JSONCompactEachRow',
      })
    const deletedAtMs = await this.#delete(team)
    this.#expectPurge('purge', team, [deletedAtMs + graceMs], 0)
  }

  async #restored(): Promise<void> {
    const team = await this.#team()
    const deletedAtMs = await this.#delete(team)
    await sleep(graceMs - 4_000)
    await this.#restore(team)
    if (Math.random() < 0.5) await this.#signal(workflowId.teamPurge(team.id, deletedAtMs))
    this.#expectPurge('restored in time', team, [], 1)
  }

  async #deletedTwice(): Promise<void> {
    const team = await this.#team()
    await this.#delete(team)
    await sleep(graceMs / 3)
    await this.#restore(team)
    await sleep(graceMs / 4)
    const deletedAtMs = await this.#delete(team)
    this.#expectPurge('deleted twice', team, [deletedAtMs + graceMs], 1)
  }

  async #token(): Promise<void> {
    const team = await this.#team()
    const [tokenId, invitationId] = [randomUUID(), randomUUID()]
    const endMs = (await this.#nowMs()) + 20_000 + Math.floor(Math.random() * 20_000)
    await this.#platform.query(
      `insert into tokens (id, tenant_id, kind, name, hash, expires_at) values ($1, $2, 'rk', 'old', $3, $4)`,
      [tokenId, team.tenantId, Buffer.from(tokenId), new Date(endMs)],
    )
    await this.#platform.query(
      `insert into invitations (id, tenant_id, email, role, token_hash, expires_at) values ($1, $2, $3, 'member', $4, $5)`,
      [invitationId, team.tenantId, `${invitationId}@people.test`, Buffer.from(invitationId), new Date(endMs)],
    )
    await this.#start(team, 'tokenGrace', workflowId.tokenGrace(tokenId, endMs), {
      tokenId,
      tenantId: team.tenantId,
      expiresAtMs: endMs,
    })
    await this.#start(team, 'invitationExpiry', workflowId.invitationExpiry(invitationId, endMs), {
      invitationId,
      tenantId: team.tenantId,
      expiresAtMs: endMs,
    })
    for (const id of [tokenId, invitationId]) this.#expectEntry('token or invitation', id, [endMs])
    await this.#snoozes(team, endMs)
  }

  /** One that lasts to its end, and one that is ended by hand. */
  async #snoozes(team: Team, endMs: number): Promise<void> {
    const monitorId = randomUUID()
    await this.#platform.query(
      `insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, region_policy, confirmations, recovery_confirmations)
       values ($1, $2, 'Shop', 'https://shop.example/', 'website', 60, 10, '{"mode":"majority","count":null}', 2, 2)`,
      [monitorId, team.tenantId],
    )
    for (const kind of ['uptime', 'ssl']) {
      const checkId = randomUUID()
      await this.#platform.query(
        `insert into checks (id, tenant_id, monitor_id, type, severity, snoozed_until) values ($1, $2, $3, $4, 'critical', $5)`,
        [checkId, team.tenantId, monitorId, kind, new Date(endMs)],
      )
      const id = workflowId.snoozeEnd(checkId, endMs)
      await this.#start(team, 'snoozeEnd', id, { checkId, tenantId: team.tenantId, untilMs: endMs })
      if (kind === 'uptime') this.#expectEntry('snooze', checkId, [endMs])
      else {
        await this.#platform.query('update checks set snoozed_until = null where id = $1', [checkId])
        await this.#signal(id, unsnoozed)
        this.#expectEntry('snooze ended by hand', checkId, [])
      }
    }
  }

  #expectEntry(kind: string, entityId: string, dueMs: number[]) {
    const sql = 'select created_at as at from audit_entries where entity_id = $1'
    this.#expected.push({ kind, what: entityId, sql, values: [entityId], dueMs, takenBack: 1 - dueMs.length })
  }

  async #notices(team: Team): Promise<number> {
    const { rowCount } = await this.#platform.query(
      `select 1 from outbox where tenant_id = $1 and kind = 'event' and payload->>'managed_team_id' = $2`,
      [this.#resellerId, team.id],
    )
    return rowCount ?? 0
  }

  #expectTrial(kind: string, team: Team, dueMs: number[], takenBack: number) {
    this.#expected.push({
      kind,
      what: team.id,
      sql: `select created_at as at from outbox where tenant_id = $1 and kind = 'event' and payload->>'managed_team_id' = $2 order by id`,
      values: [this.#resellerId, team.id],
      dueMs,
      takenBack,
    })
  }

  #expectPurge(kind: string, team: Team, dueMs: number[], takenBack: number) {
    this.#expected.push({
      kind,
      what: team.id,
      sql: `select created_at as at from audit_entries where tenant_id = $1 and entity_id = $2 and action = 'managed_tenant.purged'
            union all select clock_timestamp() from tenants where id = $3 and $4::boolean`,
      values: [this.#resellerId, team.id, team.tenantId, dueMs.length > 0],
      dueMs,
      takenBack,
    })
  }

  async #team(): Promise<Team> {
    const tenantId = await createTenant(this.#platform, { name: 'Team', slug: `t-${randomUUID()}`, plan: 'pro' })
    return { id: await addManagedTeam(this.#platform, this.#resellerId, tenantId, null), tenantId }
  }

  async #nowMs(): Promise<number> {
    const { rows } = await this.#platform.query<{ now: Date }>('select clock_timestamp() as now')
    return rows[0]!.now.getTime()
  }

  async #setTrial(team: Team, days: number): Promise<number> {
    const endsAtMs = (await this.#nowMs()) + Math.round(days * trialDayMs)
    await this.#platform.query(
      `update managed_teams set trial_ends_at = $2, trial_set_at = clock_timestamp(), trial_reminded = null,
         trial_expired_at = null where id = $1`,
      [team.id, new Date(endsAtMs)],
    )
    await this.#start(team, 'trial', workflowId.trial(team.id, endsAtMs), {
      teamId: team.id,
      tenantId: team.tenantId,
      endsAtMs,
    })
    return endsAtMs
  }

  async #delete(team: Team): Promise<number> {
    const deletedAtMs = await this.#nowMs()
    await this.#platform.query('update managed_teams set deleted_at = $2 where id = $1', [
      team.id,
      new Date(deletedAtMs),
    ])
    await this.#start(team, 'teamPurge', workflowId.teamPurge(team.id, deletedAtMs), {
      teamId: team.id,
      tenantId: team.tenantId,
      deletedAtMs,
    })
    return deletedAtMs
  }

  async #restore(team: Team): Promise<void> {
    const { rowCount } = await this.#platform.query(
      'update managed_teams set deleted_at = null where id = $1 and deleted_at is not null',
      [team.id],
    )
    if (rowCount === 0) throw new Error('A team was gone before its time.')
  }

  async #start(team: Team, name: string, id: string, input: unknown): Promise<void> {
    await this.#put(team.tenantId, 'workflow', name, { id, input })
  }

  async #signal(id: string, signal = rowChanged): Promise<void> {
    await this.#put(this.#resellerId, 'signal', signal, { id, signal })
  }

  async #put(tenantId: string, kind: string, name: string, payload: unknown): Promise<void> {
    await this.#platform.query('insert into outbox (tenant_id, kind, name, payload) values ($1, $2, $3, $4)', [
      tenantId,
      kind,
      name,
      JSON.stringify(payload),
    ])
    await this.#platform.query(`select pg_notify('outbox', '')`)
  }

  /** Until nothing waits to be started and nothing runs any more; then all that ran is gone through once more. */
  async settled(address: string, code: string): Promise<Replays> {
    const lastMs = Math.max(...this.#expected.flatMap(({ dueMs }) => dueMs))
    await sleep(Math.max(0, lastMs - Date.now()))
    const connection = await Connection.connect({ address })
    const client = new Client({ connection })
    let isQuiet = 0
    try {
      for (const end = Date.now() + 300_000; Date.now() < end && isQuiet < 3; await sleep(1_000)) {
        const { rows } = await this.#platform.query<{ n: number }>(
          `select count(*)::int as n from outbox where done_at is null and kind <> 'event'`,
        )
        const running = await client.workflow.count(`ExecutionStatus = 'Running'`).catch(() => ({ count: 1 }))
        isQuiet = rows[0]?.n === 0 && running.count === 0 ? isQuiet + 1 : 0
      }
      if (isQuiet < 3) throw new Error('Processes still run long after their moments.')
      return await replay(client, code)
    } finally {
      await connection.close()
    }
  }

  async count(): Promise<Omit<Tally, 'runs' | 'workerKills' | 'serverKills' | 'replayed'>> {
    const timers = this.#expected.reduce((sum, { dueMs, takenBack }) => sum + dueMs.length + takenBack, 0)
    const tally = { timers, missed: 0, doubled: 0, early: 0, overtaken: 0, lateP99Ms: 0, notes: [] as string[] }
    const late: number[] = []
    for (const { kind, what, sql, values, dueMs } of this.#expected) {
      const { rows } = await this.#platform.query<{ at: Date }>(sql, values)
      const found = rows.map(({ at }) => at.getTime())
      const left = [...found]
      let wrong = 0
      for (const [index, due] of dueMs.entries()) {
        const next = dueMs[index + 1]
        const at = left[0]
        if (at !== undefined && next !== undefined && at >= next) tally.overtaken++
        else if (at === undefined) wrong += ++tally.missed
        else {
          left.shift()
          late.push(at - due)
          if (at < due - beginsBeforeMs) wrong += ++tally.early
        }
      }
      tally.doubled += left.length
      if (wrong + left.length > 0) tally.notes.push(`${kind} ${what}: due ${stamps(dueMs)}, found ${stamps(found)}`)
    }
    const { rows } = await this.#platform.query<{ n: number }>(
      'select count(*)::int as n from managed_teams m join tenants t on t.id = m.tenant_id where m.trial_expired_at is not null and t.plan <> $1',
      ['free'],
    )
    tally.missed += rows[0]?.n ?? 0
    tally.lateP99Ms = late.toSorted((a, b) => a - b)[Math.floor(late.length * 0.99)] ?? 0
    return tally
  }
}

interface Replays {
  good: number
  notes: string[]
}

async function replay(client: Client, code: string): Promise<Replays> {
  const replays: Replays = { good: 0, notes: [] }
  for await (const { workflowId, error } of Worker.runReplayHistories(
    { workflowBundle: { code } },
    client.workflow.list().intoHistories({ concurrency: 8 }),
  ))
    if (error) replays.notes.push(`replay of ${workflowId}: ${error}`)
    else replays.good++
  return replays
}

/**
 * A row bears the moment at which its transaction began; only then the clock is asked whether it is time. On a busy
 * machine some hundred milliseconds lie between, of days of twenty seconds.
 */
const beginsBeforeMs = 1_000

const stamps = (moments: number[]) => moments.map(ms => new Date(ms).toISOString()).join(' ')

interface Team {
  id: string
  tenantId: string
}

/** Temporal's development server with a file of its own: killed, it goes on where it was. */
class TemporalServer {
  readonly address: string
  readonly #command: string
  readonly #args: string[]
  #process: ChildProcess | undefined

  private constructor(address: string, command: string, args: string[]) {
    this.address = address
    this.#command = command
    this.#args = args
  }

  static async start(folder: string): Promise<TemporalServer> {
    const { path } = await obtainTemporal()
    const [port, httpPort, metricsPort] = [await findPort(0), await findPort(0), await findPort(0)]
    const options = { path, dataFile: join(folder, 'temporal.db'), port, httpPort, metricsPort }
    const { command, args } = temporalPart(options, {})
    const server = new TemporalServer(`127.0.0.1:${port}`, command, [...args])
    await server.#run()
    return server
  }

  async #run(): Promise<void> {
    this.#process = spawn(this.#command, this.#args, { stdio: 'ignore' })
    if (!(await until(() => isTemporalServing(this.address), { withinMs: 60_000 })))
      throw new Error('Temporal does not serve.')
  }

  async killAndRestart(): Promise<void> {
    await this.stop()
    await this.#run()
  }

  async stop(): Promise<void> {
    if (!this.#process || this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const ended = once(this.#process, 'exit')
    this.#process.kill('SIGKILL')
    await ended
  }
}

/** One worker at a time; when it has killed itself another takes its place, and after so many kills one that lives. */
class Workers {
  readonly #env: Record<string, string>
  readonly #kills: number
  killed = 0
  #process: ChildProcess | undefined
  #isStopped = false

  constructor({
    folder,
    address,
    databases,
    kills,
  }: { folder: string; address: string; databases: Databases; kills: number }) {
    this.#kills = kills
    this.#env = {
      TEMPORAL_ADDRESS: address,
      PLATFORM_URL: databases.platformUrl,
      CLICKHOUSE_URL: databases.clickhouseUrl,
      CACHE: folder,
      TRIAL_DAY_MS: String(trialDayMs),
      PURGE_DAY_MS: String(purgeDayMs),
    }
  }

  async start(): Promise<void> {
    const isMortal = this.killed < this.#kills
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'lifecycle-worker.ts')],
      {
        env: { ...process.env, ...this.#env, KILL_PROBABILITY: isMortal ? '0.02' : '0' },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    this.#process = child
    child.once('exit', (_code, signal) => {
      if (this.#isStopped) return
      if (signal === 'SIGKILL') this.killed++
      void this.start()
    })
    await once(createInterface({ input: child.stdout }), 'line')
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    const child = this.#process
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
}
