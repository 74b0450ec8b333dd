import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'
import { Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { overviewQuery, webhooksQuery } from './queries.ts'

const soonDays = 7
const dayMs = 86_400_000

/** All managed teams at this moment: counts, incidents, the worst, trials that end, webhooks that fail. */
export function ConsoleOverview() {
  const { t } = useTranslation('console')
  const {
    teams,
    monitors,
    members,
    open_incidents: open,
    worst_teams,
    incidents,
  } = useSuspenseQuery(overviewQuery).data.data
  const worst = worst_teams.filter(team => team.monitors_down_count > 0)
  const figures = [
    ['overview.teams', teams.total],
    ['overview.active', teams.active],
    ['overview.paused', teams.paused],
    ['overview.trial', teams.on_trial],
    ['overview.with_incidents', teams.with_incidents],
    ['overview.trashed', teams.trashed],
    ['overview.monitors', monitors.total],
    ['overview.down', monitors.down],
    ['overview.members', members],
  ] as const
  return (
    <>
      <section className="card">
        <dl className="figures">
          {figures.map(([word, value]) => (
            <div key={word}>
              <dt>{t(word)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section className="card">
        <h2>
          {t('overview.open')}: {open.total}
        </h2>
        {incidents.length === 0 ? (
          <p>{t('overview.open.none')}</p>
        ) : (
          <Table
            caption={t('overview.open')}
            rows={incidents}
            keyOf={incident => incident.incident_id}
            columns={[
              {
                id: 'incident',
                header: t('overview.incident'),
                cell: incident => (
                  <>
                    {incident.title}
                    <small className="soft">{incident.monitor_url}</small>
                  </>
                ),
              },
              {
                id: 'team',
                header: t('overview.team'),
                cell: incident => <TeamLink id={incident.managed_team_id} name={incident.team_name} />,
              },
              {
                id: 'severity',
                header: t('overview.severity'),
                cell: incident => t(`severity.${incident.severity}`),
              },
              { id: 'since', header: t('overview.since'), cell: incident => <Moment at={incident.started_at} /> },
            ]}
          />
        )}
      </section>
      {worst.length > 0 && (
        <section className="card">
          <h2>{t('overview.worst')}</h2>
          <ul>
            {worst.map(team => (
              <li key={team.id}>
                <TeamLink id={team.id} name={team.name} />: {t('teams.down', { count: team.monitors_down_count })}
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className="cards">
        <Trials />
        <FailingWebhooks />
      </div>
    </>
  )
}

const TeamLink = ({ id, name }: { id: string; name: string }) => (
  <Link to="/console/teams/$team" params={{ team: id }}>
    {name}
  </Link>
)

function Trials() {
  const { t } = useTranslation('console')
  const { data } = useQuery({
    queryKey: ['reseller', 'teams', 'ending'],
    queryFn: ({ signal }) => {
      const before = new Date(Date.now() + soonDays * dayMs).toISOString()
      const query = { status: 'trial' as const, trial_expires_before: before, per_page: 20 }
      return bodyOf(api.GET('/api/v1/reseller/managed-teams', { params: { query }, signal }))
    },
  })
  return (
    <section className="card">
      <h2>{t('overview.ending')}</h2>
      {data?.data.length === 0 && <p>{t('overview.ending.none')}</p>}
      <ul>
        {data?.data.map(team => (
          <li key={team.id}>
            <TeamLink id={team.id} name={team.name} /> {team.trial_ends_at && <Moment at={team.trial_ends_at} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

function FailingWebhooks() {
  const { t } = useTranslation('console')
  const { data } = useQuery(webhooksQuery)
  const failing = data?.data.filter(webhook => webhook.is_failing)
  return (
    <section className="card">
      <h2>{t('overview.failing')}</h2>
      {failing?.length === 0 && <p>{t('overview.failing.none')}</p>}
      <ul>
        {failing?.map(webhook => (
          <li key={webhook.id}>
            <Link to="/console/webhooks/$webhook" params={{ webhook: webhook.id }}>
              {webhook.name}
            </Link>{' '}
            {webhook.failing_since && (
              <>
                {t('overview.failing.since')} <Moment at={webhook.failing_since} />
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
