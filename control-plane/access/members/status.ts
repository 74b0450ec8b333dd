import type { Run } from '#control-plane/tenancy/plans/run.ts'

export const memberStatuses = ['active', 'disabled'] as const
export type MemberStatus = (typeof memberStatuses)[number]

/**
 * Enables or disables a person in one team. Disabling ends the person's sessions there at once; personal keys, and keys
 * of the team that the person created, are refused until the person is enabled again. Call it under `lockMembers`.
 */
export async function setMemberStatus(
  run: Run,
  { tenantId, userId, status }: { tenantId: string; userId: string; status: MemberStatus },
): Promise<void> {
  await run(
    `update memberships set disabled_at = case when ? then clock_timestamp() end, updated_at = clock_timestamp()
     where tenant_id = ? and user_id = ?`,
    [status === 'disabled', tenantId, userId],
  )
  if (status === 'disabled')
    await run(`delete from tokens where tenant_id = ? and user_id = ? and kind = 'ss'`, [tenantId, userId])
}
