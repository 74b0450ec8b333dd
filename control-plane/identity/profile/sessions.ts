import { z } from 'zod'
import { notFound } from '#control-plane/base/refusal.ts'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetQuery, partOf } from '#control-plane/http/page.ts'
import { noContent, offsetPage, ok } from '#control-plane/http/reply.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'
import { notify } from '#control-plane/identity/users/notify.ts'

const time = z.string().meta({ format: 'date-time' })

const SessionView = z
  .object({
    id: z.uuid(),
    device_name: z.string(),
    tenant_id: z.uuid(),
    is_current: z.boolean().meta({ description: 'Whether this call was made with it.' }),
    created_at: time,
    last_used_at: time.nullable(),
    last_used_ip: z.string().nullable(),
    expires_at: time.nullable(),
  })
  .meta({ id: 'Session' })

export const listSessions = endpoint({
  method: 'GET',
  path: '/profile/sessions',
  summary: 'List the sessions you are signed in with, in all your teams',
  access: 'session',
  underImpersonation: 'refused',
  query: offsetQuery(),
  returns: offsetPage(SessionView),

  async handle({ caller, em, query, url }) {
    const data = await em.execute<z.output<typeof SessionView>[]>(
      `select id, name as device_name, tenant_id, id = ? as is_current, ${stampSql('created_at')} as created_at, ${stampSql('last_used_at')} as last_used_at,
              host(last_used_ip) as last_used_ip, ${stampSql('least(expires_at, dies_at)')} as expires_at
       from tokens where user_id = ? and kind = 'ss' and is_active and coalesce(least(expires_at, dies_at), 'infinity') > clock_timestamp()
       order by coalesce(last_used_at, created_at) desc, id limit 500`,
      [caller.tokenId, signedIn(caller).id],
    )
    return partOf(data, query, url)
  },
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/profile/sessions/{session}',
  operation: 'profile.sessions.end',
  summary: 'End one of your sessions, here or on another device',
  access: 'session',
  underImpersonation: 'refused',
  returns: noContent,

  async handle(facts) {
    const { params, caller, em, audit } = facts
    const user = signedIn(caller)
    const ended = await em.execute<unknown[]>(
      `delete from tokens where id = ? and user_id = ? and kind = 'ss' returning 1`,
      [params.session, user.id],
    )
    if (ended.length === 0) throw notFound('Session')
    if (params.session !== caller.tokenId) notify(facts, 'security_session_revoked', user)
    audit('session.deleted', { type: 'user', id: user.id })
  },
})

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/profile/sessions',
  operation: 'profile.sessions.endOthers',
  summary: 'End all your sessions but this one',
  access: 'session',
  underImpersonation: 'refused',
  returns: ok({ data: z.object({ ended: z.int() }) }),

  async handle(facts) {
    const { caller, em, audit } = facts
    const user = signedIn(caller)
    const ended = await em.execute<unknown[]>(
      `delete from tokens where user_id = ? and kind = 'ss' and id <> ? returning 1`,
      [user.id, caller.tokenId],
    )
    if (ended.length > 0) notify(facts, 'security_session_revoked', user)
    if (ended.length > 0) audit('session.deleted', { type: 'user', id: user.id }, { ended: ended.length })
    return { data: { ended: ended.length } }
  },
})
