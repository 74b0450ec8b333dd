import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type ResultRow, resultsPage } from '#analytics/queries/results-page.ts'
import { effectiveLimits } from '#contract/plans.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { notRunning } from '#control-plane/monitoring/monitors/not-running.ts'
import { ResultView, viewResult } from '#control-plane/monitoring/results/view.ts'
import { checkEndpoint, shortUnit } from './check-endpoint.ts'
import { regionsOf } from './next-run.ts'
import type { CheckRow } from './row.ts'
import { runInRegions } from './run-in-regions.ts'

const RunView = z
  .object({
    request_id: z.uuid(),
    check_id: z.uuid(),
    asked: z.array(z.string()).meta({ description: 'The regions of this check.' }),
    silent: z.array(z.string()).meta({ description: 'The regions without a result.' }),
    results: z.array(ResultView),
  })
  .meta({ id: 'CheckRun' })
type RunView = z.input<typeof RunView>

/** Runs under way in this process: concurrent requests for one check share a run and its answer. */
const running = new Map<string, Promise<RunView>>()

export const requestRun = checkEndpoint({
  method: 'POST',
  suffix: '/request-run',
  summary: 'Run a check now',
  description:
    'Runs it from all of its regions, and answers when every region has a result, after half a minute at most. ' +
    'Regions without a result by then are in `silent`. A result is answered before it is stored: while the history ' +
    'waits, findings that are too long are `null`.',
  needs: 'write',
  detached: true,
  returns: ok({ data: RunView }),

  async handle(context) {
    const { found } = context
    if (!found.is_enabled || !found.is_monitor_running) throw notRunning('check', found)
    const run = running.get(found.id) ?? runNow(context, found).finally(() => running.delete(found.id))
    running.set(found.id, run)
    return { data: await run }
  },
})

type RunContext = Pick<RequestContext, 'em' | 'tenant' | 'caller' | 'ip' | 'now' | 'services'>

async function runNow(context: RunContext, check: CheckRow): Promise<RunView> {
  const { services, tenant } = context
  const request = randomUUID()
  const asked = regionsOf(check, effectiveLimits(tenant.plan, tenant.featureOverrides))
  await shortUnit(context, request, async (_, sideEffects) => {
    sideEffects.audits.push({
      whose: 'tenant',
      action: 'check.run_requested',
      type: 'check',
      id: check.id,
      changes: undefined,
    })
  })
  const answers = await runInRegions(services, { request, check: check.id, tenant: tenant.id })
  const rows = new Map([...answers].flatMap(([region, { row }]) => (row ? [[region, row]] : [])))
  const isIncomplete = [...answers.values()].some(({ row, isCut }) => !row || isCut)
  if (isIncomplete) for (const row of await storedOf(context, check, request, answers.size)) rows.set(row.region, row)
  return {
    request_id: request,
    check_id: check.id,
    asked: [...asked],
    silent: asked.filter(region => !rows.has(region)),
    results: [...rows.values()].toSorted(inOrder).map(row => viewResult(row, check)),
  }
}

const inOrder = (a: ResultRow, b: ResultRow) => a.due_ms - b.due_ms || (a.region < b.region ? -1 : 1)

const storedTries = 4
const storedPauseMs = 500

/** The stored results of a request, which are stored a moment after they are decided on; none while the store is away. */
async function storedOf(context: RunContext, check: CheckRow, request: string, most: number): Promise<ResultRow[]> {
  let rows: ResultRow[] = []
  for (let tries = 0; tries < storedTries && rows.length < most; tries++) {
    if (tries > 0) await sleep(storedPauseMs)
    try {
      rows = await readStored(context, check, request)
    } catch (error) {
      context.services.log.warn({ err: error }, 'requested results read failure')
      break
    }
  }
  return rows
}

function readStored(
  { services, tenant, now: since }: RunContext,
  check: CheckRow,
  request: string,
): Promise<ResultRow[]> {
  return resultsPage(services.clickhouse, {
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
}
