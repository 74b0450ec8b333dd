import { useTranslation } from 'react-i18next'
import { number } from '../../../contract/figures.ts'
import { Moment } from '../../parts/time.tsx'
import type { Check } from '../queries.ts'
import { Newest, Pairs, Texts, Verdict } from './parts.tsx'

const dayMs = 86_400_000

/** The certificate with its chain, and which of the warnings before its end have been reached. */
export function CertificateView({ check }: { check: Check }) {
  const { t, i18n } = useTranslation('check-views')
  const { warn_days } = check.settings as { warn_days?: number[] | null }
  return (
    <Newest kind="ssl" check={check}>
      {seen => (
        <>
          <div className="row">
            <Verdict isGood={seen.chain_error === null && seen.chain_problem === null}>
              {seen.chain_problem === null
                ? (seen.chain_error ?? t('ssl.trusted'))
                : t(`ssl.problem.${seen.chain_problem}`)}
            </Verdict>
            <Verdict isGood={seen.matches_host}>{t(seen.matches_host ? 'ssl.host' : 'ssl.otherHost')}</Verdict>
            {seen.weaknesses.map(({ code, what, subject }) => (
              <Verdict key={code + subject} isGood={false}>
                {t(`ssl.${code}`)}: {what}
              </Verdict>
            ))}
          </div>
          <h3>{t('ssl.ladder')}</h3>
          <p>{t('ssl.left', { count: seen.days_left })}</p>
          {!warn_days && <p className="soft">{t('ssl.usual')}</p>}
          <ol className="ladder">
            {(warn_days ?? seen.usual_warn_days)
              .toSorted((a, b) => b - a)
              .map(days => {
                // the days of the owner are whole ones
                const left = warn_days ? seen.days_left : (Date.parse(seen.valid_to) - Date.now()) / dayMs
                return (
                  <li key={days} className={left <= days ? 'is-reached' : ''}>
                    {t('ssl.step', { count: days, days: number(days, i18n.language, 3) })}
                    {left <= days && <span className="unseen"> {t('ssl.reached')}</span>}
                  </li>
                )
              })}
          </ol>
          <h3>{t('ssl.chain')}</h3>
          {seen.chain.length > 0 ? (
            <ol className="chain">
              {seen.chain.map(({ subject, issuer, not_after, key, signature }) => (
                <li key={subject + not_after}>
                  <p>
                    <strong>{subject}</strong>
                  </p>
                  <p className="soft">
                    {t('ssl.issuer')}: {issuer}
                  </p>
                  <p className="soft">
                    {t('ssl.until')} <Moment at={not_after} />, {key}, {signature}
                  </p>
                </li>
              ))}
            </ol>
          ) : (
            <p>{seen.issuer}</p>
          )}
          {seen.missing_link !== null && <p>{t('ssl.missing', { name: seen.missing_link })}</p>}
          <Pairs
            of={[
              [t('ssl.subject'), seen.subject],
              [t('ssl.from'), <Moment key="from" at={seen.valid_from} />],
              [t('ssl.until'), <Moment key="to" at={seen.valid_to} />],
              [t('ssl.protocol'), seen.protocol],
              [t('ssl.cipher'), seen.cipher],
              [t('ssl.fingerprint'), seen.fingerprint],
            ]}
          />
          <details>
            <summary>{t('ssl.names', { count: seen.names.length })}</summary>
            <Texts of={seen.names} />
          </details>
        </>
      )}
    </Newest>
  )
}
