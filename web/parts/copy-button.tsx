import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import './copy-button.css'

const saidMs = 2_000

/** Copies a text. `label`: what is copied, for screen readers, where the button alone does not say it. */
export function CopyButton({ text, label, isQuiet }: { text: string; label?: string; isQuiet?: boolean }) {
  const { t } = useTranslation('parts')
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready')
  useEffect(() => {
    if (state === 'ready') return
    const timer = setTimeout(() => setState('ready'), saidMs)
    return () => clearTimeout(timer)
  }, [state])
  const copy = () => {
    // the clipboard is missing where the page is not served by TLS
    const copied = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))
    copied.then(
      () => setState('copied'),
      () => setState('failed'),
    )
  }
  const word = { ready: t('copy'), copied: t('copy.done'), failed: t('copy.failed') }[state]
  return (
    <>
      <Button
        variant={isQuiet ? 'quiet' : 'plain'}
        icon={state === 'copied' ? 'check' : 'copy'}
        onPress={copy}
        {...(label !== undefined && { 'aria-label': `${word}: ${label}` })}
      >
        {isQuiet ? undefined : word}
      </Button>
      <span className="unseen" role="status">
        {state === 'ready' ? '' : word}
      </span>
    </>
  )
}

/** A text to take along, such as an address or a secret, with its button. */
export const CopyText = ({ text, label }: { text: string; label: string }) => (
  <div className="copy-text">
    <code>{text}</code>
    <CopyButton text={text} label={label} isQuiet />
  </div>
)
