import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Moment } from '../parts/time.tsx'
import { mailQuery } from './queries.ts'

const address = /(https?:\/\/[^\s<>"']+)/

/**
 * One mail as its plain text, with links. Its HTML is not shown: it has styles of its own, which the policy of the
 * app refuses, and pictures of other hosts.
 */
export function Mail() {
  const { t } = useTranslation('ops')
  const { mail: id } = useParams({ from: '/app/ops/mails/$mail' })
  const mail = useSuspenseQuery(mailQuery(id)).data.data
  return (
    <article className="card">
      <p>
        <Link to="/ops/mails">{t('mails.back')}</Link>
      </p>
      <h2>{mail.subject}</h2>
      <dl className="figures">
        <div>
          <dt>{t('mails.from')}</dt>
          <dd>{mail.from_name ?? '–'}</dd>
        </div>
        <div>
          <dt>{t('mails.to')}</dt>
          <dd>{mail.recipients.join(', ')}</dd>
        </div>
        <div>
          <dt>{t('mails.time')}</dt>
          <dd>
            <Moment at={mail.created_at} />
          </dd>
        </div>
      </dl>
      <section aria-label={t('mails.frame')}>
        <pre>
          {mail.text.split(address).map((part, index) =>
            address.test(part) ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never change places
              <a key={index} href={part} rel="noreferrer">
                {part}
              </a>
            ) : (
              part
            ),
          )}
        </pre>
      </section>
    </article>
  )
}
