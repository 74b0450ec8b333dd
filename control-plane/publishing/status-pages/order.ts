import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { z } from 'zod'
import { Sentence } from '#contract/sentence.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries, total } from '#control-plane/db/queries.ts'

type Ordered = 'status_page_groups' | 'status_page_components'

/** The greatest place, far beyond the number of components and groups. */
const lastPosition = 10_000

export const Position = z
  .int()
  .min(1)
  .max(lastPosition)
  .meta({ description: 'A place in the order of the page, from 1. Without it the last one.' })

/** Refuses one more than a page may have, and returns the place after the last. The page is locked. */
export async function placeFor(
  em: EntityManager,
  tenant: { id: string },
  pageId: string,
  { table, field, most }: { table: Ordered; field: string; most: number },
): Promise<number> {
  const { total: count, last } = await queries(em)
    .selectFrom(table)
    .where('tenant_id', '=', tenant.id)
    .where('page_id', '=', pageId)
    .select([total, sql<number>`coalesce(max(position), 0)`.as('last')])
    .executeTakeFirstOrThrow()
  if (count >= most) throw invalid({ [field]: [new Sentence('A page has at most {n} {field}.', { n: most, field })] })
  return Math.min(last + 1, lastPosition)
}

/** Refuses a list that does not name each of `known` once. */
export function validateOrder(field: string, known: readonly { id: string }[], sent: readonly string[]): void {
  const ids = new Set(known.map(({ id }) => id))
  if (sent.length !== ids.size || new Set(sent).size !== ids.size || sent.some(id => !ids.has(id)))
    throw invalid({
      [field]: [new Sentence('Must name each of the {n} {field} of the page once.', { n: ids.size, field })],
    })
}
