import { z } from 'zod'
import type { ClickHouseClient } from './client.ts'
import { query } from './query.ts'

/** The newest restore mark, if any. */
export const newestMark = query({
  params: z.object({}),
  row: z.object({ id: z.uuid() }),
  sql: 'SELECT id FROM restore_marks ORDER BY made_at DESC LIMIT 1',
})

export async function leaveMark(clickhouse: ClickHouseClient, id: string): Promise<void> {
  await clickhouse.insert({
    table: 'restore_marks',
    columns: ['id'],
    values: [[id]],
    format: 'JSONCompactEachRow',
    clickhouse_settings: { async_insert: 0 },
  })
}
