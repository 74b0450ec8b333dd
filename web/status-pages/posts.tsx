import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Actions } from '../access/actions.tsx'
import { api, bodyOf } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { CheckboxField, SelectField, TextField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Pager } from '../parts/pager.tsx'
import { Pill } from '../parts/status-pill.tsx'
import { Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { type Affected, AffectedFields } from './affected.tsx'
import { PageMaintenance } from './maintenance.tsx'
import { MarkdownField } from './markdown.tsx'
import {
  impacts,
  incidentChoicesQuery,
  of,
  pageQuery,
  phases,
  postsQuery,
  readPagesAgain,
  type StatusPage,
  type Template,
  templatesQuery,
} from './queries.ts'

/** What the page says of incidents, and the texts that are prepared for them. */
export function Posts() {
  const { t } = useTranslation('status-pages')
  const { page: id } = useParams({ from: '/app/app/status-pages/$page/posts' })
  const { data: page } = useSuspenseQuery(pageQuery(id))
  const [at, setAt] = useState(1)
  const { data } = useQuery(postsQuery(id, at))
  const [isNew, setNew] = useState(false)
  const add = (
    <Button variant="primary" icon="add" onPress={() => setNew(true)}>
      {t('post.new')}
    </Button>
  )
  return (
    <>
      <section className="card">
        <div className="row spread">
          <h2>{t('tab.posts')}</h2>
          {add}
        </div>
        {data?.meta.total === 0 ? (
          <EmptyState title={t('post.empty')} action={add}>
            {t('post.empty.says')}
          </EmptyState>
        ) : (
          <Table
            caption={t('tab.posts')}
            rows={data?.data}
            keyOf={post => post.id}
            columns={[
              {
                id: 'title',
                header: t('post.title'),
                cell: post => (
                  <Link to="/app/status-pages/$page/posts/$post" params={{ page: id, post: post.id }}>
                    {post.title}
                  </Link>
                ),
              },
              {
                id: 'phase',
                header: t('post.phase'),
                cell: ({ phase }) => <Pill tone={phase === 'resolved' ? 'up' : 'warning'}>{t(`phase.${phase}`)}</Pill>,
              },
              { id: 'impact', header: t('post.impact'), cell: ({ impact }) => t(`impact.${impact}`) },
              { id: 'started', header: t('post.started'), cell: post => <Moment at={post.started_at} /> },
            ]}
          />
        )}
        {data && <Pager meta={data.meta} onPage={setAt} />}
      </section>
      <PageMaintenance page={id} />
      <Templates />
      {isNew && <NewPost page={page} onClose={() => setNew(false)} />}
    </>
  )
}

function NewPost({ page, onClose }: { page: StatusPage; onClose(): void }) {
  const { t } = useTranslation('status-pages')
  const templates = useQuery(templatesQuery).data?.data ?? []
  const incidents = useQuery(incidentChoicesQuery).data?.data ?? []
  const [draft, setDraft] = useState({ title: '', body: '', notify: true })
  const [phase, setPhase] = useState<(typeof phases)[number]>('investigating')
  const [impact, setImpact] = useState<(typeof impacts)[number]>('minor')
  const [incident, setIncident] = useState<string | null>(null)
  const [affected, setAffected] = useState<Affected>([])
  const put = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const use = async (id: string) => {
    const { data } = await bodyOf(
      api.POST('/api/v1/status-page-templates/{status_page_template}/fill', {
        params: { path: { status_page_template: id } },
        body: {
          status_page_id: page.id,
          incident_id: incident,
          component_ids: affected.map(({ component_id }) => component_id),
        },
      }),
    )
    put({ title: data.title ?? draft.title, body: data.body })
    setPhase(data.phase)
  }
  const save = async () => {
    const body = {
      ...{ title: draft.title, body: draft.body, notify_subscribers: draft.notify },
      ...{ phase, impact, incident_id: incident },
      ...((affected.length > 0 || incident === null) && { components: affected }),
    }
    await bodyOf(api.POST('/api/v1/status-pages/{status_page}/posts', { params: of(page.id), body }))
    await readPagesAgain()
    toast.success(t('post.created'))
  }
  return (
    <FormDialog title={t('post.new')} submit={t('post.create')} onClose={onClose} act={save}>
      {incidents.length > 0 && (
        <SelectField
          label={t('post.incident')}
          description={t('post.incident.says')}
          name="incident_id"
          choices={[
            { id: '', label: t('post.incident.none') },
            ...incidents.map(({ id, title }) => ({ id, label: title })),
          ]}
          value={incident ?? ''}
          onChange={chosen => {
            setIncident(chosen || null)
            const one = incidents.find(({ id }) => id === chosen)
            if (one) setPhase(one.status)
            put({ title: draft.title || (one?.title ?? '') })
          }}
        />
      )}
      {templates.length > 0 && (
        <SelectField
          label={t('template.use')}
          choices={templates.map(({ id, name }) => ({ id, label: name }))}
          value={null}
          onChange={chosen => void use(chosen)}
        />
      )}
      <TextField
        label={t('post.title')}
        name="title"
        isRequired
        value={draft.title}
        onChange={title => put({ title })}
      />
      <SelectField
        label={t('post.phase')}
        name="phase"
        choices={phases.map(id => ({ id, label: t(`phase.${id}`) }))}
        value={phase}
        onChange={chosen => setPhase(chosen)}
      />
      <SelectField
        label={t('post.impact')}
        name="impact"
        choices={impacts.map(id => ({ id, label: t(`impact.${id}`) }))}
        value={impact}
        onChange={chosen => setImpact(chosen)}
      />
      <AffectedFields page={page} value={affected} onChange={setAffected} />
      <MarkdownField
        label={t('post.body')}
        name="body"
        isRequired
        value={draft.body}
        onChange={body => put({ body })}
      />
      <CheckboxField
        label={t('post.notify')}
        name="notify_subscribers"
        isSelected={draft.notify}
        onChange={notify => put({ notify })}
      />
    </FormDialog>
  )
}

function Templates() {
  const { t } = useTranslation('status-pages')
  const { data } = useQuery(templatesQuery)
  const [edited, setEdited] = useState<Template | 'new' | null>(null)
  const drop = async ({ id }: Template) => {
    const params = { path: { status_page_template: id } }
    await bodyOf(api.DELETE('/api/v1/status-page-templates/{status_page_template}', { params }))
    await readPagesAgain()
  }
  return (
    <section className="card">
      <div className="row spread">
        <h2>{t('templates')}</h2>
        <Button icon="add" onPress={() => setEdited('new')}>
          {t('template.new')}
        </Button>
      </div>
      <p className="soft">{t('templates.says')}</p>
      {data?.data.length !== 0 && (
        <Table
          caption={t('templates')}
          rows={data?.data}
          keyOf={({ id }) => id}
          columns={[
            { id: 'name', header: t('field.name'), cell: ({ name }) => name },
            { id: 'phase', header: t('post.phase'), cell: ({ phase }) => t(`phase.${phase}`) },
            {
              id: 'actions',
              header: '',
              cell: template => (
                <Actions
                  label={t('actions', { name: template.name })}
                  actions={[
                    { id: 'edit', label: t('edit'), act: () => setEdited(template) },
                    { id: 'delete', label: t('delete'), act: () => drop(template), isDanger: true },
                  ]}
                />
              ),
            },
          ]}
        />
      )}
      {edited && <TemplateDialog template={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </section>
  )
}

const placeholders = [
  ...['page_name', 'page_url', 'incident_title', 'monitor_name', 'component_names', 'started_at'],
] as const

function TemplateDialog({ template, onClose }: { template: Template | null; onClose(): void }) {
  const { t } = useTranslation('status-pages')
  const [draft, setDraft] = useState({
    name: template?.name ?? '',
    title: template?.title ?? '',
    body: template?.body ?? '',
  })
  const [phase, setPhase] = useState(template?.phase ?? 'investigating')
  const put = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const save = async () => {
    const body = { ...draft, title: draft.title || null, phase }
    if (template) {
      const params = { path: { status_page_template: template.id } }
      await bodyOf(api.PATCH('/api/v1/status-page-templates/{status_page_template}', { params, body }))
    } else await bodyOf(api.POST('/api/v1/status-page-templates', { body }))
    await readPagesAgain()
  }
  return (
    <FormDialog
      title={template?.name ?? t('template.new')}
      says={t('template.says', { names: placeholders.map(name => `{{${name}}}`).join(', ') })}
      submit={t('save')}
      onClose={onClose}
      act={save}
    >
      <TextField label={t('field.name')} name="name" isRequired value={draft.name} onChange={name => put({ name })} />
      <SelectField
        label={t('post.phase')}
        name="phase"
        choices={phases.map(id => ({ id, label: t(`phase.${id}`) }))}
        value={phase}
        onChange={chosen => setPhase(chosen)}
      />
      <TextField label={t('post.title')} name="title" value={draft.title} onChange={title => put({ title })} />
      <TextField
        label={t('post.body')}
        name="body"
        rows={5}
        isRequired
        value={draft.body}
        onChange={body => put({ body })}
      />
    </FormDialog>
  )
}
