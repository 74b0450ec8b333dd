import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { z } from 'zod'
import { daysAfter, stamp as stampOf } from '#contract/time.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'

const time = z.string().meta({ format: 'date-time' })

export const SecurityPolicyView = z
  .object({
    mfa_required: z.boolean().meta({ description: 'Whether members need a second factor.' }),
    mfa_grace_days: z.int().meta({
      description: 'So many days a member without a second factor may work: since it is required, or joining.',
    }),
    mfa_required_at: time.nullable().meta({ description: 'Since when a second factor is required.' }),
    mfa_due_at: time.nullable().meta({ description: 'When the days of grace of the present members end.' }),
    members_without_mfa: z.int().meta({ description: 'How many active members have no second factor.' }),
    updated_at: time.nullable(),
  })
  .meta({ id: 'SecurityPolicy' })

export interface Policy {
  mfa_required_at: Date | null
  mfa_grace_days: number
  updated_at: string | null
}

/** The policy of a team; none was set yet: nothing is required. */
export async function readPolicy(em: EntityManager, tenant: { id: string }): Promise<Policy> {
  const row = await queries(em)
    .selectFrom('security_policies')
    .where('tenant_id', '=', tenant.id)
    .select('mfa_grace_days')
    .select(({ ref }) => [stamp(ref('mfa_required_at')).as('required_at'), stamp(ref('updated_at')).as('updated_at')])
    .executeTakeFirst()
  if (!row) return { mfa_required_at: null, mfa_grace_days: 7, updated_at: null }
  return { ...row, mfa_required_at: row.required_at === null ? null : new Date(row.required_at) }
}

/** When the days of grace end of those who are members already. */
export const dueAt = ({ mfa_required_at: since, mfa_grace_days: days }: Policy): string | null =>
  since && stampOf(daysAfter(since, days))

export async function viewPolicy(
  em: EntityManager,
  tenant: { id: string },
  policy: Policy,
): Promise<z.input<typeof SecurityPolicyView>> {
  const { missing } = await queries(em)
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .leftJoin('second_factors as f', join => join.onRef('f.user_id', '=', 'u.id').on('f.confirmed_at', 'is not', null))
    .where('m.tenant_id', '=', tenant.id)
    .where('m.disabled_at', 'is', null)
    .where('u.is_service', '=', false)
    .where('f.user_id', 'is', null)
    .select(sql<number>`count(*)::int`.as('missing'))
    .executeTakeFirstOrThrow()
  return {
    mfa_required: policy.mfa_required_at !== null,
    mfa_grace_days: policy.mfa_grace_days,
    mfa_required_at: policy.mfa_required_at && stampOf(policy.mfa_required_at),
    mfa_due_at: dueAt(policy),
    members_without_mfa: missing,
    updated_at: policy.updated_at,
  }
}
