import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shardCount, shardOf } from '#contract/shards.ts'
import { createEnrolment } from '#control-plane/engine/agents/create-enrolment.ts'
import { runInRegions } from '#control-plane/monitoring/checks/run-in-regions.ts'
import { readConfig } from '#probe-agent/config.ts'
import { type RunningAgent, startAgent } from '#probe-agent/main.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { IngestProcess } from '#test/support/ingest-process.ts'
import { Site } from '#test/support/target.ts'
import { askClickhouse, missingAndDoubled } from './due-results.ts'

/**
 * Several ingest processes, with real agents of three regions: processes are killed, drained and added while checks
 * run. In the end the stored results are compared with the grid of due times, and the incidents with the outages that
 * the site had. Site, agents and API share this process: checks of every second, with a second's time for their
 * answer, would on a busy machine be what fails first, and `probe-agent/faults` is about that.
 */
const kills = Number(process.env.KILLS_OF_OWNERS ?? 3)
const regions = ['eu-west', 'us-east', 'ap-south']
const tenants = 24
const intervalS = 5

let site: Site
let served: Serving
const processes: IngestProcess[] = []
const agents: RunningAgent[] = []
const folders: string[] = []
const watched: { tenant: string; monitor: string; check: string; path: string }[] = []
const moves: { what: string; ms: number }[] = []

