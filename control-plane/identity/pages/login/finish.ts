import type { Context } from 'koa'
import { hashSecret } from '#control-plane/base/token-secret.ts'
import type { Row } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { sessionCookie, sessionOf } from '#control-plane/http/session-cookie.ts'
import type { GoOn } from '#control-plane/identity/pages/serve.ts'
import { deviceOf } from '#control-plane/identity/sessions/device.ts'
import { openSession } from '#control-plane/identity/sessions/open.ts'
import { endPending, keepPending, type PendingLogin } from './pending.ts'

export type TeamLine = Row<'tenants', 'id' | 'name'> & Row<'memberships', 'role'>

const mostTeams = 100

/** The teams that a person may enter, the home team first. */
export async function teamsToEnter({ platform }: Services, userId: string): Promise<TeamLine[]> {
  const { rows } = await platform.query<TeamLine>({
    name: 'teams-to-enter',
    text: `select t.id, t.name, m.role from memberships m join users u on u.id = m.user_id
           join tenants t on t.id = m.tenant_id and t.deleted_at is null and t.suspended_at is null
           where m.user_id = $1
           order by (t.id = u.home_tenant_id) desc nulls last, lower(t.name), t.id limit ${mostTeams}`,
    values: [userId],
  })
  return rows
}

/** Once all factors are shown: on to the choice of a team where there are several, else into the session. */
export async function afterFactors(services: Services, context: Context, login: PendingLogin): Promise<GoOn> {
  const teams = await teamsToEnter(services, login.userId)
  if (teams.length < 2) return enter(services, context, login, undefined)
  await keepPending(services, context, { ...login, needsFactor: false })
  return { to: '/login/team' }
}

/** Opens the session and ends the one that this browser had. */
export async function enter(
  services: Services,
  context: Context,
  { userId, next }: PendingLogin,
  tenantId: string | undefined,
): Promise<GoOn> {
  const { platform, config } = services
  const { ip, requestId } = context.state
  const userAgent = context.req.headers['user-agent'] ?? ''
  const { token, expiresAt } = await openSession(platform, {
    keys: config,
    ...{ userId, tenantId, userAgent, ip, requestId },
    deviceName: deviceOf(userAgent, 'Browser'),
    method: 'password',
    isByCookie: true,
  })
  const former = sessionOf(context.req.headers.cookie, config)
  if (former !== undefined)
    await platform.query(`delete from tokens where hash = $1 and kind = 'ss' and is_browser`, [hashSecret(former)])
  endPending(services, context)
  context.append('Set-Cookie', sessionCookie(config, token, expiresAt))
  return { to: next }
}
