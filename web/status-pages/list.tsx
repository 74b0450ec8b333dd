import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { TextField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Pager } from '../parts/pager.tsx'
import { Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { usePerson } from '../shell/session.ts'
import { languageOfTag } from '../words.ts'
import { pagesQuery, readPagesAgain } from './queries.ts'
import { PageState } from './state.tsx'

export function StatusPageList() {
  const { t } = useTranslation('status-pages')
  const [at, setAt] = useState(1)
  const { data } = useQuery(pagesQuery(at))
  const [isNew, setNew] = useState(false)
  const create = (
    <Button variant="primary" icon="add" onPress={() => setNew(true)}>
      {t('new')}
    </Button>
  )
  return (
    <div className="page">
      <PageHead title={t('title')} subtitle={t('says')} actions={create} />
      {data?.meta.total === 0 ? (
        <EmptyState title={t('empty')} icon="page" action={create}>
          {t('empty.says')}
        </EmptyState>
      ) : (
        <section className="card">
          <Table
            caption={t('title')}
            rows={data?.data}
            keyOf={({ id }) => id}
            columns={[
              {
                id: 'name',
                header: t('field.name'),
                cell: page => (
                  <Link to="/app/status-pages/$page" params={{ page: page.id }}>
                    {page.name}
                  </Link>
                ),
              },
              { id: 'state', header: t('state'), cell: page => <PageState page={page} /> },
              { id: 'access', header: t('tab.access'), cell: ({ access }) => t(`access.${access}`) },
              {
                id: 'address',
                header: t('address'),
                cell: ({ url, state }) =>
                  state === 'published' ? (
                    <a href={url} target="_blank" rel="noreferrer">
                      {url}
                    </a>
                  ) : (
                    url
                  ),
              },
              { id: 'changed', header: t('changed'), cell: page => <Moment at={page.content_changed_at} /> },
            ]}
          />
          {data && <Pager meta={data.meta} onPage={setAt} />}
        </section>
      )}
      {isNew && <NewPage onClose={() => setNew(false)} />}
    </div>
  )
}

const slugOf = (name: string) =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-+|-+$/g, '')

function NewPage({ onClose }: { onClose(): void }) {
  const { t, i18n } = useTranslation('status-pages')
  const { timezone } = usePerson()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [slug, setSlug] = useState<string | null>(null)
  const create = async () => {
    const locale = languageOfTag(i18n.language)
    const body: Schemas['NewStatusPage'] = { name, slug: slug ?? slugOf(name), locale, locales: [locale], timezone }
    const { data } = await bodyOf(api.POST('/api/v1/status-pages', { body }))
    await readPagesAgain()
    await navigate({ to: '/app/status-pages/$page', params: { page: data.id } })
  }
  return (
    <FormDialog title={t('new')} says={t('new.says')} submit={t('create')} onClose={onClose} act={create}>
      <TextField label={t('field.name')} name="name" isRequired autoFocus value={name} onChange={setName} />
      <TextField
        label={t('field.slug')}
        description={`${location.origin}/status/${slug ?? slugOf(name)}`}
        name="slug"
        isRequired
        isCode
        value={slug ?? slugOf(name)}
        onChange={setSlug}
      />
    </FormDialog>
  )
}
