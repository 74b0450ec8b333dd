import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { number } from '../../../contract/figures.ts'
import { api, bodyOf } from '../../api.ts'
import { Table } from '../../parts/table.tsx'
import { Moment } from '../../parts/time.tsx'
import type { Check } from '../queries.ts'
import { Newest, Pairs } from './parts.tsx'

interface Crawled {
  state: string
  finished_at: string | null
  pages: number
  checked: number
  limited_by: string | null
  failure: string | null
}

function Crawl({ of, more }: { of: Crawled; more: readonly (readonly [string, number])[] }) {
  const { t, i18n } = useTranslation('check-views')
  const figure = (value: number) => number(value, i18n.language)
  return (
    <Pairs
      of={[
        [t('crawl.finished'), of.finished_at && <Moment at={of.finished_at} />],
        [t('crawl.pages'), figure(of.pages)],
        [t('crawl.checked'), figure(of.checked)],
        ...more.map(([name, value]) => [name, figure(value)] as const),
        [t('crawl.limited'), of.limited_by],
        [t('crawl.failure'), of.failure],
      ]}
    />
  )
}

/** Links that lead nowhere, each with the page that has it. */
export function LinksView({ check }: { check: Check }) {
  const { t } = useTranslation('check-views')
  return (
    <Newest kind="broken_links" check={check}>
      {seen => (
        <>
          <Crawl
            of={seen}
            more={[
              [t('crawl.internal'), seen.broken_internal],
              [t('crawl.external'), seen.broken_external],
            ]}
          />
          {seen.broken.length === 0 ? (
            <p>{t('crawl.noBroken')}</p>
          ) : (
            <Table
              caption={t('crawl.broken')}
              rows={seen.broken}
              keyOf={({ url, found_on }) => `${url} ${found_on}`}
              columns={[
                { id: 'url', header: t('crawl.link'), cell: ({ url }) => <code className="given">{url}</code> },
                { id: 'answer', header: t('crawl.answer'), cell: ({ status, fault }) => status ?? fault },
                {
                  id: 'page',
                  header: t('crawl.page'),
                  cell: ({ found_on, text }) => (
                    <>
                      <code className="given">{found_on}</code>
                      <small>{text}</small>
                    </>
                  ),
                },
              ]}
            />
          )}
        </>
      )}
    </Newest>
  )
}

/** What secure pages load without security. */
export function MixedContentView({ check }: { check: Check }) {
  const { t } = useTranslation('check-views')
  return (
    <Newest kind="mixed_content" check={check}>
      {seen => (
        <>
          <Crawl
            of={seen}
            more={[
              [t('crawl.mixedPages'), seen.mixed_pages],
              [t('crawl.active'), seen.active],
              [t('crawl.passive'), seen.passive],
              [t('crawl.forms'), seen.forms],
            ]}
          />
          {seen.mixed.length === 0 ? (
            <p>{t('crawl.noMixed')}</p>
          ) : (
            <Table
              caption={t('crawl.mixed')}
              rows={seen.mixed}
              keyOf={({ page, url, element }) => `${page} ${url} ${element}`}
              columns={[
                { id: 'url', header: t('crawl.loaded'), cell: ({ url }) => <code className="given">{url}</code> },
                { id: 'element', header: t('crawl.element'), cell: ({ element }) => <code>{element}</code> },
                { id: 'page', header: t('crawl.page'), cell: ({ page }) => <code className="given">{page}</code> },
              ]}
            />
          )}
        </>
      )}
    </Newest>
  )
}

/** The newest crawls of the site. */
export function CrawlView({ check: { monitor_id: monitor } }: { check: Check }) {
  const { t, i18n } = useTranslation('check-views')
  const { data: runs } = useSuspenseQuery({
    queryKey: ['monitor', monitor, 'crawl-runs'],
    queryFn: async () =>
      (await bodyOf(api.GET('/api/v1/monitors/{monitor}/crawl-runs', { params: { path: { monitor } } }))).data,
    refetchInterval: 15_000,
  })
  if (runs.length === 0) return <p>{t('none')}</p>
  const figure = (value: number) => number(value, i18n.language)
  return (
    <Table
      caption={t('crawl.runs')}
      rows={runs}
      keyOf={({ id }) => id}
      columns={[
        { id: 'begun', header: t('crawl.begun'), cell: ({ created_at }) => <Moment at={created_at} /> },
        { id: 'state', header: t('crawl.state'), cell: ({ state }) => t(`crawl.run.${state}`) },
        { id: 'pages', header: t('crawl.pages'), isNumeric: true, cell: row => figure(row.progress.visited) },
        { id: 'checked', header: t('crawl.checked'), isNumeric: true, cell: row => figure(row.progress.checked) },
        { id: 'broken', header: t('crawl.broken'), isNumeric: true, cell: row => figure(row.broken) },
        { id: 'mixed', header: t('crawl.mixed'), isNumeric: true, cell: row => figure(row.mixed) },
      ]}
    />
  )
}
