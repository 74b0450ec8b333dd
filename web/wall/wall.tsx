import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { duration, moment, percent } from '../../contract/figures.ts'
import { ApiError, type Schemas } from '../api.ts'
import { sentenceOf } from '../overview/sentence.ts'
import { useNow } from '../parts/time.tsx'
import { tokenOf, wallQuery } from './queries.ts'
import './wall.css'

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** For a screen in the office: large, dark, without anything to press. */
export function Wall() {
  const { t } = useTranslation('wall')
  const [token, setToken] = useState(() => tokenOf(location.hash))
  useEffect(() => {
    document.title = t('title')
    const follow = () => setToken(tokenOf(location.hash))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [t])
  return token === null ? <HowTo /> : <Screen key={token} token={token} />
}

const Frame = ({ tone, children }: { tone: string; children: ReactNode }) => (
  <main className={`wall ${tone}`}>{children}</main>
)

/** How a screen gets its address. */
function HowTo() {
  const { t } = useTranslation('wall')
  return (
    <Frame tone="quiet">
      <h1>{t('title')}</h1>
      <p>{t('how.says')}</p>
      <ol>
        <li>{t('how.token')}</li>
        <li>
          {t('how.address')} <code>{`${location.origin}/app/wall#sk-…`}</code>
        </li>
      </ol>
      <p>{t('how.safe')}</p>
    </Frame>
  )
}

function Screen({ token }: { token: string }) {
  const { t, i18n } = useTranslation('wall')
  const now = useNow()
  const { data, error } = useQuery(wallQuery(token))
  const { language } = i18n
  // a token that was revoked shows nothing any more; other failures leave the last answer, with its time
  const isRefused = error instanceof ApiError && [401, 403].includes(error.status)
  const failure = error && (
    <p className="wall-failure" role="alert">
      {isRefused ? t('refused', { message: error.message }) : t('unreachable')}
    </p>
  )
  if (!data || isRefused)
    return (
      <Frame tone="quiet">
        <h1>{error ? t('title') : t('loading')}</h1>
        {failure}
      </Frame>
    )
  const { stats, open, silent, at } = data
  const { down, warning, up } = stats.monitors
  return (
    <Frame tone={down > 0 ? 'down' : warning > 0 ? 'warning' : up > 0 ? 'up' : 'quiet'}>
      <h1>{sentenceOf(stats.monitors, t)}</h1>
      {silent.length > 0 && <p className="wall-warning">{t('silent', { names: silent.join(', ') })}</p>}
      <Missing stats={stats} />
      <ul className="wall-incidents">
        {open.map(({ id, title, cause, started_at, acknowledged_at, severity }) => (
          <li key={id} className={severity === 'minor' ? 'warning' : 'down'}>
            <strong>{title}</strong>
            {cause !== null && <span>{cause}</span>}
            <span className="wall-age">
              {duration(Math.max(1_000, now - Date.parse(started_at)), language)}
              {', '}
              {t(acknowledged_at === null ? 'free' : 'taken')}
            </span>
          </li>
        ))}
      </ul>
      <footer>
        <dl>
          {(['uptime_24h', 'uptime_7d', 'uptime_30d'] as const).map(name => (
            <div key={name}>
              <dt>{t(name)}</dt>
              <dd>{percent(stats[name], language)}</dd>
            </div>
          ))}
        </dl>
        {failure}
        <p>{t('at', { time: moment(at, { language, zone: timeZone, style: 'time' }) })}</p>
      </footer>
    </Frame>
  )
}

/** Says that the figures lack results that wait to be stored. */
function Missing({ stats }: { stats: Schemas['DashboardStats'] }) {
  const { t, i18n } = useTranslation('parts')
  const { checks_24h, history_waits_since: since } = stats
  if (checks_24h === null) return <p className="wall-warning">{t('history.unreadable')}</p>
  if (since === null) return null
  const time = moment(Date.parse(since), { language: i18n.language, zone: timeZone, style: 'short' })
  return <p className="wall-warning">{t('history.waits', { time })}</p>
}
