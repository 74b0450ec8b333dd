import { useTranslation } from 'react-i18next'
import { isStatus } from '../parts/status-pill.tsx'
import { useAnnounced } from './announcements.ts'

/** More changes at once than these are announced as a number. */
const most = 3

/** Says changes of monitors to screen readers, after what they are saying. */
export function Announcer() {
  const { t } = useTranslation()
  const announced = useAnnounced()
  const sentences = announced.map(({ name, status }) => t(`live.is.${isStatus(status) ? status : 'unknown'}`, { name }))
  return (
    <div className="unseen" role="status" aria-label={t('live.label')}>
      {announced.length > most ? t('live.many', { count: announced.length }) : sentences.join(' ')}
    </div>
  )
}
