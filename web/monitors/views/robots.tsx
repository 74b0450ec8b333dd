import { useTranslation } from 'react-i18next'
import { number } from '../../../contract/figures.ts'
import type { Check } from '../queries.ts'
import { Newest, Pairs, Texts, Verdict } from './parts.tsx'

/** What the robots.txt says and forbids, and what changed. */
export function RobotsView({ check }: { check: Check }) {
  const { t, i18n } = useTranslation('check-views')
  return (
    <Newest kind="robots_txt" check={check}>
      {seen => (
        <>
          <Verdict isGood={seen.state !== 'unreachable' && seen.refused.length === 0}>
            {t(`robots.${seen.state}`)}
          </Verdict>
          <Pairs
            of={[
              [t('address'), seen.url],
              [t('httpStatus'), seen.status],
              [t('bytes'), number(seen.bytes, i18n.language)],
              [t('robots.rules'), seen.rules],
              [t('robots.strange'), seen.strange_lines],
              [t('robots.agents'), seen.agents.join(', ')],
              [t('robots.blocked'), seen.blocked.join(', ')],
              [t('robots.refused'), seen.refused.map(({ agent, path }) => `${agent} ${path}`).join(', ')],
              [t('robots.open'), seen.open.map(({ agent, path }) => `${agent} ${path}`).join(', ')],
            ]}
          />
          <h3>{t('robots.sitemaps')}</h3>
          <Texts of={seen.sitemaps} />
          {seen.changes !== null && (
            <div className="records">
              <h3>{t('changes')}</h3>
              {[seen.changes.removed].flat().map(line => (
                <del key={line}>{line}</del>
              ))}
              {[seen.changes.added].flat().map(line => (
                <ins key={line}>{line}</ins>
              ))}
            </div>
          )}
        </>
      )}
    </Newest>
  )
}
