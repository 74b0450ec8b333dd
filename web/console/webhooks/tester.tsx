import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../parts/field.tsx'
import { linesOf } from '../../parts/lines.ts'
import { Matching } from './editor.tsx'

/** Which teams a pattern matches, before a webhook is made of it. */
export function FilterTester() {
  const { t } = useTranslation('console')
  const [text, setText] = useState('')
  const labels = linesOf(text)
  return (
    <section className="card">
      <h2>{t('webhooks.tester')}</h2>
      <p className="soft">{t('webhooks.tester.says')}</p>
      <TextField label={t('webhooks.tester.pattern')} isCode placeholder="gold*" value={text} onChange={setText} />
      {labels.length > 0 && <Matching labels={labels} />}
    </section>
  )
}
