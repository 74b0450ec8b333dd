import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Agent, request } from 'undici'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { createUser } from '#control-plane/identity/users/create.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { type Started, spentBy, withSystem } from './auth/system.ts'
import { claim, median, quantile, round } from './figures.ts'

/**
 * Whether hashing passwords starves the API: people sign in by browser at a steady rate while others list their
 * monitors. And whether a session of a browser costs statements that a bearer token does not.
 */
const runs = Number(process.env.LOGIN_RUNS ?? 3)
const seconds = Number(process.env.LOGIN_SECONDS ?? 10)
const loginsASecond = 20
const readsASecond = 40
const people = 40
const monitors = 10
const password = 'correct horse battery staple'

const dispatcher = new Agent({ connections: 64 })

interface Person {
  email: string
  token: string
}

let address = 0
/** Each request has a client of its own, since those are counted by address. */
const nextAddress = () => {
  address++
  return `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`
}

type Headers = Record<string, string>

async function send(port: number, method: 'GET' | 'POST', path: string, headers: Headers, body?: object) {
  const started = performance.now()
  const answer = await request(`http://127.0.0.1:${port}/api/v1${path}`, {
    dispatcher,
    method,
    headers: {
      'X-Forwarded-For': nextAddress(),
      ...headers,
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  await answer.body.dump()
  return { status: answer.statusCode, ms: performance.now() - started, cookie: answer.headers['set-cookie'] }
}

type Sent = Awaited<ReturnType<typeof send>>

/** Requests at a steady rate, whether or not earlier ones have been answered. */
async function steadily(aSecond: number, one: (n: number) => Promise<Sent>): Promise<Sent[]> {
  const started = performance.now()
  const open: Promise<Sent>[] = []
  for (let n = 0; n < aSecond * seconds; n++) {
    await sleep(Math.max(0, started + (n * 1_000) / aSecond - performance.now()))
    open.push(one(n))
  }
  return Promise.all(open)
}

async function seed(platformUrl: string): Promise<Person[]> {
  const pool = new pg.Pool({ connectionString: platformUrl, max: 4 })
  const persons: Person[] = []
  try {
    for (let n = 0; n < people; n++) {
      const email = `person-${n}@bench.test`
      const tenantId = await createTenant(pool, { name: 'Team', slug: `t-${n}`, plan: 'pro' })
      const userId = await createUser(pool, { name: 'Pat', email, password, tenantId, role: 'owner' })
      const made = { kind: 'ss' as const, tenantId, userId, name: 'bench', scopes: [], expiresAt: null }
      persons.push({ email, token: (await createToken(pool, made)).plain })
    }
  } finally {
    await pool.end()
  }
  return persons
}

/** Monitors for everybody’s list. */
async function furnish(port: number, persons: readonly Person[]): Promise<void> {
  for (const { token } of persons)
    for (let n = 0; n < monitors; n++) {
      const body = { name: `Monitor ${n}`, url: `https://example.com/${n}`, type: 'website' }
      await send(port, 'POST', '/monitors', { Authorization: `Bearer ${token}` }, body)
    }
}

const logIn = (port: number, { email }: Person) =>
  send(port, 'POST', '/auth/login', { 'Sec-Fetch-Site': 'same-origin' }, { email, password })

const listMonitors = (port: number, { token }: Person) =>
  send(port, 'GET', '/monitors', { Authorization: `Bearer ${token}` })

const personOf = (persons: readonly Person[], n: number) => persons[n % persons.length]!
const refused = (sent: readonly Sent[]) => sent.filter(({ status }) => status !== 200).length
const timesOf = (sent: readonly Sent[]) => sent.map(({ ms }) => ms)

/** The statements of one request with these headers, of many. */
async function statementsOf(api: Started, headers: Headers): Promise<number> {
  const rounds = 200
  await send(api.port, 'GET', '/nothing', headers)
  const before = await spentBy(api)
  for (let n = 0; n < rounds; n++) await send(api.port, 'GET', '/nothing', headers)
  return ((await spentBy(api)).statements - before.statements) / rounds
}

await withSystem('login', async ({ platformUrl, startApi }) => {
  const persons = await seed(platformUrl)
  const api = await startApi({ TRUSTED_PROXIES: '1' })
  const { port } = api
  await furnish(port, persons)
  for (let n = 0; n < 20; n++) await listMonitors(port, personOf(persons, n))
  const alone: number[] = []
  const beside: number[] = []
  for (let run = 0; run < runs; run++) {
    const quiet = await steadily(readsASecond, n => listMonitors(port, personOf(persons, n)))
    const [logins, reads] = await Promise.all([
      steadily(loginsASecond, n => logIn(port, personOf(persons, n))),
      steadily(readsASecond, n => listMonitors(port, personOf(persons, n))),
    ])
    alone.push(quantile(timesOf(quiet), 0.99))
    beside.push(quantile(timesOf(reads), 0.99))
    console.log(
      `      sign-in: half within ${round(median(timesOf(logins)))} ms, p99 ${round(quantile(timesOf(logins), 0.99))} ms, ` +
        `${refused(logins)} of ${logins.length} refused; reads: p99 ${round(beside.at(-1)!)} ms, ` +
        `${round(alone.at(-1)!)} ms without sign-ins, ${refused(reads)} refused`,
    )
    claim('sign-ins refused', refused(logins), 'under', 1)
    claim('reads refused', refused(reads), 'under', 1)
  }
  claim(`GET /monitors p99 beside ${loginsASecond} sign-ins a second`, median(beside), 'under', 60, ' ms')
  const { cookie } = await logIn(port, personOf(persons, 0))
  const session = [cookie ?? []].flat()[0]?.split(';')[0] ?? ''
  const byBearer = await statementsOf(api, { Authorization: `Bearer ${personOf(persons, 0).token}` })
  const byCookie = await statementsOf(api, { Cookie: session })
  claim('statements of a request by cookie, beyond those by bearer token', byCookie - byBearer, 'under', 0.02)
  console.log(`      statements a request: ${round(byCookie)} by cookie, ${round(byBearer)} by bearer token`)
})
await dispatcher.close()
