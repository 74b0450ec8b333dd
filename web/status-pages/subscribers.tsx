import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Actions } from '../access/actions.tsx'
import { download } from '../access/download.ts'
import { api, bodyOf } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { CheckboxField, SelectField, TextField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Pager } from '../parts/pager.tsx'
import { Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { countsQuery, of, readPagesAgain, subscribersQuery } from './queries.ts'

const channels = ['email', 'webhook', 'slack'] as const

/** Who gets the updates of the page. */
export function Subscribers() {
  const { t } = useTranslation('status-pages')
  const { page } = useParams({ from: '/app/app/status-pages/$page/subscribers' })
  const [at, setAt] = useState(1)
  const { data } = useQuery(subscribersQuery(page, at))
  const counts = useQuery(countsQuery(page)).data
  const [asked, setAsked] = useState<'add' | 'import' | null>(null)
  const fetchAll = async () => {
    try {
      const text = await bodyOf(
        api.GET('/api/v1/status-pages/{status_page}/subscribers/export', { params: of(page), parseAs: 'text' }),
      )
      download('subscribers.csv', 'text/csv', String(text))
    } catch (error) {
      toast.failure(error as Error)
    }
  }
  const drop = async (subscriber: string) => {
    const params = { path: { status_page: page, subscriber } }
    await bodyOf(api.DELETE('/api/v1/status-pages/{status_page}/subscribers/{subscriber}', { params }))
    await readPagesAgain()
  }
  const add = (
    <Button variant="primary" icon="add" onPress={() => setAsked('add')}>
      {t('subscriber.add')}
    </Button>
  )
  const more = (
    <>
      {add}
      <Button onPress={() => setAsked('import')}>{t('subscriber.import')}</Button>
    </>
  )
  return (
    <section className="card">
      <div className="row spread">
        <h2>{t('tab.subscribers')}</h2>
        <div className="row">
          {more}
          <Button icon="download" onPress={fetchAll}>
            {t('subscriber.export')}
          </Button>
        </div>
      </div>
      {counts && data?.meta.total !== 0 && <p className="soft">{t('subscriber.counts', { ...counts })}</p>}
      {data?.meta.total === 0 ? (
        <EmptyState title={t('subscriber.empty')} icon="mail" action={more}>
          {t('subscriber.empty.says')}
        </EmptyState>
      ) : (
        <Table
          caption={t('tab.subscribers')}
          rows={data?.data}
          keyOf={({ id }) => id}
          columns={[
            { id: 'address', header: t('subscriber.address'), cell: ({ address }) => address ?? '–' },
            { id: 'channel', header: t('subscriber.channel'), cell: ({ channel }) => t(`channel.${channel}`) },
            { id: 'state', header: t('state'), cell: ({ state }) => t(`subscriber.${state}`) },
            { id: 'source', header: t('subscriber.source'), cell: ({ source }) => t(`source.${source}`) },
            { id: 'since', header: t('subscriber.since'), cell: row => <Moment at={row.created_at} style="date" /> },
            {
              id: 'actions',
              header: '',
              cell: row => (
                <Actions
                  label={t('actions', { name: row.address ?? '–' })}
                  actions={[{ id: 'delete', label: t('delete'), act: () => drop(row.id), isDanger: true }]}
                />
              ),
            },
          ]}
        />
      )}
      {data && <Pager meta={data.meta} onPage={setAt} />}
      {asked === 'add' && <AddSubscriber page={page} onClose={() => setAsked(null)} />}
      {asked === 'import' && <Import page={page} onClose={() => setAsked(null)} />}
    </section>
  )
}

function AddSubscriber({ page, onClose }: { page: string; onClose(): void }) {
  const { t } = useTranslation('status-pages')
  const [channel, setChannel] = useState<(typeof channels)[number]>('email')
  const [address, setAddress] = useState('')
  const [confirmed, setConfirmed] = useState(false)
  return (
    <FormDialog
      title={t('subscriber.add')}
      says={t('subscriber.add.says')}
      submit={t('subscriber.add')}
      onClose={onClose}
      act={async () => {
        const body = { channel, address, confirmed }
        await bodyOf(api.POST('/api/v1/status-pages/{status_page}/subscribers', { params: of(page), body }))
        await readPagesAgain()
        toast.success(t('subscriber.added'))
      }}
    >
      <SelectField
        label={t('subscriber.channel')}
        name="channel"
        choices={channels.map(id => ({ id, label: t(`channel.${id}`) }))}
        value={channel}
        onChange={chosen => setChannel(chosen)}
      />
      <TextField
        label={t('subscriber.address')}
        name="address"
        isRequired
        autoFocus
        value={address}
        onChange={setAddress}
      />
      <CheckboxField
        label={t('subscriber.confirmed')}
        name="confirmed"
        isSelected={confirmed}
        onChange={setConfirmed}
      />
    </FormDialog>
  )
}

function Import({ page, onClose }: { page: string; onClose(): void }) {
  const { t } = useTranslation('status-pages')
  const [text, setText] = useState('')
  const [confirmed, setConfirmed] = useState(false)
  const [problems, setProblems] = useState<{ line: number; message: string }[]>([])
  return (
    <FormDialog
      title={t('subscriber.import')}
      says={t('import.says')}
      submit={t('subscriber.import')}
      onClose={onClose}
      act={async () => {
        const { data } = await bodyOf(
          api.POST('/api/v1/status-pages/{status_page}/subscribers/import', {
            params: { ...of(page), query: { confirmed } },
            body: text,
            bodySerializer: csv => csv,
            headers: { 'Content-Type': 'text/csv' },
          }),
        )
        await readPagesAgain()
        toast.success(t('import.done', { added: data.added, existing: data.existing, refused: data.refused }))
        setProblems(data.problems)
        return data.problems.length > 0 ? 'stay' : undefined
      }}
    >
      <input
        type="file"
        accept=".csv,text/csv"
        aria-label={t('import.file')}
        onChange={async event => setText((await event.target.files?.[0]?.text()) ?? '')}
      />
      <TextField
        label={t('import.text')}
        name="body"
        rows={6}
        isCode
        isRequired
        placeholder={'email\npat@example.com'}
        value={text}
        onChange={setText}
      />
      <CheckboxField
        label={t('subscriber.confirmed')}
        name="confirmed"
        isSelected={confirmed}
        onChange={setConfirmed}
      />
      {problems.length > 0 && (
        <ul className="down">
          {problems.map(({ line, message }) => (
            <li key={line}>{t('import.problem', { line, message })}</li>
          ))}
        </ul>
      )}
    </FormDialog>
  )
}
