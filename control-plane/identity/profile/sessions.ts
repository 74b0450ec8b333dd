import { sql } from 'kysely'
import { z } from 'zod'
import { type AuthMethod, authMethods } from '#control-plane/base/caller.ts'
import { notFound } from '#control-plane/base/refusal.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetQuery, partOf } from '#control-plane/http/page.ts'
import { noContent, offsetPage, ok } from '#control-plane/http/reply.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'
import { notify } from '#control-plane/identity/users/notify.ts'

const time = z.string().meta({ format: 'date-time' })

export const SessionView = z
  .object({
    id: z.uuid(),
    device_name: z.string(),
    tenant_id: z.uuid(),
    is_browser: z.boolean().meta({ description: 'Whether it is the session of a browser, by cookie.' }),
    auth_method: z.enum(authMethods).nullable().meta({ description: 'What proved the person.' }),
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
  summary: 'List your sessions in all teams',
  access: 'session',
  underImpersonation: 'refused',
  query: offsetQuery(),
  returns: offsetPage(SessionView),

  async handle({ caller, em, query, url }) {
    const now = sql<string>`clock_timestamp()`
    const data = await queries(em)
      .selectFrom('tokens as k')
      .where('k.user_id', '=', signedIn(caller).id)
      .where('k.kind', '=', 'ss')
      .where('k.is_active', '=', true)
      .where(({ eb, fn }) =>
        eb(fn.coalesce(fn<string>('least', ['k.expires_at', 'k.dies_at']), sql`'infinity'`), '>', now),
      )
      .orderBy(({ fn }) => fn.coalesce('k.last_used_at', 'k.created_at'), 'desc')
      .orderBy('k.id')
      .limit(500)
      .select(['k.id', 'k.name as device_name', 'k.tenant_id', 'k.is_browser'])
      .select(({ ref, fn }) => [
        ref('k.auth_method').$castTo<AuthMethod | null>().as('auth_method'),
        sql<boolean>`${ref('k.id')} = ${caller.tokenId}`.as('is_current'),
        stamp(ref('k.created_at')).as('created_at'),
        stamp(ref('k.last_used_at')).as('last_used_at'),
        fn<string | null>('host', ['k.last_used_ip']).as('last_used_ip'),
        stamp(fn<string | null>('least', ['k.expires_at', 'k.dies_at'])).as('expires_at'),
      ])
      .execute()
    return partOf(data, query, url)
  },
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/profile/sessions/{session}',
  operation: 'profile.sessions.end',
  summary: 'Revoke one of your sessions',
  access: 'session',
  underImpersonation: 'refused',
  returns: noContent,

  async handle(context) {
    const { params, caller, em, audit } = context
    const user = signedIn(caller)
    const sessions = queries(em).deleteFrom('tokens').where('user_id', '=', user.id).where('kind', '=', 'ss')
    const { numDeletedRows: ended } = await sessions.where('id', '=', params.session).executeTakeFirstOrThrow()
    if (ended === 0n) throw notFound('Session')
    if (params.session !== caller.tokenId) notify(context, 'security_session_revoked', user)
    audit('session.deleted', { type: 'user', id: user.id })
  },
})

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/profile/sessions',
  operation: 'profile.sessions.endOthers',
  summary: 'Revoke all your sessions but this one',
  access: 'session',
  underImpersonation: 'refused',
  returns: ok({ data: z.object({ ended: z.int() }) }),

  async handle(context) {
    const { caller, em, audit } = context
    const user = signedIn(caller)
    const sessions = queries(em).deleteFrom('tokens').where('user_id', '=', user.id).where('kind', '=', 'ss')
    const { numDeletedRows } = await sessions.where('id', '<>', caller.tokenId).executeTakeFirstOrThrow()
    const ended = Number(numDeletedRows)
    if (ended > 0) notify(context, 'security_session_revoked', user)
    if (ended > 0) audit('session.deleted', { type: 'user', id: user.id }, { ended })
    return { data: { ended } }
  },
})
