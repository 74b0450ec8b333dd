import { z } from 'zod'
import { among, queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { moment } from '#control-plane/http/page.ts'
import { ok } from '#control-plane/http/reply.ts'
import { checkAccess, checkEndpoint } from '#control-plane/monitoring/checks/check-endpoint.ts'
import { regionList } from './list.ts'
import { bucketNames, readP95, readSeries, readSpan, SeriesMeta, SeriesPoint, showSpan } from './series.ts'

const spanFields = {
  from: moment.optional().meta({ description: 'By default a day before `to`.' }),
  to: moment.optional().meta({ description: 'By default now.' }),
  bucket: z.enum(bucketNames).optional().meta({ description: 'By default what fits the span.' }),
}

export const getTimeseries = checkEndpoint({
  method: 'GET',
  suffix: '/timeseries',
  summary: 'Get the time series of a check',
  description: 'Intervals without results have no point.',
  needs: 'read',
  query: z.object({ ...spanFields, region: regionList.optional() }),
  returns: ok({ data: z.array(SeriesPoint), meta: SeriesMeta }),

  async handle({ found, query, em, tenant, services, now }) {
    const span = readSpan(query, now)
    const series = await readSeries(services, tenant, [found], span, query.region ?? [], now)
    return { data: series.get(found.id) ?? [], meta: await showSpan(em, span) }
  },
})

export const getManyTimeseries = endpoint({
  method: 'POST',
  path: '/checks/timeseries-batch',
  summary: 'Get the time series of up to 200 checks',
  description:
    'Checks that are unknown are left out; one that is named twice comes once. With `p95` each has the 95th ' +
    'percentile of its response times over the whole span too, right within 2.5 %; the hour in which the span begins ' +
    'counts whole.',
  access: checkAccess.read,
  body: z.object({
    check_ids: z.array(z.uuid().toLowerCase()).min(1).max(200),
    ...spanFields,
    regions: z.array(z.string().max(40)).max(50).default([]),
    p95: z.boolean().default(false),
  }),
  returns: ok({
    data: z.array(
      z.object({
        check_id: z.uuid(),
        points: z.array(SeriesPoint),
        p95_response_ms: z.number().nullable().optional().meta({ description: 'Only where it was asked for.' }),
      }),
    ),
    meta: SeriesMeta,
  }),

  async handle({ body, em, tenant, services, now }) {
    const ids = [...new Set(body.check_ids)]
    const span = readSpan(body, now, ids.length)
    const own = await queries(em)
      .selectFrom('checks')
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', among(ids))
      .select(['id', 'monitor_id'])
      .execute()
    const [series, slow] = await Promise.all([
      readSeries(services, tenant, own, span, body.regions, now),
      body.p95 ? readP95(services, tenant, own, span, body.regions, now) : undefined,
    ])
    const known = new Set(own.map(check => check.id))
    return {
      data: ids
        .filter(id => known.has(id))
        .map(id => ({
          check_id: id,
          points: series.get(id) ?? [],
          ...(slow && { p95_response_ms: slow.get(id) ?? null }),
        })),
      meta: await showSpan(em, span),
    }
  },
})
