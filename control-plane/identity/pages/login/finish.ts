import type { Context } from 'koa'
import { sql } from 'kysely'
import { namesOf } from '#control-plane/db/by-name.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { sessionCookie } from '#control-plane/http/session-cookie.ts'
import type { GoOn } from '#control-plane/identity/pages/serve.ts'
import { enterByPassword, enterProven } from '#control-plane/identity/sessions/log-in.ts'
import { endPending, type PendingLogin, storePending } from './pending.ts'

export type TeamLine = Row<'tenants', 'id' | 'name'> & Row<'memberships', 'role'>

const mostTeams = 100

/** The teams that a person may enter, the home team first. */
export async function teamsToEnter({ platform }: Services, userId: string): Promise<TeamLine[]> {
  const found = await rows(platform, teamsToEnterStatement(userId))
  return found
}

/** Once all factors are shown: on to the choice of a team where there are several, else into the session. */
export async function afterFactors(services: Services, context: Context, login: PendingLogin): Promise<GoOn> {
  const teams = await teamsToEnter(services, login.userId)
  if (teams.length < 2) return enter(services, context, login, undefined)
  await storePending(services, context, { ...login, needsFactor: false })
  return { to: '/login/team' }
}

/** Opens the session, and ends the one that this browser had. */
export async function enter(
  services: Services,
  context: Context,
  { userId, next, trusts, method }: PendingLogin,
  tenantId: string | undefined,
): Promise<GoOn> {
  const { config } = services
  const { ip, requestId } = context.state
  const { 'user-agent': userAgent = '', cookie: cookies } = context.req.headers
  const from = { ip, requestId, userAgent, cookies }
  const open = method === 'passkey' ? enterProven : enterByPassword
  const { token, expiresAt, deviceCookie } = await open(services, { userId, tenantId, trusts, method }, from)
  endPending(services, context)
  context.append('Set-Cookie', sessionCookie(config, token, expiresAt))
  if (deviceCookie !== null) context.append('Set-Cookie', deviceCookie)
  return { to: next }
}

const teamsToEnterStatement = prepared(
  'teams-to-enter',
  (userId: string) => sql<TeamLine>`
    select t.id, t.name, m.role from memberships m join users u on u.id = m.user_id
    join tenants t on t.id = m.tenant_id and t.deleted_at is null and t.suspended_at is null
    where m.user_id = ${userId} and m.disabled_at is null
    order by (t.id = u.home_tenant_id) desc nulls last, ${namesOf('t.name')}, t.id
    limit ${sql.lit(mostTeams)}`,
)
