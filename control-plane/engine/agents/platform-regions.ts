import type { Pool } from 'pg'
import { z } from 'zod'
import { regionName } from '#contract/agent.ts'
import { stamp } from '#contract/time.ts'
import { invalid, notFound } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetQuery, partOf } from '#control-plane/http/page.ts'
import { noContent, offsetPage } from '#control-plane/http/reply.ts'

const time = z.string().meta({ format: 'date-time' })

const PlatformRegion = z
  .object({
    name: z.string(),
    is_reporting: z.boolean().meta({ description: 'Whether an agent of it was heard of in the last twenty seconds.' }),
    agents_count: z.int().meta({ description: 'Agents that are enrolled and not revoked.' }),
    monitors_count: z
      .int()
      .meta({ description: 'Monitors that name it. Those that name no region are watched from all.' }),
    enrolment_tokens_count: z.int().meta({ description: 'Enrolment tokens for it that still work.' }),
    created_at: time,
    retired_at: time.nullable(),
  })
  .meta({ id: 'PlatformRegion' })

interface Row {
  name: string
  is_reporting: boolean
  agents_count: number
  monitors_count: number
  tokens_count: number
  created_at: Date
  retired_at: Date | null
}

const selectRegions = `
  select r.name, r.created_at, r.retired_at, coalesce(a.is_reporting, false) as is_reporting,
    coalesce(a.n, 0) as agents_count, coalesce(m.n, 0) as monitors_count, coalesce(e.n, 0) as tokens_count
  from regions r
  left join (
    select region, count(*)::int as n, bool_or(last_seen_at > $1::timestamptz - interval '20 seconds') as is_reporting
    from agents where revoked_at is null group by region
  ) a on a.region = r.name
  left join (select region, count(*)::int as n from monitors, unnest(regions) as named(region) group by region) m on m.region = r.name
  left join (
    select region, count(*)::int as n from agent_enrolments where used_at is null and expires_at > clock_timestamp() group by region
  ) e on e.region = r.name
  order by r.retired_at is not null, r.name`

export const listPlatformRegions = endpoint({
  method: 'GET',
  path: '/platform/regions',
  summary: 'List all regions, and what uses each',
  description: 'Retired ones come last.',
  access: 'super-admin',
  tag: 'platform',
  query: offsetQuery(),
  returns: offsetPage(PlatformRegion),

  async handle({ services, now, url, query }) {
    const { rows } = await services.platform.query<Row>(selectRegions, [now])
    return partOf(
      rows.map(row => ({
        name: row.name,
        is_reporting: row.is_reporting,
        agents_count: row.agents_count,
        monitors_count: row.monitors_count,
        enrolment_tokens_count: row.tokens_count,
        created_at: stamp(row.created_at),
        retired_at: stamp(row.retired_at),
      })),
      query,
      url,
    )
  },
})

export const retireRegion = endpoint({
  method: 'DELETE',
  path: '/platform/regions/{region}',
  named: { region: regionName },
  summary: 'Retire a region that nothing uses any more',
  description:
    'It is no longer listed to tenants, and monitors cannot name it. What it reported is kept. 422 as long as an agent is enrolled in it, a monitor names it or an enrolment token for it works: the answer names them. A new enrolment in a region of its name brings it back.',
  access: 'super-admin',
  tag: 'platform',
  returns: noContent,

  async handle({ params: { region }, services: { platform }, audit }) {
    const { rowCount } = await platform.query('select from regions where name = $1 and retired_at is null', [region])
    if (rowCount === 0) throw notFound('Region')
    const users = await usersOf(platform, region)
    if (users.length > 0) throw invalid({ region: users }, 'region_in_use')
    await platform.query('update regions set retired_at = clock_timestamp() where name = $1', [region])
    audit('region.retired', { type: 'region' }, { region })
  },
})

/** Of those that use a region, so many are named. */
const shown = 10

const uses = {
  'Enrolled agents': 'select id, name from agents where region = $1 and revoked_at is null',
  'Monitors that name it': 'select id, name from monitors where regions @> array[$1::text]',
  'Enrolment tokens that work': `select id, 'token' as name from agent_enrolments where region = $1 and used_at is null and expires_at > clock_timestamp()`,
}

async function usersOf(platform: Pool, region: string): Promise<string[]> {
  const told: string[] = []
  for (const [what, sql] of Object.entries(uses)) {
    const { rows } = await platform.query<{ id: string; name: string; total: number }>(
      `select id, name, count(*) over ()::int as total from (${sql}) users order by name, id limit ${shown}`,
      [region],
    )
    const more = (rows[0]?.total ?? 0) - rows.length
    if (rows.length > 0)
      told.push(
        `${what}: ${rows.map(({ id, name }) => `${name} (${id})`).join(', ')}${more > 0 ? `, and ${more} more` : ''}.`,
      )
  }
  return told
}
