import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { SpanReceiver } from '#test/support/span-receiver.ts'
import { type Stores, startServing, withStores } from './api.ts'
import { claim, median, quantile, round } from './figures.ts'
import { usageOf } from './processes.ts'
import { ask } from './read/load.ts'

/**
 * What traces cost the API: processor time of its process for each request, with tracing off, with 1 % of requests
 * recorded and with all. Three processes on the same stores take turns in each round, so that what others do to the
 * machine meanwhile is the same for each.
 */
const rounds = Number(process.env.TRACING_ROUNDS ?? 15)
const requests = Number(process.env.TRACING_REQUESTS ?? 3_000)
const [teams, tokensEach, monitorsEach, atOnce] = [20, 100, 50, 8]

interface Caller {
  token: string
  monitor: string
}

interface Way {
  name: string
  served: Awaited<ReturnType<typeof startServing>>
  /** Milliseconds of processor time a request, of each round. */
  cpuMs: number[]
}

async function seed({ platformUrl }: Stores): Promise<Caller[]> {
  const pool = new pg.Pool({ connectionString: platformUrl, max: 4 })
  const callers: Caller[] = []
  for (let team = 0; team < teams; team++) {
    const tenantId = await createTenant(pool, {
      ...{ name: `Team ${team}`, slug: `t-${randomUUID()}`, plan: 'pro' },
      ...{ featureOverrides: {}, isReseller: false },
    })
    const { rows } = await pool.query<{ id: string }>(
      `insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, region_policy, confirmations,
         recovery_confirmations, status)
       select gen_random_uuid(), $1, 'Monitor ' || n, 'https://example.com/' || n, 'website', 60, 10,
         '{"mode":"majority","count":null}', 2, 2, 'up' from generate_series(1, $2::int) n returning id`,
      [tenantId, monitorsEach],
    )
    for (let n = 0; n < tokensEach; n++) {
      const scopes = ['monitors:read']
      const made = { kind: 'svc', tenantId, userId: null, name: `token ${n}`, scopes, expiresAt: null } as const
      callers.push({ token: (await createToken(pool, made)).plain, monitor: rows[n % rows.length]!.id })
    }
  }
  await pool.end()
  return callers
}

let turn = 0

/** Pages of monitors and single ones in turn, each request by the next token. */
async function load(port: number, callers: readonly Caller[], count: number): Promise<void> {
  let left = count
  const one = async () => {
    while (left-- > 0) {
      const { token, monitor } = callers[turn++ % callers.length]!
      const path = turn % 2 ? '/api/v1/monitors?per_page=20' : `/api/v1/monitors/${monitor}`
      const { status, text } = await ask({ port, path, token })
      if (status !== 200) throw new Error(`${path} answered ${status}: ${text.slice(0, 300)}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

await withStores('tracing', async stores => {
  const receiver = await SpanReceiver.open()
  const callers = await seed(stores)
  const recording = (share: string) => ({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_TRACES_SAMPLER_ARG: share,
  })
  const ways: Way[] = []
  try {
    for (const [name, settings] of [
      ['off', {}],
      ['1 %', recording('0.01')],
      ['all', recording('1')],
    ] as const)
      ways.push({ name, served: await startServing(stores, 'api', settings), cpuMs: [] })
    for (const { served } of ways) await load(served.port, callers, requests)
    for (let n = 0; n < rounds; n++)
      // each goes first as often as the others
      for (let place = 0; place < ways.length; place++) {
        const { served, cpuMs } = ways[(n + place) % ways.length]!
        const before = usageOf(served.pid).cpuS
        await load(served.port, callers, requests)
        cpuMs.push(((usageOf(served.pid).cpuS - before) * 1_000) / requests)
      }
  } finally {
    await Promise.all(ways.map(({ served }) => served.stop()))
    await receiver.close()
  }
  const [off, ...others] = ways as [Way, ...Way[]]
  for (const { name, cpuMs } of ways) {
    const [low, half, high] = [0.25, 0.5, 0.75].map(q => round(quantile(cpuMs, q)))
    console.log(`      ${name}: ${half} ms of a processor a request (half of the rounds ${low} to ${high})`)
  }
  console.log(`      spans received: ${receiver.spans.length}`)
  const ratios = others.map(({ cpuMs }) => median(cpuMs.map((ms, index) => ms / (off.cpuMs[index] ?? Number.NaN))))
  console.log(`      all recorded: ${round(ratios[1] ?? Number.NaN)} times as much as off`)
  claim('1 % recorded against off, median of the rounds', ratios[0] ?? Number.NaN, 'under', 1.03, ' times')
})
