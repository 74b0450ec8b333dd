import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { openClickhouse } from '#analytics/client.ts'
import { makeDemoResults } from '#analytics/demo.ts'
import { eraseTenant } from '#analytics/erase-tenant.ts'
import { messageOf, StartFault } from '#cli/fault.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { createUser } from '#control-plane/identity/users/create.ts'
import { addManagedTeam } from '#control-plane/reselling/managed-teams/add-managed-team.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { type Api, addBasics, addEverything, apiOf, type Person } from './live.ts'
import { checksOf, type DemoSite, days, writeMonitors } from './past.ts'
import { beat, forgetPulse, writePulse } from './pulse.ts'
import { type DemoTeam, emailOf, teams } from './teams.ts'

interface Made {
  team: DemoTeam
  tenant: string
  people: Person[]
  sites: DemoSite[]
}

const reseller = { name: 'Northwind Hosting', slug: 'northwind', person: 'Rae Seller', email: 'rae@northwind.example' }
const roles = ['owner', 'admin', 'member', 'viewer'] as const

interface Places {
  platform: pg.Pool
  clickhouseUrl: string
  /** Where people use it, and where this machine reaches it. */
  baseUrl: string
  api: string
  /** Where the sample sites are. */
  sites: string
  dataDir: string
}

function placesIn(environment: NodeJS.ProcessEnv): Omit<Places, 'platform'> {
  const { CLICKHOUSE_URL = '', BASE_URL = '', PORT, HOST, SAMPLE_SITES_URL, DATA_DIR } = environment
  if (!SAMPLE_SITES_URL || !DATA_DIR)
    throw new StartFault(
      'config',
      'the sample sites are served by npm start alone',
      'The demo checks sites of its own, on a port that only a start on one machine opens.',
      'npm start -- --demo',
      'or, beside a start that runs: vedette demo --data FOLDER',
    )
  const host = !HOST || HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST
  return {
    clickhouseUrl: CLICKHOUSE_URL,
    baseUrl: BASE_URL,
    api: `http://${host}:${PORT}`,
    sites: SAMPLE_SITES_URL,
    dataDir: DATA_DIR,
  }
}

/**
 * Fills an installation that runs with a reseller and five customers, whose monitors check the sample sites: 90 days of
 * results, verdicts and incidents, and one of everything else, made through the API. A second run replaces the first.
 */
export async function demo(environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  const platform = new pg.Pool({ connectionString: environment.DATABASE_PLATFORM_URL ?? '', max: 2 })
  const places = { ...placesIn(environment), platform }
  const began = performance.now()
  const now = new Date()
  const password = randomBytes(9).toString('base64url')
  try {
    forgetPulse(places.dataDir)
    const { made, results } = await fillStores(places, password, now)
    await Promise.all([results, makeLive(places, made, now)])
    printEnd(places, made, password, performance.now() - began)
  } finally {
    await platform.end()
  }
}

/** Writes teams, people, monitors and their past. `results`: settles when 90 days of results are written too. */
export async function fillStores(
  { platform, clickhouseUrl, sites: address }: Pick<Places, 'platform' | 'clickhouseUrl' | 'sites'>,
  password: string,
  now = new Date(),
): Promise<{ made: Made[]; results: Promise<void> }> {
  const { rows } = await platform.query<{ name: string }>(
    'select name from regions where retired_at is null order by name',
  )
  const regions = rows.map(({ name }) => name)
  const removed = await inTransaction(platform, removeTeams)
  const made = await step('teams, people, monitors and their incidents', () =>
    inTransaction(platform, client => writeTeams(client, { sites: address, regions, password, now })),
  )
  const sites = made.flatMap(team => team.sites)
  const results = step(`${days} days of results of ${sites.length} monitors`, async () => {
    await eraseResultsOf(clickhouseUrl, removed)
    const clickhouse = openClickhouse(clickhouseUrl, { requestTimeoutMs: 600_000 })
    try {
      await makeDemoResults(clickhouse, { checks: checksOf(sites, regions), now, days })
    } finally {
      await clickhouse.close()
    }
  })
  return { made, results }
}

/** Runs each check once and makes everything else, as the owners of the teams. */
async function makeLive(places: Places, made: readonly Made[], now: Date): Promise<void> {
  const apis = new Map<DemoTeam, Api>()
  for (const { team, tenant, people } of made) apis.set(team, await signIn(places, tenant, people[0]?.id ?? ''))
  await step('a run of each check', () => runAll(made, apis))
  await step('channels, rules, pages, on-call schedule, jobs, a server, maintenance, a migration', async () => {
    for (const [index, { team, people, sites: own }] of made.entries()) {
      const monitors = own.map(({ monitor: id, name }) => ({ id, name }))
      const living = { api: apis.get(team) as Api, team, people, monitors, sites: places.sites, now }
      await addBasics(living)
      if (index > 0) continue
      const pulse = { sites: places.sites, ...(await addEverything(living)) }
      writePulse(places.dataDir, pulse)
      await beat(pulse, places.api)
    }
  })
}

