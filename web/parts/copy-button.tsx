import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import './copy-button.css'

const saidMs = 2_000

interface CopyButtonProps {
  /** A function where the text depends on the moment. */
  text: string | (() => string | Promise<string>)
  /** What is copied, for screen readers, where the button alone does not say it. */
  label?: string
  /** In place of "Copy". */
  word?: string
  isQuiet?: boolean
}

/** Copies a text. */
export function CopyButton({ text, label, word, isQuiet }: CopyButtonProps) {
  const { t } = useTranslation('parts')
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready')
  useEffect(() => {
    if (state === 'ready') return
    const timer = setTimeout(() => setState('ready'), saidMs)
    return () => clearTimeout(timer)
  }, [state])
  const copy = () => {
    const write = async () => {
      // it is missing where the page is not served by TLS
      if (!navigator.clipboard) throw new Error('no clipboard')
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text())
    }
    write().then(
      () => setState('copied'),
      () => setState('failed'),
    )
  }
  const says = { ready: word ?? t('copy'), copied: t('copy.done'), failed: t('copy.failed') }[state]
  return (
    <>
      <Button
        variant={isQuiet ? 'quiet' : 'plain'}
        icon={state === 'copied' ? 'check' : 'copy'}
        onPress={copy}
        {...(label !== undefined && { 'aria-label': `${says}: ${label}` })}
      >
        {isQuiet ? undefined : says}
      </Button>
      <span className="unseen" role="status">
        {state === 'ready' ? '' : says}
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
