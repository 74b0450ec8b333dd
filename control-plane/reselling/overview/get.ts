import { z } from 'zod'
import { severities } from '#contract/check.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { readOpenIncidents } from './open-incidents.ts'

const mostTeams = 10
const mostIncidents = 25
const time = z.string().meta({ format: 'date-time' })

const WorstTeam = z.object({
  id: z.uuid(),
  tenant_id: z.uuid(),
  name: z.string(),
  label: z.string().nullable(),
  is_paused: z.boolean(),
  monitors_count: z.int(),
  monitors_down_count: z.int(),
  open_incidents_count: z.int(),
})

const Overview = z
  .object({
    teams: z.object({
      total: z.int(),
      active: z.int(),
      paused: z.int(),
      on_trial: z.int(),
      with_incidents: z.int(),
      trashed: z.int(),
    }),
    monitors: z.object({ total: z.int(), up: z.int(), down: z.int() }),
    members: z.int(),
    open_incidents: z.object({ total: z.int(), critical: z.int(), major: z.int(), minor: z.int() }),
    worst_teams: z
      .array(WorstTeam)
      .meta({ description: `Up to ${mostTeams} teams with monitors down or incidents open, the worst first.` }),
    incidents: z
      .array(
        z.object({
          incident_id: z.uuid(),
          managed_team_id: z.uuid(),
          tenant_id: z.uuid(),
          team_name: z.string(),
          monitor_id: z.uuid(),
          monitor_name: z.string(),
          monitor_url: z.string(),
          title: z.string(),
          status: z.string(),
          severity: z.enum(severities),
          started_at: time,
          acknowledged_at: time.nullable(),
        }),
      )
      .meta({ description: `The newest ${mostIncidents} open incidents of all teams.` }),
  })
  .meta({ id: 'ResellerOverview' })

interface Totals {
  total: number
  paused: number
  on_trial: number
  with_incidents: number
  monitors: number
  up: number
  down: number
  members: number
  trashed: number
}

export const resellerOverview = endpoint({
  method: 'GET',
  path: '/reseller/overview',
  summary: 'Read how all managed teams fare, at a glance',
  access: { reseller: 'teams:read' },
  returns: ok({ data: Overview }),

  async handle({ em, tenant: reseller, now, services }) {
    const incidents = readOpenIncidents(services.platform, reseller.id, mostIncidents)
    // awaited below: a failure must not go unheard meanwhile
    incidents.catch(() => undefined)
    const [totals] = await em.execute<Totals[]>(
      `select count(*)::int as total, (count(*) filter (where m.paused_at is not null))::int as paused,
         (count(*) filter (where m.trial_ends_at > ?))::int as on_trial, (count(*) filter (where c.open_incidents > 0))::int as with_incidents,
         coalesce(sum(c.monitors), 0)::int as monitors, coalesce(sum(c.monitors_up), 0)::int as up, coalesce(sum(c.monitors_down), 0)::int as down,
         coalesce(sum(c.members), 0)::int as members,
         (select count(*)::int from managed_teams where reseller_id = ? and deleted_at is not null) as trashed
       from managed_teams m join tenant_counts c on c.tenant_id = m.tenant_id where m.reseller_id = ? and m.deleted_at is null`,
      [now, reseller.id, reseller.id],
    )
    const { total, paused, on_trial, with_incidents, trashed, monitors, up, down, members } = totals!
    const worst = await em.execute<z.input<typeof WorstTeam>[]>(
      `select m.id, m.tenant_id, m.name, m.label, m.paused_at is not null as is_paused,
         c.monitors as monitors_count, c.monitors_down as monitors_down_count, c.open_incidents as open_incidents_count
       from managed_teams m join tenant_counts c on c.tenant_id = m.tenant_id
       where m.reseller_id = ? and m.deleted_at is null and (c.monitors_down > 0 or c.open_incidents > 0)
       order by c.monitors_down desc, c.open_incidents desc, m.name, m.id limit ${mostTeams}`,
      [reseller.id],
    )
    const { critical, major, minor, newest } = await incidents
    return {
      data: {
        teams: { total, active: total - paused, paused, on_trial, with_incidents, trashed },
        monitors: { total: monitors, up, down },
        members,
        open_incidents: { total: critical + major + minor, critical, major, minor },
        worst_teams: worst,
        incidents: newest,
      },
    }
  },
})
