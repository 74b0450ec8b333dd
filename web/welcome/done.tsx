import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

/** What there is to go on with: the badge of the monitor, the documentation, the overview. */
export function Done({ monitor }: { monitor: string | undefined }) {
  const { t } = useTranslation('welcome')
  const badge = monitor && `![${t('done.uptime')}](${location.origin}/api/badges/${monitor})`
  return (
    <>
      <h1>{t('done.title')}</h1>
      <ul>
        <li>
          <Link to="/app">{t('done.overview')}</Link>
        </li>
        <li>
          <Link to="/app/monitors">{t('done.monitors')}</Link>
        </li>
        <li>
          <a href="/api/docs">{t('done.api')}</a>
        </li>
      </ul>
      {monitor !== undefined && (
        <>
          <h2>{t('done.badge')}</h2>
          <p>
            <img src={`/api/badges/${monitor}`} alt={t('done.uptime')} height={20} />
          </p>
          <pre>
            <code>{badge}</code>
          </pre>
        </>
      )}
    </>
  )
}
