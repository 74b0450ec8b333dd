import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isReachability } from '../monitors/kinds.ts'
import { PageHead } from '../parts/page-head.tsx'
import { IncidentDuration, useTimes } from '../parts/time.tsx'
import { usePerson } from '../shell/session.ts'
import { IncidentActions } from './incident-actions.tsx'
import { Notified } from './notified.tsx'
import { ProofTable } from './proof.tsx'
import { PublishedPosts } from './published.tsx'
import { decisionsQuery, type IncidentDetail, incidentQuery } from './queries.ts'
import { agreementOf } from './sentence.ts'
import { IncidentStatus } from './status.tsx'
import { Timeline } from './timeline.tsx'
import '../parts/table.css'
import './incidents.css'

/** One incident: what happened in a sentence, its proof, what followed, and who was notified. */
export function IncidentPage() {
  const { t } = useTranslation('incidents')
  const { incident: id } = useParams({ from: '/app/app/incidents/$incident' })
  const { role } = usePerson()
  const { data: incident } = useSuspenseQuery(incidentQuery(id))
  const { data: decisions = [] } = useQuery(decisionsQuery(id))
  return (
    <div className="page">
      <PageHead
        title={`#${incident.number} ${incident.title}`}
        status={<IncidentStatus incident={incident} by={holderOf(incident)} />}
        actions={role !== 'viewer' && <IncidentActions incident={incident} />}
      />
      <Sentence incident={incident} />
      <ProofTable incident={incident} />
      <Timeline incident={incident} decisions={decisions} />
      <Notified incident={incident} decisions={decisions} />
      <PublishedPosts incident={incident} />
      <p className="row">
        {incident.is_monitor_removed ? (
          <span className="soft">{t('monitorRemoved', { name: incident.monitor_name })}</span>
        ) : (
          <>
            <Link to="/app/monitors/$monitor" params={{ monitor: incident.monitor_id }}>
              {t('link.monitor', { name: incident.monitor_name })}
            </Link>
            <Link to="/app/monitors/$monitor/what-if" params={{ monitor: incident.monitor_id }}>
              {t('link.whatIf')}
            </Link>
          </>
        )}
        <Link to="/app/incidents" search={{ monitor: incident.monitor_id }}>
          {t('link.others')}
        </Link>
      </p>
    </div>
  )
}

/** Who acknowledged it last; a link or a key has no name. */
const holderOf = ({ timeline }: IncidentDetail) =>
  timeline.findLast(({ type }) => type === 'acknowledged')?.user_name ?? undefined

/** What happened, and how sure that is. */
function Sentence({ incident }: { incident: IncidentDetail }) {
  const { t } = useTranslation('incidents')
  const times = useTimes()
  const { monitor_name, title, check_type, started_at, resolved_at, cause, acknowledged_at } = incident
  const day = (at: string) => times.absolute(at, 'date')
  const moment = (at: string) =>
    day(at) === times.absolute(Date.now(), 'date')
      ? times.absolute(at, 'time')
      : `${day(at)}, ${times.absolute(at, 'time')}`
  const words = {
    what: isReachability(check_type) ? monitor_name : title,
    since: moment(started_at),
    until:
      resolved_at && (day(resolved_at) === day(started_at) ? times.absolute(resolved_at, 'time') : moment(resolved_at)),
  }
  const key = `sentence.${isReachability(check_type) ? 'down' : 'other'}.${resolved_at === null ? 'open' : 'over'}`
  const { failed, asked, required, spreadMs } = agreementOf(incident.quorum)
  const holder = holderOf(incident)
  return (
    <section className="card sentence" aria-label={t('sentence.label')}>
      <p>
        {t(key, words)}{' '}
        {asked > 1 &&
          t(`sentence.agreed.${spreadMs === null ? 'alone' : 'within'}`, {
            ...{ failed, asked },
            count: required,
            span: times.duration(spreadMs ?? 0),
          })}
        {asked === 1 && t('sentence.single')}
      </p>
      <dl className="figures">
        <div>
          <dt>{t('figure.lasted')}</dt>
          <dd>
            <IncidentDuration incident={incident} />
          </dd>
        </div>
        <div>
          <dt>{t('figure.severity')}</dt>
          <dd>{t(`severity.${incident.severity}`)}</dd>
        </div>
        <div>
          <dt>{t('figure.holder')}</dt>
          <dd>{acknowledged_at === null ? t('holder.none') : (holder ?? t('holder.unnamed'))}</dd>
        </div>
        {incident.resolution !== null && (
          <div>
            <dt>{t('figure.ended')}</dt>
            <dd>{t(`ended.${incident.resolution}`)}</dd>
          </div>
        )}
        {cause !== null && (
          <div>
            <dt>{t('figure.cause')}</dt>
            <dd>{cause}</dd>
          </div>
        )}
      </dl>
    </section>
  )
}
