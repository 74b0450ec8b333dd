import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Table } from '../../parts/table.tsx'
import { Moment } from '../../parts/time.tsx'
import { toast } from '../../parts/toast.tsx'
import { refresh } from '../../queries.ts'
import { type ManagedTeam, plans, teamsQuery, trashedQuery } from '../queries.ts'
import type { ListFilters } from '../routes.ts'
import { Batch } from './batch.tsx'
import { NewTeam } from './new-team.tsx'
import { stateOf } from './state.ts'

const all = 'all'
const states = ['active', 'paused', 'trial', 'trash'] as const

/** All managed teams, filtered by the address; what is selected changes together. */
export function TeamList() {
  const { t } = useTranslation('console')
  const filters = useSearch({ from: '/app/console/teams' })
  const navigate = useNavigate()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isCreating, setCreating] = useState(false)
  const put = (part: Partial<Record<keyof ListFilters, string | number | undefined>>) => {
    setSelected(new Set())
    return navigate({ to: '/console/teams', search: { ...filters, page: 1, ...part } as ListFilters, replace: true })
  }
  const isTrash = filters.status === 'trash'
  const { status, ...rest } = filters
  const wanted = { ...rest, ...(status && status !== 'trash' && { status }) }
  const { data } = useQuery({
    ...(isTrash ? trashedQuery(filters.page ?? 1) : teamsQuery(wanted)),
    placeholderData: keepPreviousData,
  } as ReturnType<typeof teamsQuery>)
  const isFiltered = Object.keys(filters).length > 0
  const create = (
    <Button variant="primary" icon="add" onPress={() => setCreating(true)}>
      {t('teams.new')}
    </Button>
  )
  const chosen = (value: string) => (value === all ? undefined : value)
  return (
    <section className="card">
      <div className="row spread">
        <h2>{t('nav.teams')}</h2>
        {create}
      </div>
      <div className="row filters">
        <TextField
          label={t('teams.search')}
          type="search"
          value={filters.search ?? ''}
          onChange={search => put({ search })}
        />
        <SelectField
          label={t('teams.plan')}
          choices={[{ id: all, label: t('all') }, ...plans.map(id => ({ id, label: id }))]}
          value={filters.plan ?? all}
          onChange={plan => put({ plan: chosen(plan) })}
        />
        <SelectField
          label={t('teams.state')}
          choices={[{ id: all, label: t('all') }, ...states.map(id => ({ id, label: t(`teams.state.${id}`) }))]}
          value={filters.status ?? all}
          onChange={state => put({ status: chosen(state) })}
        />
      </div>
      {selected.size > 0 && data && (
        <Batch teams={data.data.filter(({ id }) => selected.has(id))} onDone={() => setSelected(new Set())} />
      )}
      {data?.meta.total === 0 ? (
        <Nothing isTrash={isTrash} isFiltered={isFiltered} />
      ) : isTrash ? (
        <Trash teams={data?.data} />
      ) : (
        <Teams teams={data?.data} selected={selected} onSelect={setSelected} />
      )}
      {data && <Pager meta={data.meta} onPage={page => put({ page })} />}
      {isCreating && (
        <NewTeam
          onClose={() => setCreating(false)}
          onCreated={team => navigate({ to: '/console/teams/$team', params: { team: team.id } })}
        />
      )}
    </section>
  )
}

function Nothing({ isTrash, isFiltered }: { isTrash: boolean; isFiltered: boolean }) {
  const { t } = useTranslation('console')
  if (isTrash) return <EmptyState title={t('teams.trash.empty')}>{t('teams.trash.empty.says')}</EmptyState>
  return isFiltered ? (
    <EmptyState title={t('teams.none')}>{t('teams.none.says')}</EmptyState>
  ) : (
    <EmptyState title={t('teams.empty')}>{t('teams.empty.says')}</EmptyState>
  )
}

interface TeamsProps {
  teams: readonly ManagedTeam[] | undefined
  selected: ReadonlySet<string>
  onSelect(ids: ReadonlySet<string>): void
}

function Teams({ teams, selected, onSelect }: TeamsProps) {
  const { t } = useTranslation('console')
  return (
    <Table
      caption={t('nav.teams')}
      rows={teams}
      keyOf={({ id }) => id}
      selection={{ keys: selected, onChange: onSelect, nameOf: ({ name }) => name }}
      columns={[
        {
          id: 'name',
          header: t('teams.name'),
          cell: team => (
            <>
              <Link to="/console/teams/$team" params={{ team: team.id }}>
                {team.name}
              </Link>
              <small className="soft">{team.external_ref ?? team.public_id}</small>
            </>
          ),
        },
        { id: 'label', header: t('teams.label'), cell: ({ label }) => label ?? '–' },
        { id: 'plan', header: t('teams.plan'), cell: ({ plan }) => plan },
        { id: 'state', header: t('teams.state'), cell: team => t(`teams.state.${stateOf(team)}`) },
        {
          id: 'monitors',
          header: t('teams.monitors'),
          cell: team => (
            <>
              {team.monitors_count}
              {team.monitors_down_count > 0 && (
                <strong className="down"> · {t('teams.down', { count: team.monitors_down_count })}</strong>
              )}
            </>
          ),
        },
        { id: 'created', header: t('teams.created'), cell: ({ created_at: at }) => <Moment at={at} /> },
      ]}
    />
  )
}

function Trash({ teams }: { teams: readonly ManagedTeam[] | undefined }) {
  const { t } = useTranslation('console')
  const restore = async ({ id, name }: ManagedTeam) => {
    await bodyOf(api.POST('/api/v1/reseller/managed-teams/{id}/restore', { params: { path: { id } } }))
    await refresh(['reseller'])
    toast.success(t('teams.restored', { name }))
  }
  return (
    <Table
      caption={t('teams.trash')}
      rows={teams}
      keyOf={({ id }) => id}
      columns={[
        { id: 'name', header: t('teams.name'), cell: ({ name }) => name },
        {
          id: 'left',
          header: t('teams.state'),
          cell: ({ days_until_purge: days }) => t('teams.trash.days', { count: days ?? 0 }),
        },
        {
          id: 'actions',
          header: '',
          cell: team => (
            <Button aria-label={`${t('teams.restore')}: ${team.name}`} onPress={() => restore(team)}>
              {t('teams.restore')}
            </Button>
          ),
        },
      ]}
    />
  )
}
