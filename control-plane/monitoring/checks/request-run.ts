import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { resultsPage } from '#analytics/queries/results-page.ts'
import { effectiveLimits } from '#contract/plans.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { notRunning } from '#control-plane/monitoring/monitors/not-running.ts'
import { ResultView, viewResult } from '#control-plane/monitoring/results/view.ts'
import { askRegions } from './ask-regions.ts'
import type { CheckRow } from './row.ts'
import { regionsOf } from './turns.ts'
import { checkVerb, shortUnit } from './verb.ts'

const RunView = z
  .object({
    request_id: z.uuid(),
    check_id: z.uuid(),
    asked: z.array(z.string()).meta({ description: 'Regions that look at this check.' }),
    silent: z.array(z.string()).meta({ description: 'Those of them that have not answered.' }),
    results: z.array(ResultView),
  })
  .meta({ id: 'CheckRun' })
type RunView = z.input<typeof RunView>

/** Runs under way in this process: who asks for the same check meanwhile is told the same. */
const running = new Map<string, Promise<RunView>>()

export const requestRun = checkVerb({
  method: 'POST',
  suffix: '/request-run',
  summary: 'Look now, from all regions of a check, and say what they saw',
  description:
    'Answers when every region has looked, after half a minute at most; regions without an answer by then are named in `silent`.',
  needs: 'write',
  detached: true,
  returns: ok({ data: RunView }),

  async handle(facts) {
    const { found } = facts
    if (!found.is_enabled || !found.is_monitor_running) throw notRunning('check', found.is_team_paused)
    const run = running.get(found.id) ?? runNow(facts, found).finally(() => running.delete(found.id))
    running.set(found.id, run)
    return { data: await run }
  },
})

type Known = Pick<RequestContext, 'em' | 'tenant' | 'caller' | 'ip' | 'now' | 'services'>

async function runNow(facts: Known, check: CheckRow): Promise<RunView> {
  const { services, tenant, now } = facts
  const request = randomUUID()
  const asked = regionsOf(check, effectiveLimits(tenant.plan, tenant.featureOverrides))
  await shortUnit(facts, request, async (_, sideEffects) => {
    sideEffects.audits.push({
      whose: 'tenant',
      action: 'check.run_requested',
      type: 'check',
      id: check.id,
      changes: undefined,
    })
  })
  await askRegions(services, { request, check: check.id })
  const results = await resultsOf(facts, check, request, now)
  const answered = new Set(results.map(result => result.region))
  return {
    request_id: request,
    check_id: check.id,
    asked: [...asked],
    silent: asked.filter(region => !answered.has(region)),
    results,
  }
}

/** What the regions saw, as stored: found by the request they answered. */
async function resultsOf(
  { services, tenant }: Known,
  check: CheckRow,
  request: string,
  since: Date,
): Promise<RunView['results']> {
  const rows = await resultsPage(services.clickhouse, {
    tenant: tenant.id,
    monitor: check.monitor_id,
    check: check.id,
    from: new Date(since.getTime() - 120_000),
    to: new Date(since.getTime() + 120_000),
    regions: [],
    outcomes: [],
    request,
    after: null,
    backwards: true,
    limit: 100,
  })
  return rows.map(row => viewResult(row, check))
}
