import { z } from 'zod'
import type { ClickHouseClient } from './client.ts'
import { moment, query } from './query.ts'

/** A mark as PostgreSQL made it. */
export interface RestoreMark {
  id: string
  /** Names the database for as long as it lives, on all its servers; empty where it was not to be had. */
  database: string
  /** Rises when a standby takes over. */
  timeline: number
  /** By PostgreSQL's clock. */
  left_at: Date
}

/** The newest restore mark, if any. */
export const newestMark = query({
  params: z.object({}),
  row: z.object({ id: z.uuid(), database: z.string(), timeline: z.int(), left_at: moment }),
  sql: 'SELECT id, database, timeline, left_at FROM restore_marks ORDER BY made_at DESC LIMIT 1',
})

export async function leaveMark(
  clickhouse: ClickHouseClient,
  { id, database, timeline, left_at }: RestoreMark,
): Promise<void> {
  await clickhouse.insert({
    table: 'restore_marks',
    columns: ['id', 'database', 'timeline', 'left_at'],
    values: [[id, database, timeline, left_at.getTime()]],
    format: 'JSONCompactEachRow',
    clickhouse_settings: { async_insert: 0 },
  })
}

/** A mark of no database: PostgreSQL is found to be restored when the service starts. */
export const unknownMark = (): RestoreMark => ({
  ...{ id: crypto.randomUUID(), database: '', timeline: 0, left_at: new Date(0) },
})
