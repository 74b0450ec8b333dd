import type { EntityManager } from '@mikro-orm/postgresql'
import { type ExpressionBuilder, type InferResult, sql } from 'kysely'
import { z } from 'zod'
import { type Role, roles } from '#contract/scopes.ts'
import { type Database, queries, stamp } from '#control-plane/db/queries.ts'

const time = z.string().meta({ format: 'date-time' })

export const invitationStatuses = ['pending', 'accepted', 'declined', 'expired', 'revoked'] as const

export const InvitationView = z
  .object({
    id: z.uuid(),
    email: z.string(),
    role: z.enum(roles),
    status: z.enum(invitationStatuses),
    expires_at: time,
    invited_by: z.uuid().nullable(),
    accepted_at: time.nullable(),
    accepted_by: z.uuid().nullable(),
    resent_count: z.int(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Invitation' })

export type InvitationRow = InferResult<ReturnType<typeof selectInvitations>>[number]

/** The status shown: an invitation past its end is expired, even if the stored status is still pending. */
export const shownStatus = ({ ref }: ExpressionBuilder<Database & { i: Database['invitations'] }, 'i'>) =>
  sql<(typeof invitationStatuses)[number]>`case
    when ${ref('i.status')} = 'pending' and ${ref('i.expires_at')} <= clock_timestamp() then 'expired'
    else ${ref('i.status')} end`

/** A query for the invitations to a team. */
export const selectInvitations = (em: EntityManager, tenant: { id: string }) =>
  queries(em)
    .selectFrom('invitations as i')
    .where('i.tenant_id', '=', tenant.id)
    .select(['i.id', 'i.email', 'i.invited_by', 'i.accepted_by', 'i.resent_count'])
    .select(eb => [
      eb.ref('i.role').$castTo<Role>().as('role'),
      shownStatus(eb).as('status'),
      stamp(eb.ref('i.expires_at')).as('expires_at'),
      stamp(eb.ref('i.accepted_at')).as('accepted_at'),
      stamp(eb.ref('i.created_at')).as('created_at'),
      stamp(eb.ref('i.updated_at')).as('updated_at'),
    ])

/** The fields shown once, to the inviter. */
export const secretParts = {
  plain_text_token: z.string().meta({
    description:
      'Shown once. It accepts the invitation; an account created with it is unverified until its address is proven.',
  }),
  accept_url: z.url().meta({
    description:
      'The dashboard’s page to accept it; the token is behind the `#`. Programs send it to POST /invitations/accept.',
  }),
}
