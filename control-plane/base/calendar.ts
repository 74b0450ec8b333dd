import type { ClientBase } from 'pg'
import type { RetryLater } from '#contract/workflows.ts'

/** The current time and the length of a day. Only tests have days of another length. */
export interface Calendar {
  now(client: ClientBase): Promise<Date>
  dayMs: number
}

export const databaseCalendar: Calendar = {
  // rounded down to the millisecond: no period ends too early
  async now(client) {
    const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
    return rows[0]!.now
  },
  dayMs: 86_400_000,
}

export const later = (moment: Date, now: Date): RetryLater => ({
  againInMs: Math.max(1, moment.getTime() - now.getTime()),
})
