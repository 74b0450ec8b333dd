import { randomUUID } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { emitEvents } from '#control-plane/outbox/emit.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { spentBy, withSystem } from './auth/system.ts'
import { claim, median, quantile, round } from './figures.ts'
import { usageOf } from './processes.ts'

/**
 * What 2,000 open streams cost one process of the API while nothing happens, and how long a change takes from the start
 * of its commit to each client of its team.
 */
const streams = 2_000
const teams = 200
const restSeconds = Number(process.env.STREAM_SECONDS ?? 20)
const changes = 300
const openedAtOnce = 50

interface Team {
  tenantId: string
  tokens: string[]
}

async function seed(pool: pg.Pool): Promise<Team[]> {
  const made: Team[] = []
  for (let n = 0; n < teams; n++) {
    const tenantId = await createTenant(pool, { name: 'Team', slug: `t-${n}`, plan: 'pro' })
    const tokens: string[] = []
    for (let m = 0; m < streams / teams; m++) {
      const scopes = ['monitors:read', 'incidents:read']
      const key = { kind: 'svc' as const, tenantId, userId: null, name: 'bench', scopes, expiresAt: null }
      tokens.push((await createToken(pool, key)).plain)
    }
    made.push({ tenantId, tokens })
  }
  return made
}

/** When each change arrived, by its name. */
const arrivals = new Map<string, number[]>()

function open(port: number, token: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const url = `http://127.0.0.1:${port}/api/v1/stream?topics=monitors,incidents`
    const headers = { Authorization: `Bearer ${token}` }
    get(url, { headers, agent: false }, response => {
      if (response.statusCode !== 200) reject(new Error(`A stream was answered ${response.statusCode}.`))
      response.on('error', () => undefined)
      response.on('data', (chunk: Buffer) => {
        const now = performance.now()
        for (const [, name] of chunk.toString().matchAll(/"monitor_name": "([^"]+)"/g)) arrivals.get(name!)?.push(now)
      })
      resolve(response)
    }).on('error', reject)
  })
}

await withSystem('stream', async ({ platformUrl, startApi }) => {
  const pool = new pg.Pool({ connectionString: platformUrl, max: 4 })
  const seeded = await seed(pool)
  const api = await startApi({ TRUSTED_PROXIES: '1' })
  const root = api.child.pid!
  await (await open(api.port, seeded[0]!.tokens[0]!)).destroy()
  const memoryBefore = usageOf(root).rss
  const tokens = seeded.flatMap(team => team.tokens)
  const opened: IncomingMessage[] = []
  const started = performance.now()
  for (let from = 0; from < tokens.length; from += openedAtOnce)
    opened.push(...(await Promise.all(tokens.slice(from, from + openedAtOnce).map(token => open(api.port, token)))))
  console.log(`      ${opened.length} streams opened in ${round((performance.now() - started) / 1_000)} s`)

  await sleep(5_000)
  const before = await spentBy(api)
  await sleep(restSeconds * 1_000)
  const after = await spentBy(api)
  const memory = usageOf(root).rss
  claim('memory that the streams cost', (memory - memoryBefore) / 1e6, 'under', 300, ' MB')
  console.log(
    `      ${round(memory / 1e6)} MB the process, ${round((memory - memoryBefore) / streams / 1_000)} kB a stream`,
  )
  claim('processor at rest', (after.cpuUs - before.cpuUs) / restSeconds / 10_000, 'under', 10, ' % of a core')
  console.log(`      ${round((after.statements - before.statements) / restSeconds)} statements a second at rest`)

  const sentAt = new Map<string, number>()
  for (let n = 0; n < changes; n++) {
    const name = `change ${n}`
    const { tenantId } = seeded[n % teams]!
    arrivals.set(name, [])
    sentAt.set(name, performance.now())
    const payload = { monitor_id: randomUUID(), monitor_name: name, monitor_url: 'https://example.com/' }
    await emitEvents(pool, [{ tenantId, name: 'monitor.updated', payload }])
    await sleep(20)
  }
  await sleep(2_000)
  const times = [...arrivals].flatMap(([name, moments]) => moments.map(moment => moment - sentAt.get(name)!))
  claim('changes that reached every stream of their team', times.length, 'at least', changes * (streams / teams))
  console.log(`      half within ${round(median(times))} ms`)
  claim('from commit to client, p99', quantile(times, 0.99), 'under', 1_000, ' ms')
  for (const response of opened) response.destroy()
  await pool.end()
})
