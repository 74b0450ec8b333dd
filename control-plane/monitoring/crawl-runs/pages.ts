import { z } from 'zod'
import { linkKinds } from '#contract/crawl.ts'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import { pageOf, readByCursor } from '#control-plane/http/cursor-page.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, cursorQuery, flag } from '#control-plane/http/page.ts'
import { cursorPage } from '#control-plane/http/reply.ts'
import { findRun } from './row.ts'
import { type CrawlPageRow, CrawlPageView, viewPage } from './view.ts'

const filters = z.object({
  kind: commaList(linkKinds).optional(),
  status: z
    .string()
    .regex(/^[1-9]\d{2}(-[1-9]\d{2})?$/, 'Must be a status or a range of them, such as 404 or 400-499.')
    .optional(),
  broken: flag.optional(),
  mixed: flag.optional(),
  skipped: flag
    .optional()
    .meta({ description: 'Whether it was left alone, because of robots.txt or since it is no public address.' }),
})

const columns = `p.id::text, p.url, p.kind, p.state, p.depth, p.status, p.fault, p.message, p.skipped, p.is_broken, p.content_type, p.bytes, p.took_ms, p.redirect_to,
  p.is_truncated, p.links_found, p.mixed_active, p.mixed_passive, p.mixed_form, p.mixed, p.sources, ${stampSql('p.visited_at')} as visited_at`

export const listCrawlPages = endpoint({
  method: 'GET',
  path: '/crawl-runs/{crawl_run}/pages',
  summary: 'List the addresses of a crawl in the order they were found',
  tag: 'crawl-runs',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  query: cursorQuery.extend(filters.shape),
  returns: cursorPage(CrawlPageView),

  async handle({ em, tenant, params, query, url, services }) {
    const run = await findRun(em, tenant, params.crawl_run)
    const read = readByCursor({ services, tenant, url }, query, `crawl ${run.id}`)
    const { place, isBackwards } = read
    const wanted = conditions(query)
    if (place) wanted.push({ sql: `p.id ${isBackwards ? '<' : '>'} ?::bigint`, values: [place.id] })
    const found = await em.execute<CrawlPageRow[]>(
      `select ${columns} from crawl_pages p where ${['p.run_id = ?', 'p.tenant_id = ?', ...wanted.map(({ sql }) => sql)].join(' and ')}
       order by p.id ${isBackwards ? 'desc' : 'asc'} limit ?`,
      [run.id, tenant.id, ...wanted.flatMap(({ values }) => values), read.limit],
    )
    const { rows, ...page } = pageOf(read, found, row => ({ key: null, id: row.id }))
    return { data: rows.map(viewPage), ...page }
  },
})

function conditions({
  kind,
  status,
  broken,
  mixed,
  skipped,
}: z.output<typeof filters>): { sql: string; values: unknown[] }[] {
  const found: { sql: string; values: unknown[] }[] = []
  if (kind) found.push({ sql: 'p.kind = any(array[?]::varchar[])', values: [kind] })
  if (status)
    found.push({ sql: 'p.status between ? and ?', values: [Number(status.slice(0, 3)), Number(status.slice(-3))] })
  if (broken !== undefined) found.push({ sql: broken ? 'p.is_broken' : 'not p.is_broken', values: [] })
  if (mixed !== undefined) found.push({ sql: mixed ? 'p.mixed is not null' : 'p.mixed is null', values: [] })
  if (skipped !== undefined) found.push({ sql: skipped ? 'p.skipped is not null' : 'p.skipped is null', values: [] })
  return found
}
