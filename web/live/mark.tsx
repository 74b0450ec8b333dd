import { useTranslation } from 'react-i18next'
import { useIsMarked } from './changes.ts'
import './live.css'

/** Marks the row of a monitor whose status has just changed. */
export function LiveMark({ monitor }: { monitor: string }) {
  const { t } = useTranslation()
  return useIsMarked(monitor) && <small className="live-mark">{t('live.now')}</small>
}
