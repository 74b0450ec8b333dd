import type { EntityManager } from '@mikro-orm/postgresql'
import type { Caller } from '#control-plane/base/caller.ts'
import { queries } from '#control-plane/db/queries.ts'
import { timezone } from './input.ts'

/** In a query or body: the zone in which days, months and times are meant. `zoneFor` gives the default. */
export const readersZone = timezone
  .optional()
  .meta({ description: 'By default that of the person who asks, else UTC.' })

/** The zone asked for, by default that of the person who asks; that of a key is UTC. */
export async function zoneFor(em: EntityManager, { user }: Caller, asked: string | undefined): Promise<string> {
  if (asked !== undefined) return asked
  if (!user) return 'UTC'
  const person = await queries(em).selectFrom('users').where('id', '=', user.id).select('timezone').executeTakeFirst()
  return person?.timezone ?? 'UTC'
}
