import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PageHead } from '../parts/page-head.tsx'
import { labelOf, StatusPill } from '../parts/status-pill.tsx'
import { TabLink, Tabs } from '../parts/tabs.tsx'
import { Lasted, Moment } from '../parts/time.tsx'
import { MonitorActions } from './monitor-actions.tsx'
import { type Monitor, monitorQuery } from './queries.ts'
import '../parts/table.css'
import './monitors.css'

const tabs = [
  { to: '/app/monitors/$monitor', word: 'tab.overview' },
  { to: '/app/monitors/$monitor/regions', word: 'tab.regions' },
  { to: '/app/monitors/$monitor/checks', word: 'tab.checks' },
  { to: '/app/monitors/$monitor/what-if', word: 'tab.whatIf' },
  { to: '/app/monitors/$monitor/settings', word: 'tab.settings' },
  { to: '/app/monitors/$monitor/history', word: 'tab.history' },
] as const

/** One monitor: how it is, what can be done with it, and its parts, each at an address of its own. */
export function MonitorPage() {
  const { t } = useTranslation('monitors')
  const { monitor: id } = useParams({ from: '/app/app/monitors/$monitor' })
  const { data: monitor } = useSuspenseQuery(monitorQuery(id))
  return (
    <div className="page">
      <PageHead
        title={monitor.name}
        status={<StatusPill status={labelOf(monitor)} />}
        subtitle={<Address monitor={monitor} />}
        actions={<MonitorActions monitor={monitor} />}
      />
      <State monitor={monitor} />
      <Tabs label={t('tab.label')}>
        {tabs.map(({ to, word }, index) => (
          <TabLink
            key={to}
            to={to}
            params={{ monitor: id }}
            activeOptions={{ exact: index === 0, includeSearch: false }}
          >
            {t(word)}
          </TabLink>
        ))}
      </Tabs>
      <Outlet />
    </div>
  )
}

/** The address as a link, if a browser can open it. */
function Address({ monitor: { url, type, tags } }: { monitor: Monitor }) {
  const { t } = useTranslation('monitors')
  return (
    <p className="address">
      {t(`type.${type}`)}{' '}
      {/^https?:\/\//.test(url) ? (
        <a href={url} rel="noreferrer" target="_blank">
          {url}
        </a>
      ) : (
        url
      )}
      {tags.map(tag => (
        <Link key={tag} className="tag" to="/app/monitors" search={{ tag }}>
          {tag}
        </Link>
      ))}
    </p>
  )
}

function State({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation('monitors')
  const { status, state, status_reason, coverage, held_by_plan, checks } = monitor
  const snoozed = checks.map(({ snoozed_until }) => snoozed_until).filter(until => until !== null)
  return (
    <div className="state">
      <p>
        {state.cause === 'not_judged'
          ? t('head.never')
          : state.since && (
              <>
                {t('head.since')} <Moment at={state.since} /> (<Lasted from={state.since} />)
              </>
            )}
      </p>
      {status_reason !== null && <p>{status_reason}</p>}
      {held_by_plan && <p>{t('head.heldByPlan')}</p>}
      {state.cause === 'no_region' && <p>{t('head.coverage.none')}</p>}
      {state.cause === 'no_check' && <p>{t('head.noCheck')}</p>}
      {status !== null && status !== 'paused' && coverage === 'partial' && <p>{t('head.coverage.partial')}</p>}
      {snoozed.length > 0 && (
        <p>
          {t('head.snoozed')} <Moment at={snoozed.toSorted().at(-1) ?? ''} />
        </p>
      )}
    </div>
  )
}
