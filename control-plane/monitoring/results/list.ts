import { z } from 'zod'
import { lookOutcomes, type ResultRow, resultsPage } from '#analytics/queries/results-page.ts'
import { regionName } from '#contract/agent.ts'
import { effectiveLimits } from '#contract/plans.ts'
import { daysAfter } from '#contract/time.ts'
import { commaList, commaText, cursorLinks, cursorQuery, moment } from '#control-plane/kernel/page.ts'
import { cursorPage } from '#control-plane/kernel/reply.ts'
import { openCursor, sealCursor } from '#control-plane/kernel/seal.ts'
import { checkVerb } from '#control-plane/monitoring/checks/verb.ts'
import { ResultView, viewResult } from './view.ts'

/** Single results are kept for a month at most, whatever the plan; after that their hours remain. */
const rawDays = 30

export const regionList = commaText.pipe(z.array(regionName).max(50))

export const listResults = checkVerb({
  method: 'GET',
  suffix: '/results',
  summary: 'List the single results of a check, newest first',
  description: 'Kept as long as the plan says, 30 days at most.',
  needs: 'read',
  query: cursorQuery.extend({
    region: regionList.optional(),
    outcome: commaList(lookOutcomes).optional(),
    from: moment.optional(),
    to: moment.optional(),
  }),
  returns: cursorPage(ResultView),

  async handle({ found, query, tenant, services, url, now }) {
    const scope = { secretKey: services.config.secretKey, tenantId: tenant.id, sort: `results:${found.id}` }
    const place = query.cursor === undefined ? null : openCursor(scope, query.cursor)
    const kept = daysAfter(now, -Math.min(rawDays, effectiveLimits(tenant.plan, tenant.featureOverrides).data_retention_days))
    const latest = daysAfter(now, 1)
    const within = (moment: Date) => new Date(Math.min(latest.getTime(), Math.max(kept.getTime(), moment.getTime())))
    const isBackwards = place?.direction === 'prev'
    const rows = await resultsPage(services.clickhouse, {
      tenant: tenant.id,
      monitor: found.monitor_id,
      check: found.id,
      from: within(query.from ?? kept),
      to: within(query.to ?? latest),
      regions: query.region ?? [],
      outcomes: query.outcome ?? [],
      after: place && { due_ms: Number(place.key), ...splitId(place.id) },
      backwards: isBackwards,
      limit: query.per_page + 1, // one more than asked for tells whether the list goes on
    })
    const goesOn = rows.length > query.per_page
    const page = isBackwards ? rows.slice(0, query.per_page).reverse() : rows.slice(0, query.per_page)
    const [first, last] = [page[0], page.at(-1)]
    const seal = (row: ResultRow, direction: 'next' | 'prev') => sealCursor(scope, row.due_ms, `${row.attempt}.${row.region}`, direction)
    const next = last && (isBackwards || goesOn) ? seal(last, 'next') : null
    const prev = first && (isBackwards ? goesOn : place) ? seal(first, 'prev') : null
    return {
      data: page.map(row => viewResult(row, found)),
      links: cursorLinks(url, next, prev),
      meta: { next_cursor: next, prev_cursor: prev, has_more: next !== null, per_page: query.per_page },
    }
  },
})

function splitId(id: string): { attempt: number; region: string } {
  const at = id.indexOf('.')
  return { attempt: Number(id.slice(0, at)), region: id.slice(at + 1) }
}
