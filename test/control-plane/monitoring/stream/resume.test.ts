import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type ControlPlane, startControlPlane } from '#cli/serve/serve.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import type { Config } from '#control-plane/config.ts'
import { emitEvents } from '#control-plane/outbox/emit.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { prepared } from '#test/control-plane/serving.ts'
import type { Databases } from '#test/support/databases.ts'
import { EventStreamUnderTest, type Frame } from '#test/support/event-stream.ts'

let config: Config
let stores: Databases
let planes: ControlPlane[]
const open = new Set<EventStreamUnderTest>()
const children = new Set<ChildProcess>()

beforeAll(async () => {
  ;({ config, stores } = await prepared('vedette_stream'))
  planes = [await startControlPlane(config, ['api']), await startControlPlane(config, ['api'])]
})

afterEach(() => {
  for (const stream of open) stream.leave()
  open.clear()
})

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all((planes ?? []).map(plane => plane.close()))
})

const platform = () => planes[0]!.services.platform

interface Team {
  tenantId: string
  token: string
}

async function aTeam(): Promise<Team> {
  const slug = `t-${randomUUID()}`
  const tenantId = await createTenant(platform(), {
    name: 'Team',
    slug,
    plan: 'pro',
    featureOverrides: {},
    isReseller: false,
  })
  const { plain } = await createToken(platform(), {
    kind: 'svc',
    tenantId,
    userId: null,
    name: 'test',
    scopes: ['monitors:read', 'incidents:read'],
    expiresAt: null,
  })
  return { tenantId, token: plain }
}

async function streamOf({ token }: Team, lastId?: string, baseUrl = planes[0]!.baseUrl) {
  const stream = await EventStreamUnderTest.open(`${baseUrl}/api/v1/stream?topics=monitors`, {
    headers: { Authorization: `Bearer ${token}`, ...(lastId !== undefined && { 'Last-Event-ID': lastId }) },
  })
  expect(stream.status).toBe(200)
  open.add(stream)
  return stream
}

const eventOf = ({ tenantId }: Team, name: string) => ({
  tenantId,
  name: 'monitor.updated' as const,
  payload: { monitor_id: randomUUID(), monitor_name: name, monitor_url: 'https://shop.example/' },
})
const emit = (team: Team, ...names: string[]) =>
  emitEvents(
    platform(),
    names.map(name => eventOf(team, name)),
  )
const isNamed = (name: string) => (frame: Frame) => frame.data.monitor_name === name
const namesOf = (stream: EventStreamUnderTest) => stream.named('monitor.updated').map(({ data }) => data.monitor_name)

test('a stream that reconnects gets what it has missed once, from any process', async () => {
  const team = await aTeam()
  const first = await streamOf(team)
  await emit(team, 'one')
  const { id } = await first.next(isNamed('one'))
  first.leave()
  await emit(team, 'two', 'three')
  const second = await streamOf(team, id ?? '', planes[1]!.baseUrl)
  await emit(team, 'four')
  await second.next(isNamed('four'))
  expect(namesOf(second)).toEqual(['two', 'three', 'four'])
})

test('a stream that had no event reconnects from its position', async () => {
  const team = await aTeam()
  const first = await streamOf(team)
  await first.next(({ event }) => event === 'position')
  const { lastId } = first
  first.leave()
  await emit(team, 'one')
  await (await streamOf(team, lastId)).next(isNamed('one'))
})

test('an event with a smaller id that is committed later is not missed', async () => {
  const team = await aTeam()
  const first = await streamOf(team)
  const late = await platform().connect()
  try {
    await late.query('begin')
    await emitEvents(late, [eventOf(team, 'late')])
    await emit(team, 'early')
    const early = await first.next(isNamed('early'))
    first.leave()
    const second = await streamOf(team)
    await late.query('commit')
    const committed = await second.next(isNamed('late'))
    expect(Number(committed.id)).toBeLessThan(Number(early.id))
    const third = await streamOf(team, early.id ?? '')
    await third.next(isNamed('late'))
    expect(namesOf(third)).toEqual(['late'])
    // and one that has had both has missed nothing
    const fourth = await streamOf(team, committed.id ?? '')
    await emit(team, 'last')
    await fourth.next(isNamed('last'))
    expect(namesOf(fourth).slice(-1)).toEqual(['last'])
    expect(namesOf(fourth)).not.toContain('late')
  } finally {
    late.release()
  }
})

test('an id that is unknown, of another team or older than five minutes is answered by a reset', async () => {
  const [team, other] = [await aTeam(), await aTeam()]
  const [own, foreign] = [await streamOf(team), await streamOf(other)]
  await emit(team, 'old')
  await emit(other, 'foreign')
  const old = await own.next(isNamed('old'))
  const { id } = await foreign.next(isNamed('foreign'))
  const owner = new pg.Client({ connectionString: stores.ownerUrl })
  await owner.connect()
  await owner.query(`update stream_events set made_at = made_at - interval '301 seconds' where id = $1`, [old.id])
  await owner.end()
  for (const unknown of [old.id ?? '', id ?? '', '999999999999999999', 'x', '-1', '9'.repeat(30)]) {
    const stream = await streamOf(team, unknown)
    const reset = await stream.next(({ event }) => event === 'reset')
    expect(reset.id, unknown).toMatch(/^\d+$/)
    await emit(team, `after ${unknown}`)
    await stream.next(isNamed(`after ${unknown}`))
    expect(namesOf(stream)).toEqual([`after ${unknown}`])
    stream.leave()
  }
})

test('a stream that has missed more than 500 events is reset', async () => {
  const team = await aTeam()
  const first = await streamOf(team)
  await first.next(({ event }) => event === 'position')
  const { lastId } = first
  first.leave()
  await emit(team, ...Array.from({ length: 500 }, (_, index) => `n ${index}`))
  const whole = await streamOf(team, lastId)
  await whole.next(isNamed('n 499'))
  expect(namesOf(whole)).toHaveLength(500)
  whole.leave()
  await emit(team, 'n 500')
  const reset = await streamOf(team, lastId)
  await reset.next(({ event }) => event === 'reset')
  expect(namesOf(reset)).toEqual([])
})

test('every process sends what any of them has committed', async () => {
  const team = await aTeam()
  const streams = [await streamOf(team), await streamOf(team, undefined, planes[1]!.baseUrl)]
  await emit(team, 'one')
  for (const stream of streams) await stream.next(isNamed('one'))
})

test('a stream misses nothing when its process is killed', async () => {
  const team = await aTeam()
  const child = fork(join(import.meta.dirname, 'api-process.ts'))
  children.add(child)
  child.send(config)
  const [baseUrl] = (await once(child, 'message')) as [string]
  const first = await streamOf(team, undefined, baseUrl)
  const names = Array.from({ length: 60 }, (_, index) => `n ${index}`)
  const sending = (async () => {
    for (const name of names) await emit(team, name)
  })()
  await first.next(isNamed('n 20'))
  child.kill('SIGKILL')
  await first.ended()
  const second = await streamOf(team, first.lastId)
  await sending
  await second.next(isNamed('n 59'))
  expect([...namesOf(first), ...namesOf(second)]).toEqual(names)
})

test('a process that stops ends its streams, each with its own time to reconnect', async () => {
  const team = await aTeam()
  const plane = await startControlPlane(config, ['api'])
  const stream = await streamOf(team, undefined, plane.baseUrl)
  await plane.close()
  await stream.ended()
  expect(stream.text).toMatch(/\nretry: [1-5]\d{3}\n\n$/)
})
