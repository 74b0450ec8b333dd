import { createClient } from '@clickhouse/client'
import pg from 'pg'
import { v5 as nameUuid } from 'uuid'
import { type DemoCheck, type DemoOutage, makeDemoResults } from '#analytics/demo.ts'
import { noPhases } from '#contract/check.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import type { QuorumProof } from '#control-plane/engine/verdicts/proof.ts'
import { adoptTenant } from '#control-plane/reselling/managed-teams/adopt.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'

const days = 90
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const intervalS = 300
/** Demo ids are derived from names, so that a second run replaces the first. */
const namespace = '6f0f6b0e-5c0e-4b8a-9d5b-0f5f2a9f3c11'

const teams = [
  {
    slug: 'demo-bakery',
    name: 'Bakery Blume',
    label: 'gold',
    sites: [
      'shop',
      'blog',
      'orders',
      'login',
      'api',
      'cdn',
      'search',
      'mail',
      'payments',
      'status',
      'careers',
      'press',
    ],
  },
  {
    slug: 'demo-clinic',
    name: 'Clinic Seeblick',
    label: 'gold',
    sites: [
      'portal',
      'booking',
      'records',
      'imaging',
      'lab',
      'intranet',
      'api',
      'forms',
      'billing',
      'video',
      'archive',
      'gateway',
      'vpn',
      'feedback',
    ],
  },
  {
    slug: 'demo-studio',
    name: 'Studio Nord',
    label: 'silver',
    sites: [
      'www',
      'portfolio',
      'fonts',
      'assets',
      'client-a',
      'client-b',
      'client-c',
      'staging',
      'api',
      'uploads',
      'render',
      'tickets',
      'wiki',
      'chat',
    ],
  },
] as const

interface DemoSite {
  tenant: string
  monitor: string
  check: string
  name: string
  outages: (DemoOutage & { isEverywhere: boolean })[]
}

/**
 * Creates three teams of the first reseller with 40 monitors and 90 days of results, verdicts and incidents. The
 * checks run on.
 */
export async function demo(environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  const began = performance.now()
  const {
    DATABASE_PLATFORM_URL: platformUrl = '',
    CLICKHOUSE_URL: clickhouseUrl = '',
    BASE_URL: baseUrl = 'http://localhost:8080',
  } = environment
  const platform = new pg.Pool({ connectionString: platformUrl, max: 1 })
  const clickhouse = createClient({ url: clickhouseUrl })
  try {
    const regions = (
      await platform.query<{ name: string }>('select name from regions where retired_at is null order by name')
    ).rows.map(row => row.name)
    const now = new Date()
    const sites = await inTransaction(platform, client => writeTeams(client, { baseUrl, regions, now }))
    const checks: DemoCheck[] = sites.map(({ tenant, monitor, check, outages }, index) => ({
      tenant,
      monitor,
      check,
      outages,
      kind: 'uptime',
      regions,
      intervalS,
      typicalMs: 40 + (index % 9) * 25,
    }))
    await makeDemoResults(clickhouse, { checks, now, days })
    const incidents = sites.reduce((sum, site) => sum + site.outages.filter(outage => outage.isEverywhere).length, 0)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    console.log(
      `demo: ${teams.length} teams, ${sites.length} monitors, ${days} days of results, ${incidents} incidents, ` +
        `in ${seconds} s`,
    )
  } finally {
    await clickhouse.close()
    await platform.end()
  }
}

async function writeTeams(
  client: pg.PoolClient,
  { baseUrl, regions, now }: { baseUrl: string; regions: string[]; now: Date },
): Promise<DemoSite[]> {
  const reseller = await createTenant(client, {
    name: 'Northwind Hosting',
    slug: 'northwind',
    plan: 'pro',
    isReseller: true,
  })
  await client.query(`delete from tenants where slug = any($1)`, [teams.map(team => team.slug)])
  const sites: DemoSite[] = []
  for (const team of teams) {
    const tenant = await createTenant(client, { name: team.name, slug: team.slug, plan: 'pro' })
    await adoptTenant(client, reseller, tenant, team.label)
    let number = 0
    for (const [index, name] of team.sites.entries()) {
      const seed = sites.length
      const site: DemoSite = {
        tenant,
        name,
        monitor: nameUuid(`${team.slug}/${name}`, namespace),
        check: nameUuid(`${team.slug}/${name}/uptime`, namespace),
        outages: outagesOf(seed, now, regions),
      }
      sites.push(site)
      // every site is this installation, so that the new results of the demo are real
      await client.query(
        `insert into monitors (id, tenant_id, name, url, type, tags, group_name, check_interval, timeout,
         region_policy, confirmations, recovery_confirmations, created_at)
         values ($1, $2, $3, $4, 'website', $5, $6, $7, 10, '{"mode":"majority","count":null}', 2, 2, $8)`,
        [
          site.monitor,
          tenant,
          name,
          `${baseUrl}/healthz?site=${team.slug}-${name}`,
          index % 3 === 0 ? ['important'] : [],
          index % 2 ? 'Internal' : 'Public',
          intervalS,
          new Date(now.getTime() - days * dayMs),
        ],
      )
      await client.query(
        `insert into checks (id, tenant_id, monitor_id, type, settings, severity, created_at)
         values ($1, $2, $3, 'uptime', '{}', 'critical', $4)`,
        [site.check, tenant, site.monitor, new Date(now.getTime() - days * dayMs)],
      )
      number = await writePast(client, site, { regions, now, number, baseUrl, slug: team.slug })
    }
    await client.query('insert into incident_numbers (tenant_id, last) values ($1, $2)', [tenant, number])
  }
  return sites
}

