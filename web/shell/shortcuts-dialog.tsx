import { useTranslation } from 'react-i18next'
import { Dialog } from '../parts/dialog.tsx'

const keys = [
  ['Ctrl K', 'keys.palette'],
  ['/', 'keys.search'],
  ['?', 'keys.help'],
  ['Esc', 'keys.close'],
] as const

/** Says which keys there are. */
export function Shortcuts({ onClose }: { onClose(): void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('keys.title')} isOpen onOpenChange={isStill => !isStill && onClose()}>
      {() => (
        <dl className="keys">
          {keys.map(([key, word]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{t(word)}</dd>
            </div>
          ))}
        </dl>
      )}
    </Dialog>
  )
}
