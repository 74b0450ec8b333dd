import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import type { MailData } from '#contract/mails.ts'
import { stamp as stampOf } from '#contract/time.ts'
import { namesOf } from '#control-plane/db/by-name.ts'
import { type Row, rows, stamp } from '#control-plane/db/queries.ts'
import { incidentSeconds } from '#control-plane/engine/incident-duration.ts'
import { besideMonitorRecord } from '#control-plane/engine/monitor-record.ts'
import { isOwnWithin } from '#control-plane/monitoring/incidents/within.ts'
import { uptimePct } from '#control-plane/monitoring/statistics/judged-time.ts'
import { readJudgedTime } from '#control-plane/monitoring/statistics/read-judged.ts'
import { monitorsOf } from './monitors-of.ts'

const mostIncidents = 30
const lowest = 10

type Content = Pick<
  MailData<'digest'>,
  | 'team_name'
  | 'from'
  | 'to'
  | 'uptime_pct'
  | 'monitors_count'
  | 'monitors_down'
  | 'incidents'
  | 'incidents_count'
  | 'uptime'
>

/** An incident as a mail shows it. */
export type Outage = Row<'incidents', 'title' | 'started_at' | 'resolved_at'> & {
  monitor_name: Row<'monitors'>['name']
  duration_s: number
}

const incidentsIn = (tenantId: string, from: Date, to: Date) => sql<Outage & { in_all: number }>`
  select i.title, m.name as monitor_name,
    ${stamp('i.started_at')} as started_at, ${stamp('i.resolved_at')} as resolved_at,
    ${incidentSeconds({ to })} as duration_s,
    (count(*) over ())::int as in_all
  from incidents i ${besideMonitorRecord}
  where i.tenant_id = ${tenantId} and ${isOwnWithin({ from, to })}
  order by i.started_at desc, i.id limit ${sql.lit(mostIncidents)}`

type StatedMonitor = Row<'monitors', 'id' | 'name' | 'url'> & { is_down: boolean; since: string | null }

/** The content of a team’s digest about a time range; null for a team without monitors. */
export async function readDigest(
  client: PoolClient,
  team: { tenant_id: string; name: string },
  from: Date,
  to: Date,
): Promise<Content | null> {
  const monitors = await rows(client)<StatedMonitor>`
    select m.id, m.name, m.url, s.state = 'down' as is_down, ${stamp('s.since')} as since
    from monitor_states(${team.tenant_id}) s join monitors m on m.id = s.monitor_id
    order by ${namesOf('m.name')}, m.id`
  const known = await monitorsOf(client, { id: team.tenant_id }, { from })
  if (known.length === 0) return null
  const incidents = await rows(client, incidentsIn(team.tenant_id, from, to))
  const window = { from: from.getTime(), to: to.getTime() }
  const judged = await readJudgedTime(
    client,
    [team.tenant_id],
    known.map(({ id }) => id),
    [window],
  )
  const total = { up: 0, warning: 0, down: 0 }
  const uptime: Content['uptime'] = []
  for (const { id, name, is_removed } of known) {
    const time = judged.get(id)?.times[0]
    if (!time) continue
    for (const verdict of ['up', 'warning', 'down'] as const) total[verdict] += time[verdict]
    const pct = uptimePct(time)
    if (pct !== null) uptime.push({ monitor_name: name, uptime_pct: pct, ...(is_removed && { is_removed }) })
  }
  return {
    team_name: team.name,
    from: stampOf(from),
    to: stampOf(to),
    uptime_pct: uptimePct(total),
    monitors_count: monitors.length,
    monitors_down: monitors
      .filter(({ is_down }) => is_down)
      .map(({ name, url, since }) => ({ monitor_name: name, monitor_url: url, since })),
    incidents: incidents.map(({ in_all: _, ...incident }) => incident),
    incidents_count: incidents[0]?.in_all ?? 0,
    uptime: uptime.sort((a, b) => a.uptime_pct - b.uptime_pct).slice(0, lowest),
  }
}
