import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api.ts'
import { milliseconds } from '../parts/numbers.ts'

const phases = ['dns', 'connect', 'tls', 'first_byte'] as const

interface Props {
  result: Schemas['CheckResult']
  /** Of all regions, in milliseconds: what a whole bar stands for. */
  slowest: number
}

/** What one region saw: the answer, and how long each phase took. */
export function RegionCard({ result, slowest }: Props) {
  const { t, i18n } = useTranslation('welcome')
  const isGood = result.outcome === 'up' || result.outcome === 'warning'
  const taken = phases.flatMap(phase => {
    const ms = result.phases[phase]
    return ms === null || ms === undefined ? [] : [{ phase, ms }]
  })
  return (
    <li className={`welcome-region ${isGood ? 'is-up' : 'is-down'}`}>
      <h2>{result.region}</h2>
      <p className="welcome-outcome">
        <span aria-hidden="true">{isGood ? '✓' : '✕'}</span> {t(`outcome.${result.outcome}`)}
        {result.response_ms !== null && <> · {milliseconds(result.response_ms, i18n.language)}</>}
      </p>
      {!isGood && result.summary !== null && <p>{result.summary}</p>}
      {taken.length > 0 && (
        <dl className="welcome-phases">
          {taken.map(({ phase, ms }) => (
            <div key={phase}>
              <dt>{t(`phase.${phase}`)}</dt>
              <dd>
                <meter min={0} max={slowest} value={ms} aria-label={t(`phase.${phase}`)} />{' '}
                {milliseconds(ms, i18n.language)}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  )
}
