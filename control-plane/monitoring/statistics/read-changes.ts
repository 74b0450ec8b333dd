import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import type { Stretch } from './judged-time.ts'

export const CheckChange = z
  .object({
    at: z.string().meta({ format: 'date-time', description: 'When it was confirmed.' }),
    event: z.string(),
    regions: z.array(z.string()).meta({ description: 'The regions that agreed on it.' }),
    details: z.record(z.string(), z.unknown()).meta({ description: 'What the event said beyond monitor and check.' }),
  })
  .meta({ id: 'CheckChange' })

const mostShown = 100

export const readChangesOf = (
  em: EntityManager,
  tenant: { id: string },
  check: string,
  { from, to }: Stretch,
): Promise<z.input<typeof CheckChange>[]> =>
  em.execute(
    `select ${stampSql('at')} as at, event, regions, payload as details from check_changes
     where tenant_id = ? and check_id = ? and at >= ? and at < ? order by check_changes.at desc, id desc limit ${mostShown}`,
    [tenant.id, check, new Date(from), new Date(to)],
  )
