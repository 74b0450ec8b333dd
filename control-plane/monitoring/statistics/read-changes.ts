import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { z } from 'zod'
import { queries, stamp } from '#control-plane/db/queries.ts'
import type { Interval } from './judged-time.ts'

export const CheckChange = z
  .object({
    at: z.string().meta({ format: 'date-time', description: 'When it was confirmed.' }),
    event: z.string(),
    regions: z.array(z.string()).meta({ description: 'The regions that agreed on it.' }),
    details: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The fields of the event besides monitor and check.' }),
  })
  .meta({ id: 'CheckChange' })

const mostShown = 100

export const readChangesOf = (
  em: EntityManager,
  tenant: { id: string },
  check: string,
  { from, to }: Interval,
): Promise<z.input<typeof CheckChange>[]> =>
  queries(em)
    .selectFrom('check_changes')
    .where('tenant_id', '=', tenant.id)
    .where('check_id', '=', check)
    .where('check_changes.at', '>=', sql<string>`to_timestamp(${from / 1_000})`)
    .where('check_changes.at', '<', sql<string>`to_timestamp(${to / 1_000})`)
    .orderBy('check_changes.at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostShown)
    .select(['event', 'regions'])
    .select(({ ref }) => [
      stamp(ref('check_changes.at')).as('at'),
      ref('payload').$castTo<Record<string, unknown>>().as('details'),
    ])
    .execute()
