import type { EntityManager } from '@mikro-orm/postgresql'
import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'
import { roles } from '#contract/scopes.ts'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import { frequencies } from '#control-plane/identity/digest/morning.ts'

const time = z.string().meta({ format: 'date-time' })

const ProfileTeam = z.object({ tenant_id: z.uuid(), name: z.string(), role: z.enum(roles), joined_at: time })

export const ProfileView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    email: z.string(),
    email_verified_at: time
      .nullable()
      .meta({ description: 'When the address was proven by a link that was mailed to it; null until then.' }),
    language: z.string(),
    timezone: z.string(),
    digest: z
      .enum(frequencies)
      .meta({ description: 'How often what happened in each of your teams is mailed to you.' }),
    monthly_report: z
      .boolean()
      .meta({ description: 'Whether the report of each month, for each of your teams, is mailed to you.' }),
    mfa_enabled: z.boolean(),
    auth_methods: z.array(z.enum(['password', 'totp'])),
    password_changed_at: time.nullable(),
    teams: z.array(ProfileTeam),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Profile' })
type ProfileView = z.output<typeof ProfileView>

/** A person as they see themselves. */
export async function viewProfile(em: EntityManager, platform: Pool, userId: string): Promise<ProfileView> {
  const [row] = await em.execute<(Omit<ProfileView, 'auth_methods' | 'teams'> & { has_password: boolean })[]>(
    `select u.id, u.name, u.email, ${stampSql('u.email_verified_at')} as email_verified_at, u.language, u.timezone, u.digest, u.monthly_report, f.user_id is not null as mfa_enabled, u.password_hash is not null as has_password,
            ${stampSql('u.password_changed_at')} as password_changed_at, ${stampSql('u.created_at')} as created_at, ${stampSql('u.updated_at')} as updated_at
     from users u left join second_factors f on f.user_id = u.id and f.confirmed_at is not null
     where u.id = ?`,
    [userId],
  )
  const { has_password, ...person } = row!
  const auth_methods = [
    ...(has_password ? (['password'] as const) : []),
    ...(person.mfa_enabled ? (['totp'] as const) : []),
  ]
  return { ...person, auth_methods, teams: await teamsOf(platform, userId) }
}

/** All teams of a person, in whichever tenant: only for that person's own eyes. */
export async function teamsOf(platform: Pool | PoolClient, userId: string): Promise<z.output<typeof ProfileTeam>[]> {
  const { rows } = await platform.query<z.output<typeof ProfileTeam>>(
    `select t.id as tenant_id, t.name, m.role, ${stampSql('m.created_at')} as joined_at
     from memberships m join tenants t on t.id = m.tenant_id and t.deleted_at is null
     where m.user_id = $1 order by m.created_at, t.id`,
    [userId],
  )
  return rows
}
