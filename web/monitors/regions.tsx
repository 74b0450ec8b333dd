import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { milliseconds } from '../../contract/figures.ts'
import type { Schemas } from '../api.ts'
import { Ago } from '../parts/time.tsx'
import { type Check, checksQuery, resultsQuery } from './queries.ts'

type CheckResult = Schemas['CheckResult']

/** Runs of all regions of a check that are read: thirty of each of three regions. */
const readRuns = 90
const runsEach = 30

/** Each check by region: the newest result, and the runs before it. */
export function MonitorRegions() {
  const { t } = useTranslation('monitors')
  const { monitor } = useParams({ from: '/app/app/monitors/$monitor' })
  const { data: checks } = useSuspenseQuery(checksQuery(monitor))
  return (
    <>
      <p>{t('regions.says')}</p>
      {checks
        .filter(({ is_enabled }) => is_enabled)
        .map(check => (
          <CheckRegions key={check.id} check={check} />
        ))}
    </>
  )
}

function CheckRegions({ check }: { check: Check }) {
  const { t, i18n } = useTranslation('monitors')
  const { data: page } = useQuery(resultsQuery(check.id, readRuns))
  const byRegion = Map.groupBy(page?.data ?? [], ({ region }) => region)
  return (
    <section className="card">
      <h2>{t(`kind.${check.type}`)}</h2>
      {check.region_results.length === 0 ? (
        <p>{t('regions.none')}</p>
      ) : (
        <table className="table regions">
          <thead>
            <tr>
              <th scope="col">{t('regions.region')}</th>
              <th scope="col">{t('regions.newest')}</th>
              <th scope="col">{t('regions.runs')}</th>
            </tr>
          </thead>
          <tbody>
            {check.region_results.map(({ region, result, at, response_ms, summary }) => (
              <tr key={region}>
                <th scope="row">{region}</th>
                <td>
                  <span className={`result ${result}`}>{t(`result.${result}`)}</span>{' '}
                  {milliseconds(response_ms, i18n.language)} <Ago at={at} />
                  {summary !== null && <p className="soft">{summary}</p>}
                </td>
                <td>
                  <Runs results={byRegion.get(region) ?? []} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

const step = 10
const size = 8
const shapes = { succeeded: 16, warning: 12, failed: 6, errored_or_timed_out: 6, pending: 3 }

/** Runs of a region, oldest first: a bar each, the lower the worse, so that colour alone says nothing. */
function Runs({ results }: { results: readonly CheckResult[] }) {
  const { t } = useTranslation('monitors')
  const runs = results.slice(0, runsEach).toReversed()
  const counts = Map.groupBy(runs, ({ result }) => result)
  const says = [...counts].map(([result, those]) => `${t(`result.${result}`)}: ${those.length}`).join(', ')
  const height = 16
  return (
    <svg
      className="runs"
      role="img"
      aria-label={says}
      width={runsEach * step}
      height={height}
      viewBox={`0 0 ${runsEach * step} ${height}`}
    >
      {runs.map(({ at, attempt, result, is_suspect }, index) => (
        <rect
          key={`${at}-${attempt}`}
          className={is_suspect ? 'unreliable' : result}
          x={(runsEach - runs.length + index) * step}
          y={height - shapes[result]}
          width={size}
          height={shapes[result]}
        />
      ))}
    </svg>
  )
}
