import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { type Db, queries, rows, stamp } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mayChange } from './access.ts'
import { type Outcome, outcomes } from './outcome.ts'

/** Attempts that are kept of a team. */
export const mostAttempts = 100

interface Attempt {
  tenantId: string
  userId: string | null
  outcome: Outcome
  detail: string | null
  requestId: string
}

/** Keeps how a sign-in ended, and deletes what is older than the latest hundred of the team. */
export async function noteAttempt(db: Db, { tenantId, userId, outcome, detail, requestId }: Attempt): Promise<void> {
  await rows(db)`insert into sso_attempts (id, tenant_id, user_id, outcome, detail, request_id)
    values (${randomUUID()}, ${tenantId}, ${userId}, ${outcome}, ${detail}, ${requestId.slice(0, 64)})`
  await rows(db)`delete from sso_attempts where id in (
    select id from sso_attempts where tenant_id = ${tenantId}
    order by created_at desc, id desc offset ${sql.lit(mostAttempts)})`
}

const AttemptView = z
  .object({
    id: z.uuid(),
    user_id: z.uuid().nullable().meta({ description: 'The member who signed in.' }),
    outcome: z.enum(outcomes).meta({
      description: '`visited`: the person was proven to a status page with the access mode `sso`.',
    }),
    detail: z.string().nullable().meta({ description: 'What was wrong, in English, without tokens and addresses.' }),
    request_id: z.string().nullable().meta({ description: 'The person was shown it.' }),
    created_at: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'SsoAttempt' })

export const listSsoAttempts = endpoint({
  method: 'GET',
  path: '/sso/attempts',
  summary: 'List the latest sign-ins at the provider of a team',
  description: `Newest first. The last ${mostAttempts}, with the reason where one failed.`,
  access: mayChange,
  underImpersonation: 'refused',
  returns: ok({ data: z.array(AttemptView) }),

  async handle({ em, tenant }) {
    const rows = await queries(em)
      .selectFrom('sso_attempts')
      .where('tenant_id', '=', tenant.id)
      .select(['id', 'user_id', 'outcome', 'detail', 'request_id'])
      .select(({ ref }) => stamp(ref('created_at')).as('created_at'))
      .orderBy('sso_attempts.created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(mostAttempts)
      .execute()
    return {
      data: rows.map(row => ({ ...row, outcome: outcomes.find(known => known === row.outcome) ?? 'bad_answer' })),
    }
  },
})
