import { useTranslation } from 'react-i18next'
import { callsOfPage } from '../calls.ts'
import { CopyButton } from './copy-button.tsx'
import { curlOf } from './curl.ts'
import { Dialog } from './dialog.tsx'
import './api-calls.css'

export function ApiCallsDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('parts')
  return (
    <Dialog title={t('calls.title')} isWide isOpen onOpenChange={isStill => !isStill && onClose()}>
      {() => <Calls />}
    </Dialog>
  )
}

function Calls() {
  const { t } = useTranslation('parts')
  const calls = callsOfPage()
  return (
    <>
      <p className="soft">{t(calls.length === 0 ? 'calls.none' : 'calls.says')}</p>
      <ol className="calls">
        {calls.map(call => {
          const name = `${call.method} ${new URL(call.url).pathname}`
          const text = curlOf(call)
          return (
            <li key={name}>
              <div className="row">
                <code>{name}</code>
                <CopyButton text={text} label={name} isQuiet />
              </div>
              <pre>{text}</pre>
            </li>
          )
        })}
      </ol>
    </>
  )
}
