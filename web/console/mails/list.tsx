import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { Table } from '../../parts/table.tsx'
import { Tick } from '../../parts/tick.tsx'
import { toast } from '../../parts/toast.tsx'
import { queries } from '../../queries.ts'
import { suppressionQuery } from '../queries.ts'
import { MailPreview } from './preview.tsx'
import { Undelivered } from './undelivered.tsx'

type Kind = Schemas['EmailSuppression']['suppressible_types'][number]

/** The mails to people of managed teams: a preview of each, and who sends them. */
export function Mails() {
  const { t } = useTranslation('console')
  const { data } = useQuery(suppressionQuery)
  const [shown, setShown] = useState<Kind | null>(null)
  const taken = new Set<Kind>(data?.data.suppressed_types)
  const effective = new Set<Kind>(data?.data.effective_types)
  const put = async (kind: Kind, isTaken: boolean) => {
    const types = [...taken].filter(each => each !== kind)
    try {
      const saved = await bodyOf(
        api.PUT('/api/v1/reseller/email-suppression', {
          body: { suppressed_types: isTaken ? [...types, kind] : types },
        }),
      )
      queries.setQueryData(suppressionQuery.queryKey, saved)
      toast.success(t('mails.saved'))
    } catch (error) {
      toast.failure(error as Error)
    }
  }
  const sender = (kind: Kind) => {
    if (!taken.has(kind)) return t('mails.byUs')
    return t(effective.has(kind) ? 'mails.byYou' : 'mails.noWebhook')
  }
  return (
    <>
      <section className="card">
        <h2>{t('nav.mails')}</h2>
        <p className="soft">{t('mails.says')}</p>
        <Table<Kind>
          caption={t('nav.mails')}
          rows={data?.data.suppressible_types}
          keyOf={kind => kind}
          columns={[
            {
              id: 'kind',
              header: t('mails.kind'),
              cell: kind => <code>{kind}</code>,
            },
            {
              id: 'sender',
              header: t('mails.sent'),
              cell: kind => (
                <span className="row">
                  <Tick
                    label={t('mails.takeOver', { kind })}
                    isSelected={taken.has(kind)}
                    onChange={isTaken => void put(kind, isTaken)}
                  />
                  {sender(kind)}
                </span>
              ),
            },
            {
              id: 'preview',
              header: '',
              cell: kind => (
                <Button
                  variant="quiet"
                  icon="mail"
                  aria-label={t('mails.show', { kind })}
                  onPress={() => setShown(kind)}
                />
              ),
            },
          ]}
        />
      </section>
      <Undelivered />
      {shown && <MailPreview kind={shown} onClose={() => setShown(null)} />}
    </>
  )
}
