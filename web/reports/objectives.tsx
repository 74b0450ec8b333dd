import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { number, percent, target } from '../../contract/figures.ts'
import { Actions } from '../access/actions.tsx'
import { api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { SelectField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { NumberField } from '../parts/number-field.tsx'
import { Table } from '../parts/table.tsx'
import { useTimes } from '../parts/time.tsx'
import { refresh } from '../queries.ts'
import { budgetQuery, monitorsQuery } from './queries.ts'

type Monitor = Schemas['Monitor']

async function setObjective(monitor: string, slo: Schemas['Slo'] | null): Promise<void> {
  await bodyOf(api.PATCH('/api/v1/monitors/{monitor}', { params: { path: { monitor } }, body: { slo } }))
  await refresh(['monitors'])
}

/** What monitors shall reach, and how much downtime that leaves. */
export function Objectives() {
  const { t, i18n } = useTranslation('reports')
  const { data } = useQuery(monitorsQuery)
  const [edited, setEdited] = useState<Monitor | 'new' | null>(null)
  const all = data?.data ?? []
  const withOne = data?.data.filter(({ slo }) => slo !== null)
  const add = (
    <Button icon="add" onPress={() => setEdited('new')}>
      {t('slo.add')}
    </Button>
  )
  return (
    <section className="card">
      <div className="row spread">
        <h2>{t('slo')}</h2>
        {all.length > 0 && add}
      </div>
      <p className="soft">{t('slo.says')}</p>
      {withOne?.length === 0 ? (
        <EmptyState title={t('slo.empty')} icon="chart" action={all.length > 0 && add} />
      ) : (
        <Table
          caption={t('slo')}
          rows={withOne}
          keyOf={({ id }) => id}
          columns={[
            { id: 'monitor', header: t('monitor'), cell: ({ name }) => name },
            {
              id: 'target',
              header: t('slo.target'),
              cell: ({ slo }) =>
                slo && `${target(slo.target_pct, i18n.language)} · ${t('days', { count: slo.window_days })}`,
            },
            { id: 'reached', header: t('slo.now'), cell: monitor => <Reached monitor={monitor.id} /> },
            { id: 'budget', header: t('slo.budget'), cell: monitor => <Budget monitor={monitor.id} /> },
            { id: 'burn', header: t('slo.burn'), cell: monitor => <Burn monitor={monitor.id} /> },
            {
              id: 'actions',
              header: '',
              cell: monitor => (
                <Actions
                  label={t('slo.actions', { name: monitor.name })}
                  actions={[
                    { id: 'edit', label: t('slo.edit'), act: () => setEdited(monitor) },
                    {
                      id: 'remove',
                      label: t('slo.remove'),
                      act: () => setObjective(monitor.id, null),
                      isDanger: true,
                    },
                  ]}
                />
              ),
            },
          ]}
        />
      )}
      {edited && (
        <ObjectiveDialog monitors={all} monitor={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </section>
  )
}

function Reached({ monitor }: { monitor: string }) {
  const { i18n } = useTranslation('reports')
  const budget = useQuery(budgetQuery(monitor)).data
  return budget ? percent(budget.uptime_pct, i18n.language) : '–'
}

function Budget({ monitor }: { monitor: string }) {
  const { t, i18n } = useTranslation('reports')
  const times = useTimes()
  const budget = useQuery(budgetQuery(monitor)).data
  if (!budget) return '–'
  const { left_pct, left_s, budget_s, exhausted_at } = budget
  return (
    <span className={left_s === 0 ? 'down' : ''}>
      {t('slo.left', {
        share: percent(left_pct, i18n.language),
        left: times.duration(left_s * 1_000),
        budget: times.duration(budget_s * 1_000),
      })}
      {exhausted_at && `, ${t('slo.exhausted', { date: times.absolute(exhausted_at, 'date') })}`}
    </span>
  )
}

function Burn({ monitor }: { monitor: string }) {
  const { i18n } = useTranslation('reports')
  const rate = useQuery(budgetQuery(monitor)).data?.burn_rate_24h ?? null
  return rate === null ? '–' : number(rate, i18n.language, 1)
}

interface DialogProps {
  monitors: readonly Monitor[]
  monitor: Monitor | null
  onClose(): void
}

function ObjectiveDialog({ monitors, monitor, onClose }: DialogProps) {
  const { t } = useTranslation('reports')
  const [chosen, setChosen] = useState<string | null>(monitor?.id ?? null)
  const [target, setTarget] = useState(monitor?.slo?.target_pct ?? 99.9)
  const [days, setDays] = useState(monitor?.slo?.window_days ?? 30)
  return (
    <FormDialog
      title={monitor?.name ?? t('slo.add')}
      submit={t('save')}
      onClose={onClose}
      act={async () => {
        if (chosen === null) return 'stay'
        return setObjective(chosen, { target_pct: target, window_days: days })
      }}
    >
      {monitor === null && (
        <SelectField
          label={t('monitor')}
          isRequired
          choices={monitors.map(({ id, name }) => ({ id, label: name }))}
          value={chosen}
          onChange={setChosen}
        />
      )}
      <NumberField
        label={t('slo.target')}
        name="slo.target_pct"
        unit={t('percent')}
        minValue={50}
        maxValue={99.999}
        step={0.001}
        value={target}
        onChange={setTarget}
      />
      <NumberField
        label={t('slo.window')}
        name="slo.window_days"
        unit={t('days', { count: days })}
        minValue={7}
        maxValue={90}
        value={days}
        onChange={setDays}
      />
    </FormDialog>
  )
}
