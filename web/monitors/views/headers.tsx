import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../../contract/figures.ts'
import { Table } from '../../parts/table.tsx'
import type { Check } from '../queries.ts'
import { Newest, toneOf } from './parts.tsx'

/** The grade, and what each header adds to it or takes from it. */
export function HeadersView({ check }: { check: Check }) {
  const { t, i18n } = useTranslation('check-views')
  const signed = numberFormat(i18n.language, { signDisplay: 'exceptZero' })
  return (
    <Newest kind="security_headers" check={check}>
      {seen => (
        <>
          <div className="row">
            <span className={`grade ${toneOf(seen.score)}`}>
              <span className="unseen">{t('headers.grade')} </span>
              {seen.grade}
            </span>
            <div>
              <p>{t('headers.score', { score: seen.score })}</p>
              {seen.dropped_from !== null && <p>{t('headers.before', { grade: seen.dropped_from.grade })}</p>}
            </div>
          </div>
          <Table
            caption={t('headers.findings')}
            rows={seen.findings}
            keyOf={({ name }) => name}
            columns={[
              { id: 'name', header: t('headers.name'), cell: ({ name }) => name },
              { id: 'score', header: t('headers.points'), isNumeric: true, cell: row => signed.format(row.score) },
              {
                id: 'value',
                header: t('headers.value'),
                cell: ({ value, advice }) => (
                  <>
                    {value === null ? t('headers.absent') : <code className="given">{value}</code>}
                    {advice !== null && <small>{advice}</small>}
                  </>
                ),
              },
            ]}
          />
          {seen.policy.length > 0 && (
            <>
              <h3>{t('headers.policy')}</h3>
              <ul>
                {seen.policy.map(({ directive, message }) => (
                  <li key={directive + message}>
                    <code>{directive}</code> {message}
                  </li>
                ))}
              </ul>
            </>
          )}
        </>
      )}
    </Newest>
  )
}