/** The outages of a site, the same for the same seed. Most sites have some, one in five an outage of one region. */
function outagesOf(seed: number, now: Date, regions: string[]): DemoSite['outages'] {
  const chance = (salt: number) => (Math.imul(seed * 31 + salt, 2_654_435_761) >>> 0) / 2 ** 32
  const faults = [
    { code: 'unexpected_status', reason: 'The answer was 500, not one of 200–299.', httpStatus: 500 },
    { code: 'timeout', reason: 'No answer within 10 seconds.' },
    { code: 'refused', reason: 'The connection was refused.' },
  ] as const
  const outages: DemoSite['outages'] = []
  for (let i = 0; i < Math.floor(chance(1) * 4); i++) {
    const from = new Date(now.getTime() - (1 + chance(10 + i) * (days - 3)) * dayMs)
    const fault = faults[Math.floor(chance(20 + i) * faults.length)] ?? faults[0]
    outages.push({
      from,
      to: new Date(from.getTime() + (10 + chance(30 + i) * 170) * 60_000),
      outcome: 'down',
      ...fault,
      isEverywhere: true,
    })
  }
  if (chance(2) < 0.2) {
    const from = new Date(now.getTime() - chance(3) * 40 * dayMs)
    outages.push({
      from,
      to: new Date(Math.min(now.getTime(), from.getTime() + 5 * hourMs)),
      region: regions[seed % regions.length] ?? '',
      outcome: 'down',
      code: 'timeout',
      reason: 'No answer within 10 seconds.',
      isEverywhere: false,
    })
  }
  return outages.sort((a, b) => a.from.getTime() - b.from.getTime())
}

interface Past {
  regions: string[]
  now: Date
  number: number
  baseUrl: string
  slug: string
}

async function writePast(
  client: pg.PoolClient,
  site: DemoSite,
  { regions, now, number, baseUrl, slug }: Past,
): Promise<number> {
  const changes: { at: Date; verdict: string }[] = [{ at: new Date(now.getTime() - days * dayMs), verdict: 'up' }]
  let last = number
  let quiet = new Date(0)
  for (const outage of site.outages) {
    if (outage.from < quiet) continue // one outage at a time
    quiet = outage.to
    changes.push(
      { at: outage.from, verdict: outage.isEverywhere ? 'down' : 'warning' },
      { at: outage.to, verdict: 'up' },
    )
    if (!outage.isEverywhere) continue
    last++
    const confirmedAt = new Date(outage.from.getTime() + 1_200)
    await client.query(
      `insert into incidents (id, tenant_id, monitor_id, check_id, check_type, number, title, cause, severity,
       status, started_at, confirmed_at, resolved_at, resolution, quorum, created_at, updated_at)
       values ($1, $2, $3, $4, 'uptime', $5, $6, $7, 'critical', 'resolved', $8, $9, $10, 'auto', $11, $9, $10)`,
      [
        nameUuid(`${site.check}/${last}`, namespace),
        site.tenant,
        site.monitor,
        site.check,
        last,
        `${site.name} is down`,
        outage.reason,
        outage.from,
        confirmedAt,
        outage.to,
        JSON.stringify(proofOf(outage, regions, confirmedAt, `${baseUrl}/${slug}`)),
      ],
    )
  }
  await client.query(
    `insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict) select $1, $2, $3, c.at, c.verdict
     from jsonb_to_recordset($4::jsonb) as c(at timestamptz, verdict text)`,
    [site.tenant, site.monitor, site.check, JSON.stringify(changes)],
  )
  return last
}

function proofOf({ code, reason, httpStatus }: DemoOutage, regions: string[], at: Date, excerpt: string): QuorumProof {
  return {
    policy: { mode: 'majority', count: null },
    required: Math.floor(regions.length / 2) + 1,
    asked: regions,
    failed: regions,
    ok: [],
    silent: [],
    excluded: [],
    regions: Object.fromEntries(
      regions.map(region => [
        region,
        {
          phases: noPhases,
          error: { code, message: reason },
          http_status: httpStatus ?? null,
          excerpt: httpStatus ? `made up for ${excerpt}` : null,
          at: at.toISOString(),
        },
      ]),
    ),
  }
}