/** Deletes what the demo has made: its teams with all of theirs, and its people. */
export async function removeDemo(environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  const platform = new pg.Pool({ connectionString: environment.DATABASE_PLATFORM_URL ?? '', max: 1 })
  const { dataDir, clickhouseUrl } = placesIn(environment)
  try {
    forgetPulse(dataDir)
    const removed = await inTransaction(platform, removeTeams)
    await eraseResultsOf(clickhouseUrl, removed)
    console.log(
      removed.length > 0
        ? `  ok  Demo                 ${removed.length} teams and their people are deleted`
        : '  --  There is no demo',
    )
  } finally {
    await platform.end()
  }
}

/** The ids of the teams. */
async function removeTeams(client: pg.PoolClient): Promise<string[]> {
  const emails = [reseller.email, ...teams.flatMap(team => team.people.map(person => emailOf(team, person)))]
  const { rows } = await client.query<{ id: string }>('delete from tenants where slug = any($1) returning id', [
    teams.map(team => team.slug),
  ])
  await client.query('delete from users where email = any($1)', [emails])
  return rows.map(({ id }) => id)
}

async function eraseResultsOf(clickhouseUrl: string, tenants: readonly string[]): Promise<void> {
  const clickhouse = openClickhouse(clickhouseUrl, { requestTimeoutMs: 600_000 })
  try {
    for (const tenantId of tenants) await eraseTenant(clickhouse, { tenantId, purgedAt: new Date() })
  } finally {
    await clickhouse.close()
  }
}

async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  console.log(`  ..  Demo                 ${title}`)
  try {
    const result = await work()
    const seconds = ((performance.now() - began) / 1_000).toFixed(1)
    if (performance.now() - began > 1_000) console.log(`  ok  Demo                 ${title}  ${seconds} s`)
    return result
  } catch (error) {
    throw error instanceof StartFault
      ? error
      : new StartFault(
          'failed',
          `the demo could not be made: ${title}`,
          messageOf(error),
          'node cli/vedette.js demo      begins again',
          'node cli/vedette.js demo --remove      deletes what there is of it',
        )
  }
}

async function writeTeams(
  client: pg.PoolClient,
  { sites, regions, password, now }: { sites: string; regions: string[]; password: string; now: Date },
): Promise<Made[]> {
  const owner = await createTenant(client, { name: reseller.name, slug: reseller.slug, plan: 'pro', isReseller: true })
  const rae = { name: reseller.person, email: reseller.email, password, tenantId: owner, role: 'owner' as const }
  await createUser(client, rae)
  const made: Made[] = []
  let seed = 0
  for (const team of teams) {
    const tenant = await createTenant(client, { name: team.name, slug: team.slug, plan: 'pro' })
    await client.query('update tenants set created_at = $2 where id = $1', [
      tenant,
      new Date(now.getTime() - days * 86_400_000),
    ])
    await addManagedTeam(client, owner, tenant, team.label)
    const people: Person[] = []
    for (const [index, name] of team.people.entries()) {
      const email = emailOf(team, name)
      const role = roles[Math.min(index, roles.length - 1)] ?? 'viewer'
      people.push({ id: await createUser(client, { name, email, password, tenantId: tenant, role }), email })
    }
    made.push({ team, tenant, people, sites: await writeMonitors(client, team, { tenant, sites, regions, now, seed }) })
    seed += team.sites.length
  }
  return made
}

async function signIn({ platform, api }: Places, tenantId: string, userId: string): Promise<Api> {
  const { plain } = await createToken(platform, {
    kind: 'ss',
    tenantId,
    userId,
    name: 'demo',
    scopes: [],
    expiresAt: new Date(Date.now() + 3_600_000),
  })
  return apiOf(api, plain)
}

/** Agents run the checks now, and not within the five minutes of their interval. */
async function runAll(made: readonly Made[], apis: ReadonlyMap<DemoTeam, Api>): Promise<void> {
  for (const { team, sites } of made)
    await Promise.all(sites.map(({ check }) => apis.get(team)?.post(`/checks/${check}/request-run`, {})))
}

function printEnd(
  { baseUrl, dataDir }: Pick<Places, 'baseUrl' | 'dataDir'>,
  made: readonly Made[],
  password: string,
  tookMs: number,
): void {
  const sites = made.flatMap(team => team.sites)
  const incidents = sites.reduce((sum, { outages }) => sum + outages.filter(outage => outage.isEverywhere).length, 0)
  const [first] = made
  const lines = [
    `Sign in    ${baseUrl}/login`,
    `           ${reseller.email}  ${password}    the reseller, ${reseller.name}`,
    `           ${first?.people[0]?.email}  ${password}    a customer, ${first?.team.name}`,
    `Page       ${baseUrl}/status/${first?.team.slug}`,
    `Remove it  node cli/vedette.js demo --remove --data ${dataDir}`,
  ]
  for (const line of lines) console.log(`  ${line}`)
  console.log(
    `demo: ${made.length} teams, ${sites.length} monitors, ${days} days of results, ${incidents} incidents, ` +
      `in ${(tookMs / 1_000).toFixed(1)} s`,
  )
}
