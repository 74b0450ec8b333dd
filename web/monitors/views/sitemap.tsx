import { useTranslation } from 'react-i18next'
import { number } from '../../../contract/figures.ts'
import { Table } from '../../parts/table.tsx'
import { Moment } from '../../parts/time.tsx'
import type { Check } from '../queries.ts'
import { Newest, Pairs, Texts, Verdict } from './parts.tsx'

/** What the sitemap names, what is wrong with it, and the pages of it that were tried. */
export function SitemapView({ check }: { check: Check }) {
  const { t, i18n } = useTranslation('check-views')
  const figure = (value: number) => number(value, i18n.language)
  return (
    <Newest kind="sitemap" check={check}>
      {seen => (
        <>
          <Pairs
            of={[
              [t('address'), seen.url],
              [t('httpStatus'), seen.status],
              [t('sitemap.urls'), figure(seen.urls)],
              [t('sitemap.files'), figure(seen.read)],
              [t('bytes'), figure(seen.bytes)],
              [t('sitemap.newest'), seen.newest && <Moment at={seen.newest} />],
            ]}
          />
          {seen.problems.length === 0 && <Verdict isGood>{t('sitemap.good')}</Verdict>}
          {seen.problems.map(({ code, count, examples }) => (
            <section key={code}>
              <h3>
                {t(`sitemap.problem.${code}`)}: {figure(count)}
              </h3>
              <Texts of={examples} />
            </section>
          ))}
          {seen.sampled.length > 0 && (
            <Table
              caption={t('sitemap.sampled')}
              isCaptionShown
              rows={seen.sampled}
              keyOf={({ url }) => url}
              columns={[
                { id: 'url', header: t('address'), cell: ({ url }) => <code className="given">{url}</code> },
                { id: 'status', header: t('httpStatus'), isNumeric: true, cell: row => row.status ?? row.error },
              ]}
            />
          )}
        </>
      )}
    </Newest>
  )
}
