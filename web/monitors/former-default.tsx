import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Failure } from '../parts/failure.tsx'
import { Icon } from '../parts/icons.tsx'
import { Pager } from '../parts/pager.tsx'
import { Table } from '../parts/table.tsx'
import { toast } from '../parts/toast.tsx'
import { refresh } from '../queries.ts'
import { usePerson } from '../shell/session.ts'
import './monitors.css'

type Treatment = Schemas['ChecksDecideFormerDefaultsRequest']['treat_503_as']

const formerDefaultsQuery = (page: number) =>
  queryOptions({
    queryKey: ['former-defaults', page],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/former-defaults', { params: { query: { page, per_page: 10 } }, signal })),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })

/** Decides about all checks that are left, or about one. */
function useDecide() {
  const { t } = useTranslation('monitors')
  return useMutation({
    mutationFn: async ({ treatment, check }: { treatment: Treatment; check?: string }) => {
      const body = { treat_503_as: treatment, ...(check !== undefined && { check_ids: [check] }) }
      let changed = 0
      for (;;) {
        const { data } = await bodyOf(api.POST('/api/v1/former-defaults', { body }))
        changed += data.changed_count
        if (check !== undefined || data.left_count === 0 || data.changed_count === 0) break
      }
      await Promise.all(['former-defaults', 'monitor'].map(key => refresh([key])))
      return { treatment, changed }
    },
    onSuccess: ({ treatment, changed }) => toast.success(t(`former.${treatment}.done`, { count: changed })),
  })
}

/** Asks once about checks that were stored when 503 was a warning by default. Nothing where there are none. */
export function FormerDefaultNotice() {
  const { t } = useTranslation('monitors')
  const { role } = usePerson()
  const { data } = useQuery({ ...formerDefaultsQuery(1), enabled: role !== 'viewer' })
  const [isChoosing, setChoosing] = useState(false)
  const decide = useDecide()
  if (role === 'viewer' || !data || data.meta.total === 0) return null
  return (
    <section className="card former-default" aria-label={t('former.label')}>
      <Icon name="alert" />
      <div>
        <p>
          <strong>{t('former.title', { count: data.meta.total })}</strong>
        </p>
        <p>{t('former.says')}</p>
        <Failure error={decide.error} />
        <div className="row">
          <Button
            variant="primary"
            isPending={decide.isPending && decide.variables.treatment === 'down'}
            isDisabled={decide.isPending}
            onPress={() => decide.mutate({ treatment: 'down' })}
          >
            {t('former.down')}
          </Button>
          <Button
            isPending={decide.isPending && decide.variables.treatment === 'warning'}
            isDisabled={decide.isPending}
            onPress={() => decide.mutate({ treatment: 'warning' })}
          >
            {t('former.warning')}
          </Button>
          {data.meta.total > 1 && <Button onPress={() => setChoosing(true)}>{t('former.choose')}</Button>}
        </div>
      </div>
      {isChoosing && <Choice onClose={() => setChoosing(false)} />}
    </section>
  )
}

/** The same question for each check. */
function Choice({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('monitors')
  const [page, setPage] = useState(1)
  const { data } = useQuery(formerDefaultsQuery(page))
  const decide = useDecide()
  return (
    <Dialog title={t('former.label')} isOpen isWide onOpenChange={isOpen => isOpen || onClose()}>
      {close => (
        <>
          <Failure error={decide.error} />
          <Table
            caption={t('former.label')}
            rows={data?.data}
            keyOf={({ id }) => id}
            columns={[
              {
                id: 'monitor',
                header: t('former.monitor'),
                isRowHeader: true,
                cell: ({ monitor_id: id, monitor_name, monitor_url }) => (
                  <>
                    <Link to="/app/monitors/$monitor" params={{ monitor: id }}>
                      {monitor_name}
                    </Link>
                    <small>{monitor_url}</small>
                  </>
                ),
              },
              {
                id: 'choice',
                header: '',
                cell: ({ id, monitor_name: name }) => (
                  <div className="row">
                    {(['down', 'warning'] as const).map(treatment => (
                      <Button
                        key={treatment}
                        aria-label={t(`former.${treatment}.of`, { name })}
                        isDisabled={decide.isPending}
                        onPress={() => decide.mutate({ treatment, check: id })}
                      >
                        {t(`former.${treatment}`)}
                      </Button>
                    ))}
                  </div>
                ),
              },
            ]}
          />
          {data && <Pager meta={data.meta} onPage={setPage} />}
          <div className="form-actions">
            <Button onPress={close}>{t('former.close')}</Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
