import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Icon } from '../parts/icons.tsx'
import { useTimes } from '../parts/time.tsx'
import { currentQuery } from './queries.ts'

const mostGaps = 3

/** Who is on call now and next; gaps and people who cannot be reached. */
export function Now({ id }: { id: string }) {
  const { t } = useTranslation('on-call')
  const times = useTimes()
  const { data } = useQuery(currentQuery(id))
  if (data === undefined) return <div role="progressbar" aria-label={t('now')} />
  const { user, source, until, next_user: next, next_at: nextAt, gaps, unreachable } = data.data
  return (
    <>
      <dl className="figures">
        <div>
          <dt>{t('now')}</dt>
          <dd className={user ? undefined : 'down'}>{user?.name ?? t('nobody')}</dd>
          <dd className="on-call-note soft">
            {until === null ? t('until.open') : t('until', { time: times.absolute(until) })}
            {source === 'override' && ` · ${t('source.override')}`}
          </dd>
        </div>
        <div>
          <dt>{t('next')}</dt>
          <dd>{next?.name ?? t('next.none')}</dd>
          {nextAt !== null && <dd className="on-call-note soft">{t('from', { time: times.absolute(nextAt) })}</dd>}
        </div>
      </dl>
      {gaps.length + unreachable.length > 0 && (
        <ul className="on-call-faults down">
          {gaps.slice(0, mostGaps).map(gap => (
            <li key={gap.starts_at}>
              <Icon name="alert" />
              {t('gap', { from: times.absolute(gap.starts_at), to: times.absolute(gap.ends_at) })}
            </li>
          ))}
          {gaps.length > mostGaps && <li>{t('gaps.more', { count: gaps.length - mostGaps })}</li>}
          {unreachable.map(person => (
            <li key={person.user_id}>
              <Icon name="alert" />
              {t('unreachable', { name: person.name })}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
