import { type Expression, sql } from 'kysely'
import { z } from 'zod'
import { severities } from '#contract/check.ts'
import { namesOf } from '#control-plane/db/by-name.ts'
import { queries, total } from '#control-plane/db/queries.ts'
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

const countWhere = (condition: Expression<unknown>) => sql<number>`(count(*) filter (where ${condition}))::int`
const sumOf = (column: Expression<number>) => sql<number>`coalesce(sum(${column}), 0)::int`

/** What the counts `c` of a team have that is in another state by its team, or by maintenance. */
const hiddenCounts = sql<{ tenant_id: string; up: number; down: number }>`hidden_counts()`.as<'h'>('h')
const shown = (count: 'up' | 'down') =>
  sql<number>`${sql.ref(`c.monitors_${count}`)} - coalesce(${sql.ref(`h.${count}`)}, 0)`

export const resellerOverview = endpoint({
  method: 'GET',
  path: '/reseller/overview',
  summary: 'Get an overview of all managed teams',
  access: { reseller: 'teams:read' },
  returns: ok({ data: Overview }),

  async handle({ em, tenant: reseller, now, services }) {
    const incidents = readOpenIncidents(services.platform, reseller.id, mostIncidents)
    // awaited below: this prevents an unhandled rejection before that
    incidents.catch(() => undefined)
    const db = queries(em)
    const teams = db
      .selectFrom('managed_teams as m')
      .innerJoin('tenant_counts as c', 'c.tenant_id', 'm.tenant_id')
      .leftJoin(hiddenCounts, 'h.tenant_id', 'm.tenant_id')
      .where('m.reseller_id', '=', reseller.id)
      .where('m.deleted_at', 'is', null)
    const totals = await teams
      .select(total)
      .select(({ eb, ref, selectFrom }) => [
        countWhere(eb('m.paused_at', 'is not', null)).as('paused'),
        countWhere(eb('m.trial_ends_at', '>', now.toISOString())).as('on_trial'),
        countWhere(eb('c.open_incidents', '>', 0)).as('with_incidents'),
        sumOf(ref('c.monitors')).as('monitors'),
        sumOf(shown('up')).as('up'),
        sumOf(shown('down')).as('down'),
        sumOf(ref('c.members')).as('members'),
        selectFrom('managed_teams as d')
          .where('d.reseller_id', '=', reseller.id)
          .where('d.deleted_at', 'is not', null)
          .select(total)
          .$asScalar()
          .$notNull()
          .as('trashed'),
      ])
      .executeTakeFirstOrThrow()
    const { paused, on_trial, with_incidents, trashed, monitors, up, down, members } = totals
    const worst = await teams
      .where(({ eb, or }) => or([eb(shown('down'), '>', 0), eb('c.open_incidents', '>', 0)]))
      .orderBy(shown('down'), 'desc')
      .orderBy('c.open_incidents', 'desc')
      .orderBy(namesOf('m.name'))
      .orderBy('m.id')
      .limit(mostTeams)
      .select(['m.id', 'm.tenant_id', 'm.name', 'm.label', 'c.monitors as monitors_count'])
      .select([shown('down').as('monitors_down_count'), 'c.open_incidents as open_incidents_count'])
      .select(({ ref }) => sql<boolean>`${ref('m.paused_at')} is not null`.as('is_paused'))
      .execute()
    const { critical, major, minor, newest } = await incidents
    return {
      data: {
        teams: { total: totals.total, active: totals.total - paused, paused, on_trial, with_incidents, trashed },
        monitors: { total: monitors, up, down },
        members,
        open_incidents: { total: critical + major + minor, critical, major, minor },
        worst_teams: worst,
        incidents: newest,
      },
    }
  },
})
