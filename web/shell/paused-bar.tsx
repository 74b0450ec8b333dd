import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Icon } from '../parts/icons.tsx'
import { useTimes } from '../parts/time.tsx'
import { planQuery } from '../shared-queries.ts'
import { useBrand } from './brand.ts'

/** Says on every page that nothing is checked, since when and why, or how many monitors the plan holds. */
export function PausedBar() {
  const { t } = useTranslation()
  const times = useTimes()
  const brand = useBrand()
  const { data: plan } = useQuery({ ...planQuery, refetchInterval: 60_000 })
  if (!plan) return null
  const { is_paused: isPaused, paused_at: pausedAt, paused_reason: reason, on_hold: held } = plan
  if (isPaused)
    return (
      <p className="paused" role="status">
        <Icon name="alert" />
        <span>
          {t('paused.says', { since: pausedAt ? times.absolute(pausedAt) : '' })}{' '}
          {reason && t('paused.reason', { reason })}
        </span>
        {brand?.support_url && <a href={brand.support_url}>{t('brand.support')}</a>}
      </p>
    )
  if (held.monitors + held.notification_channels === 0) return null
  return (
    <p className="paused" role="status">
      <Icon name="alert" />
      <span>
        {held.monitors > 0 && t('held.monitors', { count: held.monitors })}{' '}
        {held.notification_channels > 0 && t('held.channels', { count: held.notification_channels })}
      </span>
      <Link to="/app/settings/plan">{t('held.choose')}</Link>
    </p>
  )
}