beforeAll(async () => {
  site = await Site.open()
  served = await serving('shards_faults', { roles: ['api'] })
  for (let index = 0; index < tenants; index++) {
    const tenant = await served.tenant()
    const path = `/${index}`
    watched.push({ tenant, path, ...(await served.monitor(tenant, site.url + path, { interval: intervalS })) })
  }
  for (let index = 0; index < 3; index++) processes.push(await IngestProcess.start(served.stores))
  await sharedBy(processes)
  for (const region of regions) {
    const { plain } = await createEnrolment(served.platform, region)
    const folder = mkdtempSync(join(tmpdir(), 'vedette-agent-'))
    folders.push(folder)
    const config = readConfig({
      VEDETTE_URL: processes[0]!.url,
      REGION: region,
      ENROLMENT_TOKEN: plain,
      DATA_DIR: folder,
      EGRESS_ALLOW: '127.0.0.0/8',
      LOG_LEVEL: 'silent',
    })
    agents.push(await startAgent(config, { log: pino({ level: 'silent' }) }))
  }
  await eventually(async () => ((await statuses()).every(status => status === 'up') ? true : undefined), 60_000)
}, 240_000)
afterAll(async () => {
  for (const agent of agents) await agent.stop()
  for (const ingest of processes) await ingest.stop()
  await served?.close()
  await site?.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const statuses = async (): Promise<(string | null)[]> => {
  const { rows } = await served.platform.query<{ status: string | null }>('select status from monitors order by id')
  return rows.map(({ status }) => status)
}

/** How many milliseconds it takes until exactly these processes own all shards, evenly. */
async function sharedBy(those: readonly IngestProcess[]): Promise<number> {
  const began = performance.now()
  await eventually(async () => {
    const { rows } = await served.platform.query<{ url: string; shards: number[] }>(
      'select url, shards from ingest_owners',
    )
    const isDivided =
      rows.length === those.length &&
      those.every(({ url }) => rows.some(row => row.url === url)) &&
      new Set(rows.flatMap(({ shards }) => shards)).size === shardCount
    if (!isDivided) return
    for (const ingest of those) if (!(await ingest.isReady())) return
    return true
  }, 300_000)
  return performance.now() - began
}

const rowsOf = <Row>(query: string, params: Record<string, unknown>) =>
  askClickhouse<Row>(served.stores.clickhouseUrl, query, params)

/** Scheduled runs that agents say they did not start in time, as where the machine was too busy: no result was lost. */
const notStarted = () =>
  agents.reduce((sum, agent) => sum + Object.values(agent.figures().missed).reduce((all, count) => all + count, 0), 0)

const onGrid = (fromMs: number, toMs: number) =>
  missingAndDoubled(served.stores.clickhouseUrl, {
    checks: watched.map(({ check }) => check),
    regions,
    everyMs: intervalS * 1_000,
    fromMs,
    toMs,
  })

test(
  `${kills} owners killed, one drained and one added: shards move within 10 s, nothing is lost or doubled`,
  async () => {
    await sleep(3_000)
    const from = Date.now()
    const notStartedBefore = notStarted()
    for (let kill = 0; kill < kills; kill++) {
      const ingest = processes[kill % processes.length]!
      await ingest.kill()
      moves.push({ what: 'killed', ms: await sharedBy(processes.filter(other => other !== ingest)) })
      await sleep(1_000 + Math.random() * 1_000)
      ingest.start()
      moves.push({ what: 'added', ms: await sharedBy(processes) })
      await sleep(1_000 + Math.random() * 1_000)
    }
    const last = processes[2]!
    await last.stop()
    moves.push({ what: 'drained', ms: await sharedBy(processes.slice(0, 2)) })
    await sleep(2_000)
    const to = from + Math.floor((Date.now() - from) / (intervalS * 1_000)) * intervalS * 1_000
    const lostAndDoubled = async () => {
      const { missing, doubled } = await onGrid(from, to)
      return { lost: Math.max(0, missing - (notStarted() - notStartedBefore)), doubled }
    }
    await eventually(async () => ((await lostAndDoubled()).lost === 0 ? true : undefined), 60_000).catch(
      () => undefined,
    )
    const found = await lostAndDoubled()
    const slowest = (what: string) =>
      Math.round(Math.max(...moves.flatMap(move => (move.what === what ? move.ms : []))))
    console.log(
      `owner kills ${kills} in ${Math.round((to - from) / 1_000)} s: lost ${found.lost}, doubled ${found.doubled}, never started ${notStarted() - notStartedBefore}; ` +
        `shards moved after a kill within ${slowest('killed')} ms, after a start within ${slowest('added')} ms ` +
        `(the start of a process included), after a drain within ${slowest('drained')} ms`,
    )
    expect(found).toEqual({ lost: 0, doubled: 0 })
    expect(slowest('killed')).toBeLessThan(10_000)
    expect(slowest('drained')).toBeLessThan(10_000)
    const { rows } = await served.platform.query('select cause, quorum, started_at from incidents')
    expect(rows).toEqual([])
  },
  240_000 + kills * 120_000,
)

test('an outage that begins while its shard moves is one incident, and one of a parent withholds its child', async () => {
  last().start()
  await sharedBy(processes)
  const { tenant } = watched[0]!
  // the second monitor of the tenant depends on the first
  const child = await served.monitor(tenant, `${site.url}/child`, { interval: intervalS })
  await served.platform.query('update monitors set depends_on = array[$1::uuid] where id = $2', [
    watched[0]!.monitor,
    child.monitor,
  ])
  await eventually(async () => ((await statuses()).every(status => status === 'up') ? true : undefined), 90_000)
  const owner = await ownerOf(tenant)
  const down = [watched[0]!, ...watched.filter(other => shardOf(other.tenant) !== shardOf(tenant)).slice(0, 3)]
  for (const { path } of down) site.become('error', path)
  site.become('error', '/child')
  await sleep(300)
  await owner.kill()
  await eventually(async () => ((await openIncidents()).length === down.length ? true : undefined), 90_000)
  await sleep(intervalS * 2_000)
  expect((await openIncidents()).sort()).toEqual(down.map(({ monitor }) => monitor).sort())
  owner.start()
  await sharedBy(processes)
  for (const { path } of down) site.become('up', path)
  site.become('up', '/child')
  await eventually(async () => ((await openIncidents()).length === 0 ? true : undefined), 90_000)
  const { rows } = await served.platform.query<{ monitor_id: string }>('select monitor_id from incidents')
  expect(rows.map(row => row.monitor_id).sort()).toEqual(down.map(({ monitor }) => monitor).sort())
}, 480_000)

test('a process that starts is found while the one is away whose address the agents were given', async () => {
  const [given, , added] = processes
  await added!.stop()
  await sharedBy(processes.slice(0, 2))
  added!.start()
  await sharedBy(processes)
  await given!.kill()
  await sharedBy(processes.slice(1))
  const from = Math.ceil(Date.now() / 1_000) * 1_000
  await sleep((intervalS + 1) * 1_000)
  const to = Math.floor(Date.now() / 1_000) * 1_000
  const dues = async () => {
    const [row] = await rowsOf<{ checks: string }>(
      `SELECT uniqExact(check_id) AS checks FROM check_results
       WHERE run_reason = 'due' AND due >= fromUnixTimestamp64Milli({from: Int64})
         AND due < fromUnixTimestamp64Milli({to: Int64})`,
      { from, to },
    )
    return Number(row?.checks)
  }
  await eventually(async () => ((await dues()) >= watched.length ? true : undefined), 60_000)
  given!.start()
  await sharedBy(processes)
}, 300_000)

test('a requested run is answered once by each region, also while its shard moves', async () => {
  const { services } = served.plane
  const answers: string[] = []
  const stop = services.listener.on('run_results', payload => {
    const { request, region } = JSON.parse(payload)
    answers.push(`${request} ${region}`)
  })
  const answeredBy = async ({ tenant, check }: (typeof watched)[number]) => {
    const request = randomUUID()
    await runInRegions(services, { request, check, tenant })
    const known = () =>
      answers.flatMap(answer => (answer.startsWith(request) ? answer.slice(request.length + 1) : [])).sort()
    await eventually(() => known().length >= regions.length || undefined).catch(() => undefined)
    // a second answer of a region would come right after the first
    await sleep(200)
    return known()
  }
  const asked = watched.slice(0, 6)
  for (const each of asked) expect(await answeredBy(each)).toEqual(regions.toSorted())
  const owner = await ownerOf(asked[0]!.tenant)
  await owner.kill()
  expect(await Promise.all(asked.map(answeredBy))).toEqual(asked.map(() => regions.toSorted()))
  owner.start()
  expect(await Promise.all(asked.map(answeredBy))).toEqual(asked.map(() => regions.toSorted()))
  await sharedBy(processes)
  stop()
}, 300_000)

const last = () => processes[2]!

async function ownerOf(tenant: string): Promise<IngestProcess> {
  const { rows } = await served.platform.query<{ url: string }>(
    'select url from ingest_owners where $1 = any(shards)',
    [shardOf(tenant)],
  )
  return processes.find(({ url }) => url === rows[0]?.url)!
}

const openIncidents = async (): Promise<string[]> => {
  const { rows } = await served.platform.query<{ monitor_id: string }>(
    'select monitor_id from incidents where resolved_at is null',
  )
  return rows.map(row => row.monitor_id)
}
