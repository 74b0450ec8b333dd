import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'
import { percent } from '../parts/numbers.ts'

const statsQuery = queryOptions({
  queryKey: ['dashboard', 'stats'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/dashboard/stats', { signal })),
})

/** How the team's monitors are at this moment, in one sentence and few figures. */
export function Overview() {
  const { t, i18n } = useTranslation('overview')
  const { data } = useSuspenseQuery(statsQuery).data
  const { total, down, warning } = data.monitors
  return (
    <div className="page">
      <h1>{total === 0 ? t('empty.title') : t('sentence', { down, total, warning })}</h1>
      {total === 0 && (
        <>
          <p>{t('empty.says')}</p>
          <p>
            <Link to="/app/welcome">{t('empty.begin')}</Link>
          </p>
        </>
      )}
      <dl className="figures">
        {(['uptime_24h', 'uptime_7d', 'uptime_30d'] as const).map(name => (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd>{percent(data[name], i18n.language)}</dd>
          </div>
        ))}
      </dl>
      <p>
        <Link to="/app/monitors">{t('monitors')}</Link>
      </p>
    </div>
  )
}
