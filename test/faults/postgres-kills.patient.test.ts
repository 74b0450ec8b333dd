import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ControlPlane, startControlPlane } from '#cli/serve/serve.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { configOn } from '#test/support/config.ts'
import { OwnPostgres } from '#test/support/own-postgres.ts'

/**
 * R3: a hosting firm's automation writes, and asks again under the same key until it is answered, while PostgreSQL is
 * killed. What was acknowledged is there, once; and whatever is there is there whole: the row, its audit entry and its
 * event.
 */
const kills = Number(process.env.POSTGRES_KILLS ?? 8)
const writersAtOnce = 6
/** Writes a token makes before the next one is used: it stays below its rate. */
const writesOfOneToken = 200

const folder = mkdtempSync(join(tmpdir(), 'vedette-postgres-kills-'))
let postgres: OwnPostgres
let plane: ControlPlane
let tenantId: string

beforeAll(async () => {
  postgres = await OwnPostgres.open(folder)
  plane = await startControlPlane(configOn(postgres.stores), ['api'])
  tenantId = await createTenant(plane.services.platform, { name: 'Team', slug: 'team', plan: 'pro' })
  await plane.services.platform.query(`update tenants set feature_overrides = '{"monitors":null}' where id = $1`, [
    tenantId,
  ])
})
afterAll(async () => {
  await plane?.close()
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

type Life = 'made' | 'changed' | 'gone'
interface Acknowledged {
  id: string
  name: string
  life: Life
}
const acknowledged: Acknowledged[] = []
let writes = 0
let unanswered = 0
let lastAnsweredAt = 0
let isOver = false

const newToken = () =>
  createToken(plane.services.platform, {
    kind: 'svc',
    tenantId,
    userId: null,
    name: 'x',
    scopes: ['monitors:manage'],
    expiresAt: null,
  })

/** Repeats a request until its answer is another than 503. Returns the id of what was written. */
async function untilAnswered(
  token: string,
  method: string,
  path: string,
  expected: readonly number[],
  body?: object,
): Promise<string | undefined> {
  const key = `${method} ${path} ${JSON.stringify(body)}`.replaceAll(/[^\x21-\x7e]/g, '-')
  for (;;) {
    const answer = await fetch(`${plane.baseUrl}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': key },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (expected.includes(answer.status)) {
      writes++
      lastAnsweredAt = performance.now()
      return text ? JSON.parse(text).data.id : undefined
    }
    if (answer.status !== 503) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 300)}`)
    unanswered++
    await sleep(20)
  }
}

async function write(writer: number): Promise<void> {
  for (let token = '', n = 0; !isOver; n++) {
    if (n % (writesOfOneToken / 2) === 0) token = (await newToken()).plain
    const name = `${writer}-${n}`
    const id = (await untilAnswered(token, 'POST', '/monitors', [201], { name, url: 'https://shop.example.com/' }))!
    const it: Acknowledged = { id, name, life: 'made' }
    acknowledged.push(it)
    if (n % 2 === 0) continue
    if (n % 4 === 1) {
      await untilAnswered(token, 'PATCH', `/monitors/${id}`, [200], { name: `${name} changed` })
      it.life = 'changed'
    } else {
      // 404: the first request was done, and only its answer was lost
      await untilAnswered(token, 'DELETE', `/monitors/${id}`, [204, 404])
      it.life = 'gone'
    }
  }
}

/**
 * Monitors whose state is another than was acknowledged, names that are there twice, and monitors that lack an audit
 * entry or event, or have one too many.
 */
async function wrong(): Promise<{ lost: string[]; doubled: string[]; partial: string[] }> {
  const owner = new pg.Client({ connectionString: postgres.stores.ownerUrl })
  await owner.connect()
  const { rows } = await owner.query<{ id: string; name: string | null; audited: string[]; published: string[] }>(
    `with audited as (
       select entity_id as id, array_agg(action order by created_at, action) as actions
       from audit_entries where entity_type = 'monitor' group by 1
     ), published as (
       select (payload ->> 'monitor_id')::uuid as id, array_agg(name order by id) as events
       from outbox where kind = 'event' group by 1
     )
     select coalesce(m.id, a.id, p.id) as id, m.name, coalesce(a.actions, '{}') as audited,
       coalesce(p.events, '{}') as published
     from monitors m full join audited a on a.id = m.id full join published p on p.id = coalesce(m.id, a.id)`,
  )
  await owner.end()
  const found = new Map(rows.map(row => [row.id, row]))
  const expectedName = ({ name, life }: Acknowledged) =>
    life === 'gone' ? null : life === 'changed' ? `${name} changed` : name
  const firstNames = rows.flatMap(({ name }) => name?.split(' ')[0] ?? [])
  return {
    lost: acknowledged
      .filter(it => (found.get(it.id) ?? { name: undefined }).name !== expectedName(it))
      .map(({ name, life }) => `${name} ${life}`),
    doubled: firstNames.filter((name, index) => firstNames.indexOf(name) !== index),
    partial: rows
      .filter(({ name, audited, published }) => {
        // in the order of the alphabet
        const whole = [
          'monitor.created',
          ...(name === null ? ['monitor.deleted'] : []),
          ...(name?.endsWith(' changed') ? ['monitor.updated'] : []),
        ].join()
        return audited.toSorted().join() !== whole || published.toSorted().join() !== whole
      })
      .map(({ id, name, audited, published }) => `${id} ${name}: audited ${audited}, published ${published}`),
  }
}

test(`PostgreSQL killed ${kills} times: no acknowledged write is lost, done twice or in part`, {
  timeout: 120_000 + kills * 20_000,
}, async () => {
  const writers = Array.from({ length: writersAtOnce }, (_, writer) => write(writer))
  const backMs: number[] = []
  for (let kill = 0; kill < kills; kill++) {
    await sleep(600 + Math.random() * 900)
    const killedAt = performance.now()
    await postgres.kill()
    await postgres.start()
    // what was on its way when it was killed may have been answered a moment later
    const startedAt = performance.now()
    while (lastAnsweredAt < startedAt) await sleep(10)
    backMs.push(lastAnsweredAt - killedAt)
  }
  isOver = true
  await Promise.all(writers)

  const found = await wrong()
  console.log(
    `PostgreSQL kills ${kills}: ${writes.toLocaleString('en')} writes acknowledged, ${unanswered} repeated; ${found.lost.length} lost, ${found.doubled.length} doubled, ${found.partial.length} partial (bound ${(300 / kills).toFixed(1)} % a kill); writing again after ${Math.round(Math.max(...backMs))} ms at most`,
  )
  expect(found).toEqual({ lost: [], doubled: [], partial: [] })
  expect(writes).toBeGreaterThan(kills * 5)
  // otherwise no kill met a write
  expect(unanswered).toBeGreaterThan(kills)
  expect(Math.max(...backMs)).toBeLessThan(10_000)
})

test('control: what is taken away is missed', async () => {
  const owner = new pg.Client({ connectionString: postgres.stores.ownerUrl })
  await owner.connect()
  const [first, second, third] = acknowledged.filter(({ life }) => life === 'made') as [
    Acknowledged,
    Acknowledged,
    Acknowledged,
  ]
  await owner.query('delete from monitors where id = $1', [first.id])
  await owner.query(`delete from outbox where payload ->> 'monitor_id' = $1`, [second.id])
  await owner.query(`update monitors set name = $2 where id = $1`, [third.id, second.name])
  await owner.end()
  const { lost, doubled, partial } = await wrong()
  expect(lost).toEqual([`${first.name} made`, `${third.name} made`])
  expect(doubled).toEqual([second.name])
  expect(partial).toHaveLength(2)
})
