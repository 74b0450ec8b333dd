import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shardCount, shardOf } from '#contract/shards.ts'
import { createEnrolment } from '#control-plane/engine/agents/create-enrolment.ts'
import { readConfig } from '#probe-agent/config.ts'
import { type RunningAgent, startAgent } from '#probe-agent/main.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { IngestProcess } from '#test/support/ingest-process.ts'
import { TcpProxy } from '#test/support/store-proxy.ts'
import { Site } from '#test/support/target.ts'

/**
 * Two ingest processes share the tenants; agents are cut off from one of them, and it reaches PostgreSQL. The site
 * answers from this process: with a second's time for its answer a busy machine would be an outage.
 */
const regions = ['eu-west', 'us-east']
const tenants = 8
const log = pino({ level: 'silent' })

let site: Site
let served: Serving
let reached: IngestProcess
let cutOff: IngestProcess
let way: TcpProxy
const agents: RunningAgent[] = []
const folders: string[] = []
const watched: { tenant: string; monitor: string; path: string }[] = []

beforeAll(async () => {
  site = await Site.open()
  served = await serving('unreached_owner', { roles: ['api'] })
  for (let index = 0; index < tenants; index++) {
    const tenant = await served.tenant()
    const path = `/${index}`
    watched.push({ tenant, path, ...(await served.monitor(tenant, site.url + path, { interval: 4 })) })
  }
  reached = await IngestProcess.start(served.stores)
  cutOff = await IngestProcess.start(served.stores, async port => {
    way = await TcpProxy.open({ host: '127.0.0.1', port })
    return way.address
  })
  await shared(reached, cutOff)
  for (const region of regions) {
    const { plain } = await createEnrolment(served.platform, region)
    const folder = mkdtempSync(join(tmpdir(), 'vedette-agent-'))
    folders.push(folder)
    const config = readConfig({
      VEDETTE_URL: reached.url,
      REGION: region,
      ENROLMENT_TOKEN: plain,
      DATA_DIR: folder,
      EGRESS_ALLOW: '127.0.0.0/8',
      LOG_LEVEL: 'silent',
    })
    agents.push(await startAgent(config, { log }))
  }
  await eventually(async () => ((await statuses()).every(status => status === 'up') ? true : undefined), 60_000)
}, 180_000)
afterAll(async () => {
  for (const agent of agents) await agent.stop()
  await reached?.stop()
  await cutOff?.stop()
  await way?.close()
  await served?.close()
  await site?.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const statuses = async (): Promise<(string | null)[]> => {
  const { rows } = await served.platform.query<{ status: string | null }>('select status from monitors order by id')
  return rows.map(({ status }) => status)
}

const divided = async () =>
  (await served.platform.query<{ url: string; shards: number[] }>('select url, shards from ingest_owners')).rows

/** Waits until exactly these processes own all shards. */
const shared = (...those: IngestProcess[]) =>
  eventually(async () => {
    const owners = await divided()
    const areThese = owners.length === those.length && those.every(({ url }) => owners.some(owner => owner.url === url))
    return areThese && new Set(owners.flatMap(({ shards }) => shards)).size === shardCount ? true : undefined
  }, 90_000)

const openIncidents = async (): Promise<string[]> => {
  const { rows } = await served.platform.query<{ monitor_id: string }>(
    'select monitor_id from incidents where resolved_at is null order by monitor_id',
  )
  return rows.map(row => row.monitor_id)
}

test('the tenants of an owner that agents cannot reach are alarmed again within 45 s, and come back to it later', async () => {
  const own = (await divided()).find(({ url }) => url === cutOff.url)!.shards
  const blind = watched.filter(({ tenant }) => own.includes(shardOf(tenant)))
  expect(blind.length).toBeGreaterThan(0)
  await way.become('frozen')
  const began = performance.now()
  for (const { path } of blind) site.become('error', path)
  await eventually(async () => ((await openIncidents()).length === blind.length ? true : undefined), 90_000)
  const seconds = Math.round((performance.now() - began) / 1_000)
  console.log(
    `agents cut off from an owner: the outages of its ${blind.length} tenants are incidents after ${seconds} s`,
  )
  expect(seconds).toBeLessThanOrEqual(45)
  expect(await openIncidents()).toEqual(blind.map(({ monitor }) => monitor).sort())
  expect(await divided()).toMatchObject([{ url: reached.url }])
  expect(await cutOff.part('shards')).toMatchObject({ why: expect.stringMatching(/no agent reaches this process/) })

  await way.become('up')
  await shared(reached, cutOff)
  for (const { path } of blind) site.become('up', path)
  await eventually(async () => ((await openIncidents()).length === 0 ? true : undefined), 60_000)
  // not one was false, and none was opened twice
  const { rows } = await served.platform.query<{ monitor_id: string }>('select monitor_id from incidents')
  expect(rows.map(row => row.monitor_id).sort()).toEqual(blind.map(({ monitor }) => monitor).sort())
}, 300_000)
