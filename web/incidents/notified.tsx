import { useTranslation } from 'react-i18next'
import { GapNotice } from '../alerts/gap-notice.tsx'
import { Icon } from '../parts/icons.tsx'
import { Moment, useTimes } from '../parts/time.tsx'
import { usePerson } from '../shell/session.ts'
import type { Decision, IncidentDetail } from './queries.ts'

/** Stages at which channels hear that it began; the others are of what followed. */
const beginnings = new Set<Decision['stage']>(['begun', 'released', 'unmuted'])

type Reason = Decision['channels'][number]['reason']

/** What decides of a notification, each with the reasons that say it did. */
const conditions = [
  { word: 'rule', reasons: ['rule_matched'] },
  { word: 'escalation', reasons: ['escalation_step'] },
  { word: 'noRule', reasons: ['no_rule'] },
  { word: 'filtered', reasons: ['tenant_filter', 'monitor_filter', 'pagers_only'] },
  { word: 'unreadable', reasons: ['rule_unreadable'] },
  { word: 'disabled', reasons: ['channel_disabled', 'plan_limit'] },
  { word: 'snoozed', reasons: ['check_snoozed', 'opening_not_notified'] },
  { word: 'flapping', reasons: ['grouped_by_flapping'] },
  { word: 'storm', reasons: ['grouped_by_storm'] },
  { word: 'host', reasons: ['grouped_by_host'] },
  { word: 'maintenance', reasons: ['maintenance'] },
  { word: 'shadow', reasons: ['shadow'] },
] as const satisfies readonly { word: string; reasons: readonly Reason[] }[]

/** Why channels and people were notified of the incident, or were not: each reason a line that is true or false. */
export function Notified({ incident, decisions }: { incident: IncidentDetail; decisions: readonly Decision[] }) {
  const { t } = useTranslation('incidents')
  const begun = decisions.filter(({ stage }) => beginnings.has(stage))
  const followed = decisions.filter(({ stage }) => !beginnings.has(stage))
  const channels = begun.flatMap(decision => decision.channels)
  const namesOf = (reasons: readonly Reason[]) => [
    ...new Set(channels.filter(({ reason }) => reasons.includes(reason)).map(({ channel_name }) => channel_name)),
  ]
  return (
    <section className="card">
      <h2>{t('why')}</h2>
      {incident.resolved_at === null && <GapNotice monitor={incident.monitor_id} />}
      <Mine incident={incident} />
      <Reached incident={incident} begun={begun} />
      {incident.storm !== null && (
        <p>
          {t(incident.storm.host === null ? 'why.inStorm' : 'why.inHostStorm', {
            host: incident.storm.host,
            count: incident.storm.monitors_count,
            down: incident.storm.down_count,
          })}
        </p>
      )}
      {channels.length > 0 && (
        <ul className="conditions bare-list">
          {conditions.map(({ word, reasons }) => {
            const named = namesOf(reasons)
            return (
              <li key={word}>
                <Truth isTrue={named.length > 0} />
                <span>
                  {t(`why.${word}`)}
                  {named.length > 0 && <span className="soft"> ({named.join(', ')})</span>}
                </span>
              </li>
            )
          })}
          <li>
            <Truth isTrue={incident.is_snoozed} />
            <span>{t('why.incidentSnoozed')}</span>
          </li>
        </ul>
      )}
      {[
        { word: 'begun', those: begun },
        { word: 'followed', those: followed },
      ].map(
        ({ word, those }) =>
          those.length > 0 && (
            <details key={word}>
              <summary>{t(`why.events.${word}`, { count: those.length })}</summary>
              {those.map(decision => (
                <DecisionLines key={decision.id} decision={decision} />
              ))}
            </details>
          ),
      )}
      <Escalation incident={incident} />
    </section>
  )
}

/** Whether a channel was notified of it, by itself or together with others. */
const isReached = ({ is_notified, reason }: Decision['channels'][number]) =>
  is_notified || reason === 'already_notified' || reason.startsWith('grouped_by_')

/** Whether its beginning was notified to any channel, in one sentence. */
function Reached({ incident, begun }: { incident: IncidentDetail; begun: readonly Decision[] }) {
  const { t } = useTranslation('incidents')
  if (begun.length === 0) return <p>{t('why.none')}</p>
  const channels = begun.flatMap(decision => decision.channels)
  const all = new Set(channels.map(({ channel_id }) => channel_id))
  const notified = new Set(channels.filter(isReached).map(({ channel_id }) => channel_id))
  if (notified.size > 0) return <p>{t('why.reached', { count: notified.size, of: all.size })}</p>
  const isCalling = (incident.escalation?.notifications_total ?? 0) > 0
  return (
    <p className="down">{t(`why.${all.size === 0 ? 'noChannels' : 'unreached'}.${isCalling ? 'called' : 'nobody'}`)}</p>
  )
}

/** Whether the very person was called, through what and when. */
function Mine({ incident: { escalation } }: { incident: IncidentDetail }) {
  const { t } = useTranslation('incidents')
  const times = useTimes()
  const { id } = usePerson()
  const calls = escalation?.notifications.filter(({ user_id, reason }) => user_id === id && reason === null) ?? []
  const first = calls.at(-1)
  return (
    <p className="mine">
      <Truth isTrue={first !== undefined} />
      {first
        ? t('why.you', {
            at: times.absolute(first.at, 'time'),
            through: t(`through.${first.via === 'mail' ? 'mail' : first.channel_type}`, {
              defaultValue: first.channel_type ?? '',
            }),
            count: calls.length,
          })
        : t(escalation ? 'why.notYou' : 'why.noPolicy')}
    </p>
  )
}

function Escalation({ incident: { escalation } }: { incident: IncidentDetail }) {
  const { t } = useTranslation('incidents')
  if (!escalation) return null
  const { policy_name, state, step, round, next_at, notifications_total } = escalation
  return (
    <p>
      {t('why.policy', { name: policy_name ?? t('why.policyDeleted'), state: t(`escalation.${state}`) })}{' '}
      {t('why.steps', { step, round, count: notifications_total })}
      {next_at !== null && (
        <>
          {' '}
          {t('why.next')} <Moment at={next_at} style="time" />
        </>
      )}
    </p>
  )
}

function DecisionLines({ decision: { event, emitted_at, channels, audience } }: { decision: Decision }) {
  const { t } = useTranslation('incidents')
  return (
    <section className="decision">
      <h3>
        <code>{event}</code> <Moment at={emitted_at} style="time" />
        {audience === 'reseller' && <span className="soft"> {t('why.reseller')}</span>}
      </h3>
      {channels.length === 0 && <p>{t('why.noChannels')}</p>}
      <ul className="conditions bare-list">
        {channels.map(({ channel_id, channel_name, channel_type, is_notified, reason, delivery }) => (
          <li key={channel_id}>
            <Truth isTrue={is_notified} />
            <span>
              <strong>{channel_name}</strong> <span className="soft">{channel_type}</span>: {t(`reason.${reason}`)}
              {delivery && (
                <>
                  {' '}
                  {t(`delivery.${delivery.status}`, { count: delivery.attempts })}
                  {delivery.error !== null && <code> {delivery.error}</code>}
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A word and a sign for true or false. */
function Truth({ isTrue }: { isTrue: boolean }) {
  const { t } = useTranslation('incidents')
  return (
    <span className={isTrue ? 'truth yes' : 'truth no'}>
      <Icon name={isTrue ? 'check' : 'cross'} />
      {t(isTrue ? 'yes' : 'no')}
    </span>
  )
}
