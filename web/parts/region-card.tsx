import { useTranslation } from 'react-i18next'
import { milliseconds } from '../../contract/figures.ts'
import type { Schemas } from '../api.ts'
import { Icon } from './icons.tsx'
import './region-card.css'

const phases = ['dns', 'connect', 'tls', 'first_byte'] as const
/** Tests and the API name outcomes alike; what a run yielded from one region. */
export type RegionResult = Pick<
  Schemas['CheckTry']['results'][number],
  'region' | 'outcome' | 'summary' | 'response_ms' | 'phases' | 'http_status'
>

interface Props {
  region: string
  /** null: it has not answered. */
  result: RegionResult | null
  /** Whether its answer may still come. */
  isPending: boolean
  /** Of all regions, in milliseconds: what a whole bar stands for. */
  slowest: number
}

/** The bars of all regions have one scale, so that they can be compared. */
export const slowestOf = (results: readonly (RegionResult | null | undefined)[]): number =>
  Math.max(1, ...results.map(result => result?.phases.total ?? 0))

/** What one region saw: the answer, and how long each phase took. */
export function RegionCard({ region, result, isPending, slowest }: Props) {
  const { t, i18n } = useTranslation('parts')
  const isGood = result?.outcome === 'up' || result?.outcome === 'warning'
  const look = result ? (isGood ? 'is-up' : 'is-down') : isPending ? 'is-pending' : ''
  return (
    <li className={`region-card ${look}`}>
      <h3>{region}</h3>
      <p className="region-outcome">
        {result ? (
          <>
            <Icon name={isGood ? 'up' : 'down'} /> {t(`region.outcome.${result.outcome}`)}
            {result.http_status !== null && <> · {result.http_status}</>}
            {result.response_ms !== null && <> · {milliseconds(result.response_ms, i18n.language)}</>}
          </>
        ) : (
          t(isPending ? 'region.pending' : 'region.silent')
        )}
      </p>
      {result && !isGood && result.summary !== null && <p>{result.summary}</p>}
      {result && <PhaseBars phases={result.phases} slowest={slowest} />}
    </li>
  )
}

/** Each phase begins where the one before it has ended. */
function PhaseBars({ phases: took, slowest }: { phases: Schemas['Phases']; slowest: number }) {
  const { t, i18n } = useTranslation('parts')
  let from = 0
  const bars = phases.flatMap(phase => {
    const ms = took[phase]
    if (ms === null) return []
    const bar = { phase, ms, from }
    from += ms
    return [bar]
  })
  if (bars.length === 0) return null
  return (
    <dl className="region-phases">
      {bars.map(({ phase, ms, from: start }) => (
        <div key={phase}>
          <dt>{t(`region.phase.${phase}`)}</dt>
          <dd>
            <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
              <rect x={(100 * start) / slowest} width={Math.max(1, (100 * ms) / slowest)} height="8" rx="1" />
            </svg>
            {milliseconds(ms, i18n.language)}
          </dd>
        </div>
      ))}
    </dl>
  )
}
