import { sql } from 'kysely'
import type { Pool } from 'pg'
import { z } from 'zod'
import { isProbedKindName, kindNames } from '#checks/index.ts'
import { agentProtocol, regionName } from '#contract/agent.ts'
import { invalid, notFound } from '#control-plane/base/refusal.ts'
import { queries, type Row, stamp } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetQuery, partOf } from '#control-plane/http/page.ts'
import { noContent, offsetPage } from '#control-plane/http/reply.ts'
import { protocolRefusalText } from './agent-protocol.ts'
import { isOpenEnrolmentSql } from './create-enrolment.ts'

const time = z.string().meta({ format: 'date-time' })

const RefusedAgent = z
  .object({
    id: z.uuid(),
    name: z.string(),
    protocol: z.int(),
    version: z.string().nullable().meta({ description: 'Of its program; null where it does not say.' }),
    spoken_protocols: z.array(z.int()).meta({ description: 'Those that this control plane speaks.' }),
    reason: z.string().meta({ description: 'What must be upgraded.' }),
    refused_at: time.meta({ description: 'When it was refused last; it asks again every minute.' }),
  })
  .meta({ id: 'RefusedAgent' })

const PlatformRegion = z
  .object({
    name: z.string(),
    is_reporting: z.boolean().meta({ description: 'Whether one of its agents reported in the last 20 seconds.' }),
    agents_count: z.int().meta({ description: 'Agents that are enrolled and not revoked.' }),
    monitors_count: z
      .int()
      .meta({ description: 'Monitors that name it. Monitors that name no region are checked from all regions.' }),
    checked_monitors_count: z.int().meta({
      description: 'Monitors that are checked from it at present: enabled ones that name it, or no region at all.',
    }),
    enrolment_tokens_count: z.int().meta({ description: 'Valid enrolment tokens for this region.' }),
    refused_agents: z.array(RefusedAgent).meta({
      description: 'Agents that are refused, as they are too old or too new for this control plane, ten at most.',
    }),
    created_at: time,
    retired_at: time.nullable(),
  })
  .meta({ id: 'PlatformRegion' })

interface RegionRow extends Row<'regions', 'name' | 'created_at' | 'retired_at'> {
  is_reporting: boolean
  agents_count: number
  monitors_count: number
  checked_monitors_count: number
  enrolment_tokens_count: number
  refused: { id: string; name: string; protocol: number; version: string | null; at: string }[]
}

const probedKinds = kindNames.filter(isProbedKindName)

const selectRegions = (now: Date) => sql<RegionRow>`
  with running as materialized (
    select m.regions from monitors m join tenants t on t.id = m.tenant_id
    where m.is_enabled and not m.held_by_plan and t.paused_at is null and t.deleted_at is null
      and exists (
        select from checks c where c.monitor_id = m.id and c.is_enabled and c.type = any(${probedKinds}::varchar[])
      )
  )
  select r.name, ${stamp(sql.ref<string>('r.created_at'))} as created_at,
    ${stamp(sql.ref<string | null>('r.retired_at'))} as retired_at,
    coalesce(a.is_reporting, false) as is_reporting,
    coalesce(a.n, 0) as agents_count, coalesce(m.n, 0) as monitors_count,
    case when r.retired_at is null then coalesce(n.n, 0) + w.n else 0 end as checked_monitors_count,
    coalesce(e.n, 0) as enrolment_tokens_count,
    coalesce(f.refused, '[]') as refused
  from regions r
  left join (
    select region, count(*)::int as n,
      bool_or(last_seen_at > ${now.toISOString()}::timestamptz - interval '20 seconds') as is_reporting
    from agents where revoked_at is null group by region
  ) a on a.region = r.name
  left join (
    select region, count(*)::int as n from monitors, unnest(regions) as named(region) group by region
  ) m on m.region = r.name
  left join (
    select region, count(*)::int as n from running, unnest(regions) as named(region) group by region
  ) n on n.region = r.name
  cross join (select count(*)::int as n from running where regions = '{}') w
  left join (
    select region, count(*)::int as n from agent_enrolments where ${isOpenEnrolmentSql} group by region
  ) e on e.region = r.name
  left join lateral (
    select json_agg(json_build_object('id', id, 'name', name, 'protocol', refused_protocol,
      'version', refused_version, 'at', ${stamp(sql.ref<string>('refused_at'))}) order by name, id) as refused
    from (
      select id, name, refused_protocol, refused_version, refused_at from agents
      where region = r.name and revoked_at is null and refused_at is not null order by name, id limit 10
    ) each
  ) f on true
  order by r.retired_at is not null, r.name`

const viewRegion = ({ refused, ...region }: RegionRow): z.input<typeof PlatformRegion> => ({
  ...region,
  refused_agents: refused.map(({ id, name, protocol, version, at }) => ({
    id,
    name,
    protocol,
    version,
    spoken_protocols: [agentProtocol.previous, agentProtocol.present],
    reason: protocolRefusalText({ protocol, version }),
    refused_at: at,
  })),
})

export const listPlatformRegions = endpoint({
  method: 'GET',
  path: '/platform/regions',
  summary: 'List all regions',
  description: 'With their agents, monitors and enrolment tokens counted. Retired regions come last.',
  access: 'super-admin',
  tag: 'platform',
  query: offsetQuery(),
  returns: offsetPage(PlatformRegion),

  async handle({ services, now, url, query }) {
    const { rows } = await selectRegions(now).execute(queries(services.platform))
    return partOf(rows.map(viewRegion), query, url)
  },
})

export const retireRegion = endpoint({
  method: 'DELETE',
  path: '/platform/regions/{region}',
  named: { region: regionName },
  summary: 'Retire an unused region',
  description:
    'The region is no longer listed to tenants, and monitors cannot name it. Its results are kept. ' +
    '422 while an agent is enrolled in it, a monitor names it or an enrolment token for it is valid: ' +
    'the answer names them. Enrolling an agent in the region restores it.',
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

/** How many agents, monitors and tokens that use a region an error names. */
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
      .where(isOpenEnrolmentSql)
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
