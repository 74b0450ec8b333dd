import { isDeepStrictEqual } from 'node:util'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { daysAfter, stamp } from '#contract/time.ts'
import { queries } from '#control-plane/db/queries.ts'
import { actIn } from '#control-plane/outbox/unit-of-work.ts'
import type { TeamRow } from './row.ts'

/** Fields of a provisioning that are compared with an existing team. */
export const comparable = ['name', 'slug', 'plan', 'label', 'metadata', 'trial_days', 'admin_email'] as const

interface Wanted {
  name: string
  slug: string
  plan?: string | undefined
  label?: string | null | undefined
  metadata?: Record<string, unknown> | undefined
  trial_days?: number | null | undefined
  admin_email?: string | null | undefined
}

/** The fields that were sent with other values than the team has. Fields that were not sent are not compared. */
export async function changedFields(em: EntityManager, team: TeamRow, wanted: Wanted): Promise<string[]> {
  const { trial_days, admin_email } = wanted
  const isSame: Record<(typeof comparable)[number], boolean> = {
    name: wanted.name === team.name,
    slug: wanted.slug === team.slug,
    plan: wanted.plan === undefined || wanted.plan === team.plan,
    label: wanted.label === undefined || wanted.label === team.label,
    metadata: wanted.metadata === undefined || isDeepStrictEqual(wanted.metadata, team.metadata),
    trial_days: trial_days === undefined || team.trial_ends_at === endOfTrial(team, trial_days),
    admin_email: !admin_email || (await hasMember(em, team, admin_email)),
  }
  return comparable.filter(field => !isSame[field])
}

const endOfTrial = ({ created_at }: TeamRow, days: number | null) =>
  days ? stamp(daysAfter(new Date(created_at), days)) : null

async function hasMember(em: EntityManager, { tenant_id }: TeamRow, email: string): Promise<boolean> {
  await actIn(em, tenant_id)
  const found = await queries(em)
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.tenant_id', '=', tenant_id)
    .where(({ fn }) => fn<string>('lower', ['u.email']), '=', sql<string>`lower(${email})`)
    .select('u.id')
    .executeTakeFirst()
  return found !== undefined
}
