import { ApplicationFailure } from '@temporalio/common'
import type { Pool } from 'pg'
import { endSnooze } from '#control-plane/monitoring/checks/end-snooze.ts'

export const snoozeEndActivities = (platform: Pool) => ({
  /** Called too early, because clocks differ, it fails and is retried. */
  async endSnooze(checkId: string, untilMs: number): Promise<'ended' | 'superseded'> {
    const outcome = await endSnooze(platform, checkId, new Date(untilMs))
    if (outcome === 'too_early')
      throw ApplicationFailure.retryable('The snooze has not ended by the clock of the database.')
    return outcome
  },
})
export type SnoozeEndActivities = ReturnType<typeof snoozeEndActivities>
