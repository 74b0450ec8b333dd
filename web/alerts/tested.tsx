import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import './alerts.css'

interface Props {
  channel: { name: string }
  answer: Schemas['ChannelTest']
  onClose(): void
}

export const outcomeOf = ({ success, is_kept }: Schemas['ChannelTest']) =>
  success ? (is_kept ? 'kept' : 'good') : 'bad'

/** What a channel answered to an example. */
export function Tested({ channel, answer, onClose }: Props) {
  const { t } = useTranslation('alerts')
  return (
    <Dialog title={t('tested.title', { name: channel.name })} isOpen onOpenChange={isOpen => isOpen || onClose()}>
      {close => (
        <>
          <p className={outcomeOf(answer) === 'good' ? 'up' : 'down'}>
            {t(`tested.${outcomeOf(answer)}`, { ms: answer.duration_ms })}
          </p>
          <dl className="figures">
            {answer.status_code !== null && (
              <div>
                <dt>{t('tested.status')}</dt>
                <dd>{answer.status_code}</dd>
              </div>
            )}
            {answer.error !== null && (
              <div>
                <dt>{t('tested.error')}</dt>
                <dd>{answer.error}</dd>
              </div>
            )}
          </dl>
          {answer.response && (
            <>
              <h3>{t('tested.answer')}</h3>
              <pre className="excerpt">{answer.response}</pre>
            </>
          )}
          <div className="form-actions">
            <Button autoFocus onPress={close}>
              {t('close')}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
