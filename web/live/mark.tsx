import { useTranslation } from 'react-i18next'
import { useIsMarked } from './changes.ts'
import './live.css'

/** Marks the row of a monitor whose status has just changed. */
export function LiveMark({ monitor }: { monitor: string }) {
  return useIsMarked(monitor) && <Mark />
}

function Mark() {
  const { t } = useTranslation()
  return <small className="live-mark">{t('live.now')}</small>
}
