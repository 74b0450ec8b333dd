import { sql } from 'kysely'
import type { Pool } from 'pg'
import { z } from 'zod'
import { regionName } from '#contract/agent.ts'
import { invalid, notFound } from '#control-plane/base/refusal.ts'
import { queries, type Row, stamp } from '#control-plane/db/queries.ts'
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

interface RegionRow extends Row<'regions', 'name' | 'created_at' | 'retired_at'> {
  is_reporting: boolean
  agents_count: number
  monitors_count: number
  enrolment_tokens_count: number
}

const selectRegions = (now: Date) => sql<RegionRow>`
  select r.name, ${stamp(sql.ref<string>('r.created_at'))} as created_at,
    ${stamp(sql.ref<string | null>('r.retired_at'))} as retired_at,
    coalesce(a.is_reporting, false) as is_reporting,
    coalesce(a.n, 0) as agents_count, coalesce(m.n, 0) as monitors_count, coalesce(e.n, 0) as enrolment_tokens_count
  from regions r
  left join (
    select region, count(*)::int as n, bool_or(last_seen_at > ${now.toISOString()}::timestamptz - interval '20 seconds') as is_reporting
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
    const { rows } = await selectRegions(now).execute(queries(services.platform))
    return partOf(rows, query, url)
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
    const db = queries(platform)
    const found = await db
      .selectFrom('regions')
      .where('name', '=', region)
      .where('retired_at', 'is', null)
      .select('name')
      .executeTakeFirst()
    if (!found) throw notFound('Region')
    const users = await usersOf(platform, region)
    if (users.length > 0) throw invalid({ region: users }, 'region_in_use')
    await db
      .updateTable('regions')
      .set({ retired_at: sql<string>`clock_timestamp()` })
      .where('name', '=', region)
      .execute()
    audit('region.retired', { type: 'region' }, { region })
  },
})

/** Of those that use a region, so many are named. */
const shown = 10

async function usersOf(platform: Pool, region: string): Promise<string[]> {
  const db = queries(platform)
  const uses = {
    'Enrolled agents': db
      .selectFrom('agents')
      .where('region', '=', region)
      .where('revoked_at', 'is', null)
      .select(['id', 'name']),
    'Monitors that name it': db
      .selectFrom('monitors')
      .where(({ ref }) => sql<boolean>`${ref('regions')} @> array[${region}::text]`)
      .select(['id', 'name']),
    'Enrolment tokens that work': db
      .selectFrom('agent_enrolments')
      .where('region', '=', region)
      .where('used_at', 'is', null)
      .where('expires_at', '>', sql<string>`clock_timestamp()`)
      .select(['id', sql<string>`'token'`.as('name')]),
  }
  const lines: string[] = []
  for (const [what, users] of Object.entries(uses)) {
    const rows = await db
      .selectFrom(users.as('users'))
      .select(['id', 'name', sql<number>`count(*) over ()::int`.as('total')])
      .orderBy('name')
      .orderBy('id')
      .limit(shown)
      .execute()
    const more = (rows[0]?.total ?? 0) - rows.length
    if (rows.length > 0)
      lines.push(
        `${what}: ${rows.map(({ id, name }) => `${name} (${id})`).join(', ')}${more > 0 ? `, and ${more} more` : ''}.`,
      )
  }
  return lines
}
