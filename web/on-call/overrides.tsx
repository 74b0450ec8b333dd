import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { Pager } from '../parts/pager.tsx'
import { Table } from '../parts/table.tsx'
import { Moment, useNow } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { type Override, overridesQuery, policyChoices, readAgain, type Schedule } from './queries.ts'

interface OverridesProps {
  schedule: Schedule
  mayWrite: boolean
  nameOf(person: string): string
}

/** The overrides of a schedule, also those that are over. */
export function Overrides({ schedule: { id }, mayWrite, nameOf }: OverridesProps) {
  const { t } = useTranslation('on-call')
  const now = useNow()
  const { data: policies = [] } = useQuery(policyChoices)
  const policyOf = (id: string) => policies.find(each => each.id === id)?.label ?? id
  const [page, setPage] = useState(1)
  const [deleted, setDeleted] = useState<Override | null>(null)
  const { data } = useQuery(overridesQuery(id, page))
  if (data === undefined) return <div className="loading" role="progressbar" aria-label={t('overrides')} />
  if (data.meta.total === 0) return <p className="soft">{t('overrides.none')}</p>
  const remove = async ({ id: override }: Override) => {
    const params = { path: { on_call_schedule: id, override } }
    await bodyOf(api.DELETE('/api/v1/on-call-schedules/{on_call_schedule}/overrides/{override}', { params }))
    await readAgain()
    toast.success(t('override.deleted'))
  }
  const isOver = ({ ends_at }: Override) => Date.parse(ends_at) <= now
  return (
    <>
      <Table
        caption={t('overrides')}
        rows={data.data}
        keyOf={each => each.id}
        columns={[
          {
            id: 'person',
            header: t('override.person'),
            cell: ({ user_id, reason }) => (
              <>
                {nameOf(user_id)}
                {reason !== null && <small>{reason}</small>}
              </>
            ),
          },
          {
            id: 'replaces',
            header: t('override.replaces'),
            cell: ({ replaces_user_id: replaced, escalation_policy_id: policy }) => (
              <>
                {replaced === null ? t('override.anyone') : nameOf(replaced)}
                {policy !== null && <small>{t('override.limited', { name: policyOf(policy) })}</small>}
              </>
            ),
          },
          { id: 'from', header: t('override.from'), cell: ({ starts_at: at }) => <Moment at={at} /> },
          {
            id: 'to',
            header: t('override.to'),
            cell: each => (
              <>
                <Moment at={each.ends_at} />
                {isOver(each) && <small>{t('override.over')}</small>}
              </>
            ),
          },
          ...(mayWrite
            ? [
                {
                  id: 'actions',
                  header: '',
                  isPlain: true,
                  cell: (each: Override) =>
                    !isOver(each) && (
                      <Button
                        variant="quiet"
                        icon="delete"
                        aria-label={t('override.delete.of', { name: nameOf(each.user_id) })}
                        onPress={() => setDeleted(each)}
                      />
                    ),
                },
              ]
            : []),
        ]}
      />
      <Pager meta={data.meta} onPage={setPage} />
      {deleted && (
        <ConfirmDialog
          title={t('override.delete')}
          action={t('override.delete')}
          isDanger
          isOpen
          onOpenChange={isOpen => isOpen || setDeleted(null)}
          onConfirm={() => remove(deleted)}
        >
          {t('override.delete.says', { name: nameOf(deleted.user_id) })}
        </ConfirmDialog>
      )}
    </>
  )
}
