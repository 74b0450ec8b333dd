import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../parts/button.tsx'
import { actIn } from './acting.ts'

/** Two presses of Esc within this time leave the team. */
const togetherMs = 1_000

/** Says on every page in whose team the person acts, and leads out of it. */
export function ActingBar({ team, person }: { team: string; person: string }) {
  const { t } = useTranslation()
  useEffect(() => {
    let last = Number.NEGATIVE_INFINITY
    const onKey = (event: KeyboardEvent) => {
      // a dialog or menu that it closes keeps the press to itself
      if (event.key !== 'Escape' || event.defaultPrevented || event.repeat) return
      if (event.timeStamp - last < togetherMs) actIn(null)
      last = event.timeStamp
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <div className="acting" role="status">
      <span>{t('acting.says', { team, person })}</span>
      <span className="row">
        <Button onPress={() => actIn(null)}>{t('acting.leave')}</Button>
        <span>{t('acting.keys')}</span>
      </span>
    </div>
  )
}
