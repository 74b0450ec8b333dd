import { useTranslation } from 'react-i18next'
import { Icon } from '../parts/icons.tsx'
import { useTimes } from '../parts/time.tsx'
import { useLive } from './live.ts'
import './live.css'

/** Says that the API does not answer, and since when it is tried. What is shown meanwhile is as it was. */
export function ConnectionBanner() {
  const { t } = useTranslation()
  const times = useTimes()
  const { state, since } = useLive()
  return (
    <div role="status">
      {state === 'away' && (
        <p className="connection">
          <Icon name="alert" />
          {t('live.away', { time: times.absolute(since, 'time') })}
        </p>
      )}
    </div>
  )
}
