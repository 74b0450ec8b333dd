import type { z } from 'zod'
import { effectiveLimits } from '#contract/plans.ts'
import { among, queries } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { ifReachable, latestResults } from '#control-plane/monitoring/results/latest.ts'
import { findCheck } from './find.ts'
import type { CheckRow } from './row.ts'
import { CheckView, viewCheck } from './view.ts'

export const oneCheck = ok({ data: CheckView })

type ViewContext = Pick<RequestContext, 'em' | 'tenant' | 'now' | 'services'>

/** Checks with the newest result of every region: one statement and one ClickHouse query, however many they are. */
export async function viewChecks(
  { em, tenant, now, services }: ViewContext,
  rows: readonly CheckRow[],
): Promise<z.input<typeof CheckView>[]> {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.id)
  const streaks = await queries(em)
    .selectFrom('votes')
    .where('tenant_id', '=', tenant.id)
    .where('check_id', '=', among(ids))
    .where('streak_outcome', '=', 'down')
    .groupBy('check_id')
    .select('check_id')
    .select(({ fn }) => fn.max('streak_count').as('failures'))
    .execute()
  const failures = new Map(streaks.map(streak => [streak.check_id, streak.failures]))
  const results = await ifReachable(services, latestResults(services, tenant, rows))
  const limits = effectiveLimits(tenant.plan, tenant.featureOverrides)
  return rows.map(row =>
    viewCheck(row, { results: results.get(row.id) ?? [], failures: failures.get(row.id) ?? 0 }, limits, now),
  )
}

/** The check as it is stored now. */
export async function answerCheck(context: ViewContext, id: string) {
  const [check] = await viewChecks(context, [await findCheck(context.em, context.tenant, id)])
  return { data: check! }
}
