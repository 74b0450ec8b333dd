import { z } from 'zod'
import { resultOutcomes, resultsPage } from '#analytics/queries/results-page.ts'
import { regionName } from '#contract/agent.ts'
import { effectiveLimits } from '#contract/plans.ts'
import { daysAfter } from '#contract/time.ts'
import { historyWaitsField, historyWaitsUntil } from '#control-plane/engine/agents/history-waits.ts'
import { pageOf, readByCursor } from '#control-plane/http/cursor-page.ts'
import { commaList, commaText, cursorQuery, moment } from '#control-plane/http/page.ts'
import { CursorMeta, Links, ok } from '#control-plane/http/reply.ts'
import { checkEndpoint } from '#control-plane/monitoring/checks/check-endpoint.ts'
import { ResultView, viewResult } from './view.ts'

/** Single results are kept for a month at most, whatever the plan; after that their hours remain. */
const rawDays = 30

export const regionList = commaText.pipe(z.array(regionName).max(50))

const ResultsMeta = CursorMeta.extend({
  history_waits_since: historyWaitsField,
}).meta({ id: 'ResultsMeta' })

export const listResults = checkEndpoint({
  method: 'GET',
  suffix: '/results',
  summary: 'List the results of a check, newest first',
  description: 'Kept as long as the plan allows, 30 days at most.',
  needs: 'read',
  query: cursorQuery.extend({
    region: regionList.optional(),
    outcome: commaList(resultOutcomes).optional(),
    from: moment.optional(),
    to: moment.optional(),
  }),
  returns: ok({ data: z.array(ResultView), links: Links, meta: ResultsMeta }),

  async handle({ found, query, em, tenant, services, url, now }) {
    const read = readByCursor({ services, tenant, url }, query, `results:${found.id}`)
    const { place, isBackwards } = read
    const kept = daysAfter(
      now,
      -Math.min(rawDays, effectiveLimits(tenant.plan, tenant.featureOverrides).data_retention_days),
    )
    const latest = daysAfter(now, 1)
    const within = (moment: Date) => new Date(Math.min(latest.getTime(), Math.max(kept.getTime(), moment.getTime())))
    const [from, to] = [within(query.from ?? kept), within(query.to ?? latest)]
    const results = await resultsPage(services.clickhouse, {
      tenant: tenant.id,
      monitor: found.monitor_id,
      check: found.id,
      from,
      to,
      regions: query.region ?? [],
      outcomes: query.outcome ?? [],
      after: place && { due_ms: Number(place.key), ...splitId(place.id) },
      backwards: isBackwards,
      limit: read.limit,
    })
    const { rows, links, meta } = pageOf(read, results, row => ({
      key: row.due_ms,
      id: `${row.attempt}.${row.region}`,
    }))
    return {
      data: rows.map(row => viewResult(row, found)),
      links,
      meta: { ...meta, history_waits_since: await historyWaitsUntil(em, to) },
    }
  },
})

function splitId(id: string): { attempt: number; region: string } {
  const at = id.indexOf('.')
  return { attempt: Number(id.slice(0, at)), region: id.slice(at + 1) }
}
