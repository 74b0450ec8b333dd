import type { EntityManager } from '@mikro-orm/postgresql'
import type { InferResult } from 'kysely'
import { z } from 'zod'
import { linkKinds, MixedPart, mixedKinds } from '#contract/crawl.ts'
import { amongTexts, queries, stamp } from '#control-plane/db/queries.ts'
import { pageOf, readByCursor } from '#control-plane/http/cursor-page.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, cursorQuery, flag } from '#control-plane/http/page.ts'
import { cursorPage } from '#control-plane/http/reply.ts'
import { findRun } from './row.ts'

const time = z.string().meta({ format: 'date-time' })
const count = z.int().nonnegative()
const Source = z.object({ page: z.string(), element: z.string(), text: z.string() })

const CrawlPageView = z
  .object({
    url: z.string(),
    kind: z.enum(linkKinds).meta({ id: 'LinkKind' }),
    state: z.enum(['queued', 'done']),
    depth: count,
    status: z.int().nullable(),
    fault: z.string().nullable().meta({ description: 'Why there was no answer.' }),
    message: z.string().nullable(),
    skipped: z.enum(['robots', 'blocked']).nullable().meta({ description: 'Why it was not asked for.' }),
    is_broken: z.boolean(),
    content_type: z.string().nullable(),
    bytes: count.nullable(),
    took_ms: count.nullable(),
    redirect_to: z.string().nullable(),
    is_truncated: z.boolean(),
    links_found: count.nullable(),
    mixed_content: z
      .object({
        active: count,
        passive: count,
        forms: count,
        parts: z.array(MixedPart.extend({ kind: z.enum(mixedKinds).meta({ id: 'MixedContentKind' }) })),
      })
      .nullable(),
    found_on: z.array(Source).meta({ description: 'Pages that link to it, the first five.' }),
    visited_at: time.nullable(),
  })
  .meta({ id: 'CrawlPage' })

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
    const pages = selectPages(em, tenant, run, query)
    const found = await (place ? pages.where('p.id', isBackwards ? '<' : '>', place.id) : pages)
      .orderBy('p.id', isBackwards ? 'desc' : 'asc')
      .limit(read.limit)
      .execute()
    const { rows, ...page } = pageOf(read, found, row => ({ key: null, id: row.id }))
    return { data: rows.map(viewPage), ...page }
  },
})

function selectPages(
  em: EntityManager,
  tenant: { id: string },
  run: { id: string },
  { kind, status, broken, mixed, skipped }: z.output<typeof filters>,
) {
  let pages = queries(em)
    .selectFrom('crawl_pages as p')
    .where('p.run_id', '=', run.id)
    .where('p.tenant_id', '=', tenant.id)
    .select([
      'p.id',
      'p.url',
      'p.kind',
      'p.state',
      'p.depth',
      'p.status',
      'p.fault',
      'p.message',
      'p.skipped',
      'p.is_broken',
      'p.content_type',
      'p.bytes',
      'p.took_ms',
      'p.redirect_to',
      'p.is_truncated',
      'p.links_found',
      'p.mixed_active',
      'p.mixed_passive',
      'p.mixed_form',
      'p.mixed',
      'p.sources',
    ])
    .select(({ ref }) => stamp(ref('p.visited_at')).as('visited_at'))
  if (kind) pages = pages.where('p.kind', '=', amongTexts(kind))
  if (status) {
    const [from, to] = [Number(status.slice(0, 3)), Number(status.slice(-3))]
    pages = pages.where(({ between }) => between('p.status', from, to))
  }
  if (broken !== undefined) pages = pages.where('p.is_broken', '=', broken)
  if (mixed !== undefined) pages = pages.where('p.mixed', mixed ? 'is not' : 'is', null)
  if (skipped !== undefined) pages = pages.where('p.skipped', skipped ? 'is not' : 'is', null)
  return pages
}

type CrawlPageRow = InferResult<ReturnType<typeof selectPages>>[number]

const Parts = z.array(MixedPart)
const Sources = z.array(Source)

function viewPage(row: CrawlPageRow): z.input<typeof CrawlPageView> {
  const { id: _, mixed, mixed_active, mixed_passive, mixed_form, sources, bytes, ...rest } = row
  const parts = Parts.safeParse(mixed).data
  return {
    ...rest,
    kind: linkKinds.find(kind => kind === row.kind) ?? 'page',
    state: row.state === 'done' ? 'done' : 'queued',
    skipped: row.skipped === 'robots' || row.skipped === 'blocked' ? row.skipped : null,
    bytes: bytes === null ? null : Number(bytes),
    mixed_content: parts ? { active: mixed_active, passive: mixed_passive, forms: mixed_form, parts } : null,
    found_on: Sources.safeParse(sources).data ?? [],
  }
}
