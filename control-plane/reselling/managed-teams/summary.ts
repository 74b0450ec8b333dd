import { z } from 'zod'
import { type Row, rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { countOf } from '#control-plane/tenancy/plans/counts.ts'
import { loadTeam } from './load.ts'

const TeamSummary = z
  .object({
    monitors_count: z.int(),
    monitors_up: z.int(),
    monitors_down: z.int(),
    active_incidents: z.int(),
    notification_channels_count: z.int(),
    status_pages_count: z.int(),
    members_count: z.int(),
  })
  .meta({ id: 'TeamSummary' })

export const summariseManagedTeam = endpoint({
  method: 'GET',
  path: '/reseller/managed-teams/{managed_team}/summary',
  summary: 'Get a managed team’s counts and state',
  access: { reseller: 'teams:read' },
  returns: ok({ data: TeamSummary }),

  async handle({ em, params }) {
    const team = await loadTeam(em, params.managed_team)
    const [counts] = await rows(em)<
      Row<'tenant_counts', 'open_incidents' | 'members'> & { channels: number; pages: number }
    >`select open_incidents, members, (${countOf.status_pages})::int as pages,
       (select count(*)::int from notification_channels n
          where n.tenant_id = c.tenant_id and n.owner_user_id is null) as channels
     from tenant_counts c join tenants t on t.id = c.tenant_id where c.tenant_id = ${team.tenant_id}`
    return {
      data: {
        monitors_count: team.monitors_count,
        monitors_up: team.monitors_up_count,
        monitors_down: team.monitors_down_count,
        active_incidents: counts?.open_incidents ?? 0,
        notification_channels_count: counts?.channels ?? 0,
        status_pages_count: counts?.pages ?? 0,
        members_count: counts?.members ?? 0,
      },
    }
  },
})
