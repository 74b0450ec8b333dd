import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { DemoCheck, DemoOutage } from '#analytics/demo.ts'
import { noPhases } from '#contract/check.ts'
import type { QuorumProof } from '#control-plane/engine/verdicts/proof.ts'
import { siteAddress } from './sites.ts'
import { behaviourOf, type DemoTeam, failing } from './teams.ts'

export const days = 90
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const intervalS = 300

export interface DemoSite {
  tenant: string
  monitor: string
  check: string
  name: string
  intervalS: number
  typicalMs: number
  outages: (DemoOutage & { isEverywhere: boolean })[]
}

interface Writing {
  tenant: string
  /** Where the sample sites are. */
  sites: string
  regions: string[]
  now: Date
  /** How many sites were written before, so that each has a past of its own. */
  seed: number
}

/** Writes the monitors of a team, made 90 days ago, with the verdicts and incidents since. */
export async function writeMonitors(
  client: pg.PoolClient,
  team: DemoTeam,
  { tenant, sites, regions, now, seed }: Writing,
): Promise<DemoSite[]> {
  const made = new Date(now.getTime() - days * dayMs)
  const written: DemoSite[] = []
  let number = 0
  for (const [index, name] of team.sites.entries()) {
    const isFailing = team.slug === failing.team && name === failing.site
    const behaviour = behaviourOf(team, name, index, Math.floor(now.getTime() / 1_000))
    const site: DemoSite = {
      tenant,
      name,
      monitor: randomUUID(),
      check: randomUUID(),
      intervalS: isFailing ? 60 : intervalS,
      typicalMs: 5 + (behaviour.ms ?? 0),
      outages: outagesOf(seed + index, now, regions),
    }
    written.push(site)
    const url = siteAddress(sites, `${team.slug.replace('demo-', '')}/${name}`, behaviour)
    await client.query(
      `insert into monitors (id, tenant_id, name, url, type, tags, group_name, check_interval, timeout,
       region_policy, confirmations, recovery_confirmations, created_at)
       values ($1, $2, $3, $4, 'website', $5, $6, $7, 10, '{"mode":"majority","count":null}', 2, 2, $8)`,
      [
        site.monitor,
        tenant,
        name,
        url,
        index % 3 === 0 ? ['important'] : [],
        index % 2 ? 'Internal' : 'Public',
        site.intervalS,
        made,
      ],
    )
    await client.query(
      `insert into checks (id, tenant_id, monitor_id, type, settings, severity, created_at)
       values ($1, $2, $3, 'uptime', '{}', 'critical', $4)`,
      [site.check, tenant, site.monitor, made],
    )
    number = await writePast(client, site, { regions, now, number, url })
  }
  await client.query('insert into incident_numbers (tenant_id, last) values ($1, $2)', [tenant, number])
  return written
}

/** What the results of 90 days are made from. */
export const checksOf = (sites: readonly DemoSite[], regions: readonly string[]): DemoCheck[] =>
  sites.map(({ tenant, monitor, check, outages, intervalS: interval, typicalMs }) => ({
    tenant,
    monitor,
    check,
    outages,
    kind: 'uptime',
    regions,
    intervalS: interval,
    typicalMs,
  }))

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
  url: string
}

async function writePast(client: pg.PoolClient, site: DemoSite, { regions, now, number, url }: Past): Promise<number> {
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
       values ($1, $2, $3, $4, 'uptime', $5, $6, $7, 'critical', 'resolved', $8, $9, $10, 'recovered', $11, $9, $10)`,
      [
        randomUUID(),
        site.tenant,
        site.monitor,
        site.check,
        last,
        `${site.name} is down`,
        outage.reason,
        outage.from,
        confirmedAt,
        outage.to,
        JSON.stringify(proofOf(outage, regions, confirmedAt, url)),
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
