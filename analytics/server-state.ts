import { z } from 'zod'
import { query } from './query.ts'

/** The share of each disk of the server that is free, from 0 to 1. */
export const freeDisks = query({
  params: z.object({}),
  row: z.object({ name: z.string(), free: z.number() }),
  sql: 'SELECT name, free_space / total_space AS free FROM system.disks WHERE total_space > 0',
})

/** Parts of the partition that has most. A server delays inserts from 1,000 on, and refuses them from 3,000 on. */
export const mostParts = query({
  params: z.object({}),
  row: z.object({ parts: z.int() }),
  sql: `
    SELECT toUInt32(max(parts)) AS parts FROM (
      SELECT count() AS parts FROM system.parts
      WHERE active AND database = currentDatabase() GROUP BY table, partition_id
    )`,
})
