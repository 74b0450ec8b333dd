import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../parts/dialog.tsx'
import { SelectField } from '../../parts/field.tsx'
import { languageOfTag, languages, nameOfLanguage } from '../../words.ts'
import { type MailKind, mailPreviewQuery } from '../queries.ts'
import './preview.css'

/** A mail as it is sent, in a frame that nothing leads out of. */
export function MailPreview({ kind, onClose }: { kind: MailKind; onClose(): void }) {
  const { t, i18n } = useTranslation('console')
  const [language, setLanguage] = useState(languageOfTag(i18n.language))
  const preview = useQuery(mailPreviewQuery(kind, language)).data?.data
  return (
    <Dialog title={t('mails.preview', { kind })} isWide isOpen onOpenChange={isOpen => isOpen || onClose()}>
      {() => (
        <div className="mail-preview">
          <SelectField
            label={t('mails.language')}
            choices={languages.map(id => ({ id, label: nameOfLanguage(id, i18n.language) }))}
            value={language}
            onChange={chosen => setLanguage(chosen)}
          />
          {preview && (
            <>
              <p>
                <span className="soft">{t('mails.subject')}:</span> <strong>{preview.subject}</strong>
              </p>
              <iframe
                title={t('mails.frame')}
                src={`/api/v1/reseller/mail-previews/${encodeURIComponent(kind)}/html?language=${language}`}
                sandbox="allow-same-origin"
              />
              <details>
                <summary>{t('mails.text')}</summary>
                <pre>{preview.text}</pre>
              </details>
            </>
          )}
        </div>
      )}
    </Dialog>
  )
}
