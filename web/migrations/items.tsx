import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Failure } from '../parts/failure.tsx'
import { SelectField } from '../parts/field.tsx'
import { Pager } from '../parts/pager.tsx'
import { Pill } from '../parts/status-pill.tsx'
import { Table } from '../parts/table.tsx'
import { type Item, itemsQuery, type Migration, readAgain } from './queries.ts'

const actions = ['all', 'create', 'update', 'skip'] as const
const isFixed = ({ action, state }: Item) => action === 'skip' || state === 'done'
const keyOf = ({ source_id: id }: Item) => id

/** What was found, what becomes of each record and why; all or the chosen ones are imported. */
export function Items({ migration }: { migration: Migration }) {
  const { t } = useTranslation('migrations')
  const [action, setAction] = useState<(typeof actions)[number]>('all')
  const [page, setPage] = useState(1)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const filters = { page, ...(action !== 'all' && { action }) }
  const { data } = useQuery({ ...itemsQuery(migration, filters), placeholderData: keepPreviousData })
  const { state, failed_in: failedIn, counts } = migration
  const isImportable = state === 'previewed' || state === 'imported' || (state === 'failed' && failedIn === 'importing')
  const left = counts.create + counts.update - counts.created - counts.updated
  const choose = (keys: ReadonlySet<string>) => {
    const shown = new Set(data?.data.map(keyOf))
    setChosen(new Set([...[...chosen].filter(key => !shown.has(key)), ...keys]))
  }
  const run = useMutation({
    mutationFn: () => {
      const params = { path: { migration: migration.id } }
      const body = chosen.size > 0 ? { source_ids: [...chosen] } : {}
      return bodyOf(api.POST('/api/v1/migrations/{migration}/import', { params, body }))
    },
    onSuccess: async () => {
      setChosen(new Set())
      await readAgain()
    },
  })
  return (
    <section className="card">
      <h2>{t('items')}</h2>
      <div className="row spread items-head">
        <SelectField
          label={t('items.shown')}
          choices={actions.map(id => ({ id, label: t(`action.${id}`) }))}
          value={action}
          onChange={id => {
            setAction(id)
            setPage(1)
          }}
        />
        {isImportable && left > 0 && (
          <Button variant="primary" icon="download" isPending={run.isPending} onPress={() => run.mutate()}>
            {chosen.size > 0 ? t('import.chosen', { count: chosen.size }) : t('import.all', { count: left })}
          </Button>
        )}
      </div>
      {isImportable && left > 0 && <p className="soft">{t('import.says')}</p>}
      <Failure error={run.error} />
      <Table
        caption={t('items')}
        rows={data?.data}
        keyOf={keyOf}
        {...(isImportable && left > 0 && { selection: { keys: chosen, onChange: choose, nameOf, isFixed } })}
        columns={[
          { id: 'name', header: t('field.name'), cell: item => <Name item={item} /> },
          { id: 'kind', header: t('item.kind'), cell: ({ source_kind: kind }) => kind || '–' },
          { id: 'action', header: t('item.action'), cell: item => <Becomes item={item} /> },
          { id: 'reason', header: t('item.reason'), cell: item => <Reason item={item} /> },
        ]}
      />
      {data && <Pager meta={data.meta} onPage={setPage} />}
    </section>
  )
}

const nameOf = ({ name }: Item) => name

function Name({ item: { name, target, monitor_id: monitor, status_page_id: page } }: { item: Item }) {
  return (
    <>
      {monitor !== null ? (
        <Link to="/app/monitors/$monitor" params={{ monitor }}>
          {name}
        </Link>
      ) : page !== null ? (
        <Link to="/app/status-pages/$page" params={{ page }}>
          {name}
        </Link>
      ) : (
        name
      )}
      {target !== null && <small>{target}</small>}
    </>
  )
}

/** What becomes of it, or what has become of it. */
function Becomes({ item: { action, state, exceeds, is_enabled: isEnabled } }: { item: Item }) {
  const { t } = useTranslation('migrations')
  if (state === 'done') return <Pill tone="up">{t('item.done')}</Pill>
  if (state === 'failed') return <Pill tone="down">{t('item.failed')}</Pill>
  return (
    <>
      <Pill tone={action === 'skip' ? 'paused' : 'pending'}>{t(`action.${action}`)}</Pill>
      {exceeds !== null && (
        <small>
          <Link to="/app/settings/plan">{t('item.exceeds')}</Link>
        </small>
      )}
      {!isEnabled && action !== 'skip' && <small>{t('item.paused')}</small>}
    </>
  )
}

/** Why, and what stands in for what cannot be carried over. */
function Reason({ item: { reason, failure, stand_ins: standIns } }: { item: Item }) {
  return (
    <div lang="en">
      {failure === null ? reason : <span className="down">{failure}</span>}
      {standIns.map(line => (
        <small key={line}>{line}</small>
      ))}
    </div>
  )
}
