import { useTranslation } from 'react-i18next'
import { useTimes } from './time.tsx'

interface HistoryNoteProps {
  /** Since when results wait to be stored, as the API gives it. */
  since: string | null | undefined
  isUnreadable?: boolean
}

/** Says that results are missing from what is shown, and since when; nothing where none is missing. */
export function HistoryNote({ since, isUnreadable = false }: HistoryNoteProps) {
  const { t } = useTranslation('parts')
  const times = useTimes()
  if (isUnreadable) return <p>{t('history.unreadable')}</p>
  return since ? <p>{t('history.waits', { time: times.absolute(since) })}</p> : null
}
