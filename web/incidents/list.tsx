import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, ButtonLink } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { SwitchField } from '../parts/field.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { CursorPager } from '../parts/pager.tsx'
import { Table } from '../parts/table.tsx'
import { Ago, IncidentDuration } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { usePerson } from '../shell/session.ts'
import { useStep } from './actions.ts'
import { Filters } from './filters.tsx'
import { useKeysSwitch, useListKeys } from './keys.ts'
import { type Incident, type IncidentFilters, listQuery, namesQuery } from './queries.ts'
import { IncidentStatus } from './status.tsx'
import '../monitors/monitors.css'
import './incidents.css'

/** The team's incidents, filtered by the address: open ones first. */
export function IncidentList() {
  const { t } = useTranslation('incidents')
  const filters = useSearch({ from: '/app/app/incidents' })
  const navigate = useNavigate({ from: '/app/incidents' })
  const { data: incidents, meta } = useSuspenseQuery(listQuery(filters)).data
  const filterBy = (next: IncidentFilters) => navigate({ search: next, replace: true })
  const isFiltered = Object.keys(filters).length > 0
  return (
    <div className="page">
      <PageHead title={t('title')} subtitle={t('says')} />
      {incidents.length === 0 && !isFiltered ? (
        <EmptyState
          title={t('empty.title')}
          icon="up"
          action={<ButtonLink to="/app/monitors">{t('empty.monitors')}</ButtonLink>}
        >
          {t('empty.says')}
        </EmptyState>
      ) : (
        <>
          <Filters filters={filters} monitorName={incidents[0]?.monitor_name} onChange={filterBy} />
          {incidents.length === 0 ? (
            <EmptyState
              title={t('none.title')}
              action={<Button onPress={() => filterBy({})}>{t('filter.clear')}</Button>}
            >
              {t('none.says')}
            </EmptyState>
          ) : (
            <Rows incidents={incidents} />
          )}
          <CursorPager
            meta={meta}
            onCursor={cursor => {
              const { cursor: _, ...kept } = filters
              navigate({ search: cursor === null ? kept : { ...kept, cursor } })
            }}
          />
        </>
      )}
    </div>
  )
}

function Rows({ incidents }: { incidents: readonly Incident[] }) {
  const { t } = useTranslation('incidents')
  const { role } = usePerson()
  const { data: names } = useQuery(namesQuery)
  const list = useRef<HTMLDivElement>(null)
  const step = useStep()
  const [areKeysOn, turnKeys] = useKeysSwitch()
  const acknowledge = (id: string) => {
    const incident = incidents.find(one => one.id === id)
    if (role === 'viewer' || !incident || incident.resolved_at !== null || incident.acknowledged_at !== null) return
    step.mutate(
      { id, step: 'acknowledge' },
      { onError: toast.failure, onSuccess: () => toast.success(t('did.acknowledge', { number: incident.number })) },
    )
  }
  useListKeys({ isOn: areKeysOn, list, onAcknowledge: acknowledge })
  const holder = ({ acknowledged_at, acknowledged_by }: Incident) =>
    acknowledged_at === null
      ? null
      : acknowledged_by === null
        ? t('holder.unnamed')
        : names === undefined
          ? ''
          : (names.get(acknowledged_by) ?? t('holder.some'))
  return (
    <>
      <div ref={list} className="incidents">
        <Table
          caption={t('title')}
          rows={incidents}
          keyOf={({ id }) => id}
          columns={[
            {
              id: 'status',
              header: t('column.status'),
              isPlain: true,
              cell: incident => <IncidentStatus incident={incident} />,
            },
            {
              id: 'incident',
              header: t('column.incident'),
              isRowHeader: true,
              cell: ({ id, number, title, monitor_name, cause }) => (
                <>
                  <Link to="/app/incidents/$incident" params={{ incident: id }} data-incident={id}>
                    {title}
                  </Link>
                  <small>
                    #{number} · {monitor_name}
                    {cause !== null && ` · ${cause}`}
                  </small>
                </>
              ),
            },
            {
              id: 'severity',
              header: t('column.severity'),
              cell: ({ severity }) => t(`severity.${severity}`),
            },
            { id: 'started', header: t('column.started'), cell: ({ started_at }) => <Ago at={started_at} /> },
            {
              id: 'lasted',
              header: t('column.lasted'),
              isNumeric: true,
              cell: incident => <IncidentDuration incident={incident} />,
            },
            {
              id: 'holder',
              header: t('column.holder'),
              cell: incident =>
                holder(incident) ??
                (incident.resolved_at !== null || role === 'viewer' ? (
                  '–'
                ) : (
                  <Button
                    icon="check"
                    aria-label={t('acknowledge.of', { number: incident.number })}
                    onPress={() => acknowledge(incident.id)}
                  >
                    {t('acknowledge')}
                  </Button>
                )),
            },
          ]}
        />
      </div>
      <div className="incident-keys soft">
        <SwitchField
          label={t('keys.switch')}
          description={
            <>
              <kbd>j</kbd> {t('keys.next')} <kbd>k</kbd> {t('keys.before')} <kbd>a</kbd> {t('keys.acknowledge')}{' '}
              <kbd>Enter</kbd> {t('keys.open')}
            </>
          }
          isSelected={areKeysOn}
          onChange={turnKeys}
        />
      </div>
    </>
  )
}
