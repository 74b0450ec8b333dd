import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { z } from 'zod'
import { type Role, roles } from '#contract/scopes.ts'
import type { Caller } from '#control-plane/base/caller.ts'
import { type Db, queries, stamp } from '#control-plane/db/queries.ts'
import { type Frequency, frequencies } from '#control-plane/identity/digest/morning.ts'
import { personOfSession } from '#control-plane/identity/sessions/signed-in.ts'
import { AuthMethods, authMethodsOf, hasPasskeySql } from '#control-plane/identity/users/auth-methods.ts'
import { Preferences, preferencesOf } from './preferences.ts'

const time = z.string().meta({ format: 'date-time' })

const ProfileTeam = z.object({ tenant_id: z.uuid(), name: z.string(), role: z.enum(roles), joined_at: time })

export const ProfileView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    email: z.string(),
    email_verified_at: time
      .nullable()
      .meta({ description: 'When the address was verified by a mailed link; null before.' }),
    language: z.string(),
    timezone: z.string(),
    digest: z.enum(frequencies).meta({ description: 'How often a digest of each team is mailed to you.' }),
    monthly_report: z.boolean().meta({ description: 'Whether the monthly report of each team is mailed to you.' }),
    chose_locale: z.boolean().meta({
      description: 'Whether you have ever set language or time zone. The app takes those of the browser before.',
    }),
    preferences: Preferences,
    handover_mails: z.boolean().meta({ description: 'Whether you are mailed when you come on duty or go off it.' }),
    mfa_enabled: z.boolean(),
    auth_methods: AuthMethods,
    password_changed_at: time.nullable(),
    is_limited: z.boolean().meta({
      description:
        'Whether this session, opened by a link or by the provider of a team, is limited to its team: it changes ' +
        'nothing of your account but language, time zone and preferences.',
    }),
    teams: z.array(ProfileTeam),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Profile' })
export type ProfileView = z.output<typeof ProfileView>

/** The profile of a person for that person. A session that is limited to its team is shown nothing of other teams. */
export async function viewProfile(em: EntityManager, platform: Pool, caller: Caller): Promise<ProfileView> {
  const { id: userId } = personOfSession(caller)
  const row = await queries(em)
    .selectFrom('users as u')
    .leftJoin('second_factors as f', join => join.onRef('f.user_id', '=', 'u.id').on('f.confirmed_at', 'is not', null))
    .where('u.id', '=', userId)
    .select(['u.id', 'u.name', 'u.email', 'u.language', 'u.timezone', 'u.monthly_report', 'u.handover_mails'])
    .select(['u.preferences', 'u.chose_locale'])
    .select(({ ref }) => [
      ref('u.digest').$castTo<Frequency>().as('digest'),
      sql<boolean>`${ref('f.user_id')} is not null`.as('mfa_enabled'),
      sql<boolean>`${ref('u.password_hash')} is not null`.as('has_password'),
      hasPasskeySql('u.id').as('has_passkey'),
      stamp(ref('u.email_verified_at')).as('email_verified_at'),
      stamp(ref('u.password_changed_at')).as('password_changed_at'),
      stamp(ref('u.created_at')).as('created_at'),
      stamp(ref('u.updated_at')).as('updated_at'),
    ])
    .executeTakeFirstOrThrow()
  const { has_password, has_passkey, ...person } = row
  const preferences = preferencesOf(row.preferences)
  const teams = await teamsOf(platform, userId)
  const profile = { ...person, preferences, auth_methods: authMethodsOf(row), is_limited: caller.isLocked, teams }
  if (!caller.isLocked) return profile
  const isOfTeam = ({ tenant_id }: { tenant_id: string }) => tenant_id === caller.tenant.id
  const monitor_views = preferences.monitor_views.filter(isOfTeam)
  return { ...profile, preferences: { ...preferences, monitor_views }, teams: teams.filter(isOfTeam) }
}

/** All teams of a person in all tenants, for that person only. */
export async function teamsOf(platform: Db, userId: string): Promise<z.output<typeof ProfileTeam>[]> {
  return queries(platform)
    .selectFrom('memberships as m')
    .innerJoin('tenants as t', 't.id', 'm.tenant_id')
    .where('t.deleted_at', 'is', null)
    .where('m.user_id', '=', userId)
    .orderBy('m.created_at')
    .orderBy('t.id')
    .select(['t.id as tenant_id', 't.name'])
    .select(({ ref }) => [ref('m.role').$castTo<Role>().as('role'), stamp(ref('m.created_at')).as('joined_at')])
    .execute()
}
