import { z } from 'zod'
import { roles } from '#contract/scopes.ts'
import { stampSql } from '#control-plane/base/stamp-sql.ts'

const time = z.string().meta({ format: 'date-time' })

export const MemberView = z
  .object({
    id: z.uuid().meta({ description: 'The person’s id, the same as `user_id`.' }),
    user_id: z.uuid(),
    name: z.string(),
    email: z.string(),
    email_verified_at: time
      .nullable()
      .meta({ description: 'When the address was proven by a link that was mailed to it; null until then.' }),
    role: z.enum(roles),
    mfa_enabled: z.boolean(),
    auth_methods: z.array(z.enum(['password', 'totp'])),
    last_active_at: time
      .nullable()
      .meta({ description: 'When a session or key of theirs was last used in this team.' }),
    joined_at: time,
    invited_by: z.uuid().nullable(),
    language: z.string(),
    timezone: z.string(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Member' })

export type MemberRow = Omit<z.output<typeof MemberView>, 'auth_methods' | 'user_id' | 'joined_at'> & {
  has_password: boolean
}

/** Columns of `MemberRow`. */
export const selectMembers = `
  u.id, u.name, u.email, ${stampSql('u.email_verified_at')} as email_verified_at, m.role, u.language, u.timezone, m.invited_by, f.confirmed_at is not null as mfa_enabled, u.password_hash is not null as has_password,
  (select ${stampSql('max(k.last_used_at)')} from tokens k where k.user_id = u.id and k.tenant_id = m.tenant_id) as last_active_at,
  ${stampSql('m.created_at')} as created_at, ${stampSql('m.updated_at')} as updated_at`

/** What `selectMembers` reads from. Service users are nobody's colleagues. */
export const fromMembers = `
  from memberships m
  join users u on u.id = m.user_id and not u.is_service
  left join second_factors f on f.user_id = u.id`

export const viewMember = ({ has_password, ...row }: MemberRow): z.input<typeof MemberView> => ({
  ...row,
  user_id: row.id,
  joined_at: row.created_at,
  auth_methods: [...(has_password ? (['password'] as const) : []), ...(row.mfa_enabled ? (['totp'] as const) : [])],
})
