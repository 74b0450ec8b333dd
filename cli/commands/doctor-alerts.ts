import { sql } from 'kysely'
import pg from 'pg'
import { readNotificationGaps } from '#control-plane/alerting/notification-gaps/read.ts'
import { type Row, rows } from '#control-plane/db/queries.ts'
import { hasFormerDefaultSql } from '#control-plane/monitoring/checks/former-default/rows.ts'
import type { Finding } from './doctor-rows.ts'

/** How many teams are named. */
const mostNamed = 10
const atOnce = 500

/**
 * Findings about teams with monitors whose incidents reach no channel and no person. What concerns only customers of a
 * reseller is no fault of the installation.
 */
export async function alertFindings({ DATABASE_PLATFORM_URL }: NodeJS.ProcessEnv): Promise<Finding[]> {
  if (!DATABASE_PLATFORM_URL) return []
  const platform = new pg.Pool({ connectionString: DATABASE_PLATFORM_URL, max: 1, connectionTimeoutMillis: 4_000 })
  platform.on('error', () => undefined)
  try {
    return [await gaps(platform), await formerDefaults(platform)]
  } catch (error) {
    return [
      { title: 'Alerts', state: 'bad', words: `cannot be read: ${error instanceof Error ? error.message : error}` },
    ]
  } finally {
    await platform.end()
  }
}

interface Team {
  id: string
  name: string
  is_managed: boolean
}

async function gaps(platform: pg.Pool): Promise<Finding> {
  const title = 'Alerts'
  const found: (Team & { monitors: number })[] = []
  for await (const teams of teamsOf(platform)) {
    const some = await readNotificationGaps(
      platform,
      teams.map(({ id }) => id),
      new Date(),
    )
    for (const team of teams) {
      const monitors = some.get(team.id)?.gaps.length ?? 0
      if (monitors > 0) found.push({ ...team, monitors })
    }
  }
  const own = found.filter(({ is_managed }) => !is_managed)
  if (found.length === 0)
    return { title, state: 'good', words: 'incidents of every monitor reach a channel or a person' }
  const shown = (own.length > 0 ? own : found).slice(0, mostNamed)
  const names = shown.map(({ name, monitors }) => `${name} (${monitors})`).join(', ')
  const sum = found.reduce((monitors, team) => monitors + team.monitors, 0)
  const more = found.length > shown.length ? ` and ${found.length - shown.length} more` : ''
  return {
    title,
    state: own.length > 0 ? 'bad' : 'optional',
    words:
      `incidents of ${sum} monitors reach no channel and no person: ${names}${more}. The overview of a team has a ` +
      'button that mends it; by the API: POST /notification-rules',
  }
}

/** Checks of teams that have not decided yet whether 503 stays a warning, as it was by default once. */
async function formerDefaults(platform: pg.Pool): Promise<Finding> {
  const found = await rows(platform)<Row<'tenants', 'name'> & { checks: number; sum: number; teams: number }>`
  select t.name, count(*)::int as checks, (sum(count(*)) over ())::int as sum, (count(*) over ())::int as teams
   from checks c join tenants t on t.id = c.tenant_id
   where t.deleted_at is null and ${hasFormerDefaultSql}
   group by t.id order by 2 desc, 1 limit ${sql.lit(mostNamed)}`
  const [first] = found
  const title = 'Status 503'
  if (!first) return { title, state: 'good', words: 'down, or a warning where a person decided so' }
  const names = found.map(({ name, checks }) => `${name} (${checks})`).join(', ')
  const more = first.teams > found.length ? ` and ${first.teams - found.length} more` : ''
  return {
    title,
    state: 'optional',
    words:
      `a warning by a former default in ${first.sum} checks: ${names}${more}. The list of monitors of each team ` +
      'asks; by the API: POST /former-defaults',
  }
}

/** The teams that are neither paused nor in the trash, page by page. */
async function* teamsOf(platform: pg.Pool): AsyncGenerator<Team[]> {
  let after: string | null = null
  for (;;) {
    const found: Team[] = await rows(platform)<Team>`
      select t.id, t.name, exists (select 1 from managed_teams g where g.tenant_id = t.id) as is_managed
      from tenants t
      where t.deleted_at is null and t.paused_at is null and (${after}::uuid is null or t.id > ${after})
      order by t.id limit ${atOnce}`
    if (found.length === 0) return
    yield found
    after = found.at(-1)?.id ?? null
  }
}
