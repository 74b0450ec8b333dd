import { z } from 'zod'
import { daysAfter } from '#contract/time.ts'
import { planAfterTrial } from '#control-plane/tenancy/plans/plan-after-trial.ts'
import type { TeamRow } from './row.ts'

/** How long a deleted team can be restored. */
export const graceDays = 30
const dayMs = 86_400_000

const time = z.string().meta({ format: 'date-time' })

export const TeamView = z
  .object({
    id: z.uuid(),
    tenant_id: z.uuid().meta({ description: 'The tenant underneath: the value for `X-Tenant-Id`.' }),
    public_id: z.string().meta({ description: 'An id to read out: `VT-` and a short code.' }),
    external_ref: z.string().nullable(),
    name: z.string(),
    slug: z.string(),
    plan: z.string(),
    label: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()),
    monitors_count: z.int(),
    monitors_down_count: z.int(),
    monitors_up_count: z.int(),
    is_paused: z.boolean(),
    paused_at: time.nullable(),
    paused_reason: z.string().nullable(),
    on_trial: z.boolean(),
    trial_ends_at: time.nullable(),
    plan_after_trial: z
      .string()
      .nullable()
      .meta({ description: 'The plan that applies from the end of the trial; null when there is no trial.' }),
    deleted_at: time.nullable(),
    days_until_purge: z
      .int()
      .nullable()
      .meta({ description: 'Days in which a deleted team can still be restored, rounded up.' }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'ManagedTeam' })

export const isOnTrial = ({ trial_ends_at: end }: Pick<TeamRow, 'trial_ends_at'>, now: Date): boolean =>
  end !== null && new Date(end) > now

export function viewTeam(row: TeamRow, now: Date): z.input<typeof TeamView> {
  const onTrial = isOnTrial(row, now)
  return {
    ...row,
    is_paused: row.paused_at !== null,
    on_trial: onTrial,
    plan_after_trial: onTrial ? planAfterTrial(row) : null,
    days_until_purge: row.deleted_at === null ? null : daysUntilPurge(new Date(row.deleted_at), now),
  }
}

const daysUntilPurge = (deletedAt: Date, now: Date) =>
  Math.max(0, Math.ceil((daysAfter(deletedAt, graceDays).getTime() - now.getTime()) / dayMs))
