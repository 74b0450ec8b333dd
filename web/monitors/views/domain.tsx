import { useTranslation } from 'react-i18next'
import { Moment } from '../../parts/time.tsx'
import type { Check } from '../queries.ts'
import { Newest, Pairs, Texts } from './parts.tsx'

const dayMs = 86_400_000
/** Days before the end, where the check has none of its own. */
const defaultSteps = [60, 30, 14, 7, 1]

/** The registration of the domain and its end. */
export function DomainView({ check }: { check: Check }) {
  const { t } = useTranslation('check-views')
  const { warn_days = defaultSteps } = check.settings as { warn_days?: number[] }
  const moment = (at: string | null) => at && <Moment at={at} style="date" />
  return (
    <Newest kind="domain_expiry" check={check}>
      {seen => {
        const left = seen.expires_at === null ? null : Math.floor((Date.parse(seen.expires_at) - Date.now()) / dayMs)
        return (
          <>
            <p>
              <strong>{seen.domain}</strong>{' '}
              {left === null ? t(`domain.${seen.answer}`) : t('domain.left', { count: left })}
            </p>
            {left !== null && (
              <ol className="ladder">
                {warn_days
                  .toSorted((a, b) => b - a)
                  .map(days => (
                    <li key={days} className={left <= days ? 'is-reached' : ''}>
                      {t('ssl.step', { count: days, days })}
                      {left <= days && <span className="unseen"> {t('ssl.reached')}</span>}
                    </li>
                  ))}
              </ol>
            )}
            <Pairs
              of={[
                [t('domain.expires'), moment(seen.expires_at)],
                [t('domain.registered'), moment(seen.registered_at)],
                [t('domain.updated'), moment(seen.updated_at)],
                [t('domain.registrar'), seen.registrar],
                [t('domain.source'), [seen.source?.toUpperCase(), seen.server].filter(Boolean).join(', ')],
                [t('domain.signed'), seen.signed === null ? null : t(seen.signed ? 'yes' : 'no')],
                [t('domain.nameservers'), seen.nameservers.join(', ')],
                [t('domain.problem'), seen.problem],
              ]}
            />
            <Texts of={seen.statuses} />
          </>
        )
      }}
    </Newest>
  )
}
