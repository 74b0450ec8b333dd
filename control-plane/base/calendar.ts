import type { ClientBase } from 'pg'
import type { RetryLater } from '#contract/workflows.ts'

/** What time it is, and how long a day is. Only tests have days of another length. */
export interface Calendar {
  now(client: ClientBase): Promise<Date>
  dayMs: number
}

export const databaseCalendar: Calendar = {
  // to the millisecond, rounded down: nothing is ever found over too early
  async now(client) {
    const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
    return rows[0]!.now
  },
  dayMs: 86_400_000,
}

export const later = (moment: Date, now: Date): RetryLater => ({
  retryInMs: Math.max(1, moment.getTime() - now.getTime()),
})
