import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { rateLimits } from '#control-plane/http/rate.ts'
import { addManagedTeam } from '#control-plane/reselling/managed-teams/add-managed-team.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { type Started, spentBy, withSystem } from './auth/system.ts'
import { claim, median, round } from './figures.ts'
import { hammer } from './read/load.ts'

/**
 * What the way in costs: bearer lookup, scope, tenant context and rate count in front of endpoints that do nothing,
 * beside a bare Koa route.
 */
const runs = Number(process.env.AUTH_RUNS ?? 5)
const seconds = Number(process.env.AUTH_SECONDS ?? 3)
const connections = Number(process.env.AUTH_CONNECTIONS ?? 32)
/** Each sends at most its limit a minute; what a fast machine could send beyond that waits for the next minute. */
const tokens = Number(process.env.AUTH_TOKENS ?? 3_000)

/**
 * Requests of the last minute and a little more; a run waits until all tokens together may send what it is about to.
 */
class Allowance {
  readonly #perMinute: number
  #sent: { at: number; requests: number }[] = []
  #rate = 0

  constructor(perMinute: number) {
    this.#perMinute = perMinute
  }

  async wait(): Promise<void> {
    for (;;) {
      this.#sent = this.#sent.filter(({ at }) => at > performance.now() - 62_000)
      const sent = this.#sent.reduce((sum, { requests }) => sum + requests, 0)
      // tokens take turns, but not to the last request; and a run may be faster than the one before it
      if (this.#sent.length === 0 || sent + 1.5 * this.#rate * seconds < 0.9 * this.#perMinute) return
      await sleep(1_000)
    }
  }

  note(rate: number, lasted: number): void {
    this.#rate = Math.max(this.#rate, rate)
    this.#sent.push({ at: performance.now(), requests: rate * lasted })
  }
}

await withSystem('auth', async ({ owner, platformUrl, start, startApi }) => {
  const callers = await seed(platformUrl, owner)
  const ours = await startApi()
  await measure(await start('bare-koa.ts'), ours, callers)
})

interface CallerLine {
  token: string
  team: string
}

/** Resellers with a hundred tokens each, and a team for every token. */
async function seed(platformUrl: string, owner: string): Promise<CallerLine[]> {
  const pool = new pg.Pool({ connectionString: platformUrl, max: 4 })
  const callers: CallerLine[] = []
  try {
    for (let done = 0; done < tokens; done += 100) {
      const tenantId = await createTenant(pool, { name: 'Reseller', slug: `r-${done}`, plan: 'pro', isReseller: true })
      const userId = randomUUID()
      await pool.query('insert into users (id, name, email, home_tenant_id) values ($1, $2, $3, $4)', [
        userId,
        'Pat',
        `${userId}@bench.test`,
        tenantId,
      ])
      await pool.query(`insert into memberships (user_id, tenant_id, role) values ($1, $2, 'owner')`, [
        userId,
        tenantId,
      ])
      for (let n = done; n < Math.min(tokens, done + 100); n++) {
        const team = await createTenant(pool, { name: 'Team', slug: `t-${n}`, plan: 'pro' })
        await addManagedTeam(pool, tenantId, team, null)
        const scopes = ['teams:manage', 'monitors:manage']
        callers.push({
          team,
          token: (await createToken(pool, { kind: 'rk', tenantId, userId, name: 'bench', scopes, expiresAt: null }))
            .plain,
        })
      }
    }
    // as tokens in use are: noted less than a minute ago
    await pool.query('update tokens set last_used_at = now()')
  } finally {
    await pool.end()
  }
  const client = new pg.Client({ connectionString: owner })
  await client.connect()
  await client.query('vacuum analyze')
  await client.end()
  return callers
}

/** Answers a second, and what each cost: statements, and microseconds of the process's computing. */
async function load(server: Started, path: string, headers: readonly string[]) {
  const before = await spentBy(server)
  const rate = await hammer(server.port, [path], { seconds, connections, headers })
  const after = await spentBy(server)
  return {
    rate,
    statements: (after.statements - before.statements) / (rate * seconds),
    cpuUs: (after.cpuUs - before.cpuUs) / (rate * seconds),
  }
}

async function measure(bare: Started, ours: Started, callers: readonly CallerLine[]): Promise<void> {
  const guards = {
    'reseller guard': {
      path: '/api/v1/reseller/tokens/scopes',
      limit: rateLimits.reseller,
      headers: callers.map(({ token }) => `Authorization: Bearer ${token}\r\n`),
    },
    'tenant guard with X-Tenant-Id': {
      path: '/api/v1/nothing',
      limit: rateLimits['tenant-context'],
      headers: callers.map(({ token, team }) => `Authorization: Bearer ${token}\r\nX-Tenant-Id: ${team}\r\n`),
    },
  }
  for (const [name, { path, limit, headers }] of Object.entries(guards)) {
    const allowance = new Allowance(limit * callers.length)
    await hammer(bare.port, [path], { seconds: 1, connections, headers })
    allowance.note(await hammer(ours.port, [path], { seconds: 1, connections, headers }), 1)
    const shares: number[] = []
    const perRequest: number[] = []
    for (let run = 0; run < runs; run++) {
      const plain = await load(bare, path, headers)
      await allowance.wait()
      const own = await load(ours, path, headers)
      allowance.note(own.rate, seconds)
      console.log(
        `      ${name}: bare Koa ${round(plain.rate)} a second at ${round(plain.cpuUs)} µs of computing each, ours ${round(own.rate)} at ${round(own.cpuUs)} µs`,
      )
      shares.push((100 * own.rate) / plain.rate)
      perRequest.push(own.statements)
    }
    claim(`${name}, share of a bare Koa route`, median(shares), 'at least', 50, ' %')
    claim(`${name}, statements a request`, median(perRequest), 'under', 2.001)
  }
}
