import type { EntityManager } from '@mikro-orm/postgresql'
import { type InferResult, sql } from 'kysely'
import { z } from 'zod'
import { channelTypes } from '#contract/plans.ts'
import { type Role, roles } from '#contract/scopes.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'
import { AuthMethods, authMethodsOf, hasPasskeySql } from '#control-plane/identity/users/auth-methods.ts'
import { isVerifiedSql } from './contact-state.ts'
import { type MemberStatus, memberStatuses } from './status.ts'

const time = z.string().meta({ format: 'date-time' })

export const MemberView = z
  .object({
    id: z.uuid().meta({ description: 'The person’s id, the same as `user_id`.' }),
    user_id: z.uuid(),
    name: z.string(),
    email: z.string(),
    email_verified_at: time
      .nullable()
      .meta({ description: 'When the address was verified by a mailed link; null before.' }),
    role: z.enum(roles).meta({ id: 'Role' }),
    status: z.enum(memberStatuses),
    mfa_enabled: z.boolean(),
    auth_methods: AuthMethods,
    last_active_at: time
      .nullable()
      .meta({ description: 'When one of their sessions or keys was last used in this team.' }),
    joined_at: time,
    invited_by: z.uuid().nullable(),
    language: z.string(),
    timezone: z.string(),
    contact_methods: z
      .array(z.object({ type: z.enum(channelTypes), verified: z.boolean() }))
      .meta({ description: 'How the person is reached when on call, in their order; the addresses are theirs alone.' }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Member' })

/** The types and states of the contact methods of the member `m`. */
const contactMethodsOf = sql<{ type: (typeof channelTypes)[number]; verified: boolean }[]>`coalesce((
  select jsonb_agg(jsonb_build_object('type', c.type, 'verified', ${isVerifiedSql}) order by c.position, c.id)
  from notification_channels c where c.tenant_id = m.tenant_id and c.owner_user_id = m.user_id), '[]')`

export type MemberRow = InferResult<ReturnType<typeof selectMembers>>[number]

/** A query for the people of a team without service users. */
export const selectMembers = (em: EntityManager, tenant: { id: string }) =>
  queries(em)
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .leftJoin('second_factors as f', 'f.user_id', 'u.id')
    .where('m.tenant_id', '=', tenant.id)
    .where('u.is_service', '=', false)
    .select(['u.id', 'u.name', 'u.email', 'u.language', 'u.timezone', 'm.invited_by'])
    .select(({ ref, selectFrom }) => [
      ref('m.role').$castTo<Role>().as('role'),
      sql<MemberStatus>`case when ${ref('m.disabled_at')} is null then 'active' else 'disabled' end`.as('status'),
      sql<boolean>`${ref('f.confirmed_at')} is not null`.as('mfa_enabled'),
      sql<boolean>`${ref('u.password_hash')} is not null`.as('has_password'),
      hasPasskeySql('u.id').as('has_passkey'),
      stamp(ref('u.email_verified_at')).as('email_verified_at'),
      stamp(ref('m.created_at')).as('created_at'),
      stamp(ref('m.updated_at')).as('updated_at'),
      selectFrom('tokens as k')
        .whereRef('k.user_id', '=', 'u.id')
        .whereRef('k.tenant_id', '=', 'm.tenant_id')
        .select(({ fn }) => stamp(fn.max<string | null>('k.last_used_at')).as('at'))
        .as('last_active_at'),
      contactMethodsOf.as('contact_methods'),
    ])

export function viewMember(member: MemberRow): z.input<typeof MemberView> {
  const { has_password: _, has_passkey: __, ...row } = member
  return { ...row, user_id: row.id, joined_at: row.created_at, auth_methods: authMethodsOf(member) }
}
