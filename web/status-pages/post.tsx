import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { CheckboxField, SelectField } from '../parts/field.tsx'
import { Form, FormActions, SubmitButton } from '../parts/form.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Pill } from '../parts/status-pill.tsx'
import { Moment } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { type Affected, AffectedFields } from './affected.tsx'
import { Markdown, MarkdownField } from './markdown.tsx'
import { type PagePost, pageQuery, phases, postQuery, readPagesAgain, type StatusPage } from './queries.ts'

/** One incident of a page: its updates, a new one, and its postmortem. */
export function Post() {
  const { t } = useTranslation('status-pages')
  const navigate = useNavigate()
  const { page: id, post: postId } = useParams({ from: '/app/app/status-pages/$page/posts/$post' })
  const { data: page } = useSuspenseQuery(pageQuery(id))
  const { post, updates } = useSuspenseQuery(postQuery(id, postId)).data
  const [isDeleting, setDeleting] = useState(false)
  return (
    <>
      <section className="card">
        <p>
          <Link to="/app/status-pages/$page/posts" params={{ page: id }}>
            {t('tab.posts')}
          </Link>
        </p>
        <div className="row spread">
          <h2>{post.title}</h2>
          <Button icon="delete" onPress={() => setDeleting(true)}>
            {t('delete')}
          </Button>
        </div>
        <p className="row">
          <Pill tone={post.phase === 'resolved' ? 'up' : 'warning'}>{t(`phase.${post.phase}`)}</Pill>
          {t(`impact.${post.impact}`)} · <Moment at={post.started_at} />
        </p>
        <ol className="updates" aria-label={t('updates')}>
          {updates.map(update => (
            <li key={update.id}>
              <h3>
                {t(`phase.${update.phase}`)} · <Moment at={update.at} />
              </h3>
              <Markdown text={update.body} />
            </li>
          ))}
        </ol>
      </section>
      <NewUpdate key={updates.length} page={page} post={post} />
      {post.phase === 'resolved' && <Postmortem page={page} post={post} />}
      {isDeleting && (
        <FormDialog
          title={t('post.delete')}
          says={t('post.delete.says')}
          submit={t('delete')}
          isDanger
          onClose={() => setDeleting(false)}
          act={async () => {
            const params = { path: { status_page: id, post: postId } }
            await bodyOf(api.DELETE('/api/v1/status-pages/{status_page}/posts/{post}', { params }))
            await navigate({ to: '/app/status-pages/$page/posts', params: { page: id } })
            await readPagesAgain()
          }}
        />
      )}
    </>
  )
}

interface PostProps {
  page: StatusPage
  post: PagePost
}

function NewUpdate({ page, post }: PostProps) {
  const { t } = useTranslation('status-pages')
  const [phase, setPhase] = useState(post.phase)
  const [body, setBody] = useState('')
  const [isNotifying, setNotifying] = useState(true)
  const [affected, setAffected] = useState<Affected | null>(null)
  const sending = useMutation({
    mutationFn: async () => {
      await bodyOf(
        api.POST('/api/v1/status-pages/{status_page}/posts/{post}/updates', {
          params: { path: { status_page: page.id, post: post.id } },
          body: {
            ...{ phase, body, notify_subscribers: isNotifying },
            // what is not sent stays as it is: components may follow their monitors again
            ...(affected && { components: affected }),
          },
        }),
      )
      await readPagesAgain()
      toast.success(t('update.created'))
    },
  })
  return (
    <section className="card">
      <h2>{t('update.new')}</h2>
      <Form mutation={sending} body={() => undefined}>
        <SelectField
          label={t('post.phase')}
          name="phase"
          choices={phases.map(id => ({ id, label: t(`phase.${id}`) }))}
          value={phase}
          onChange={chosen => setPhase(chosen)}
        />
        <AffectedFields page={page} value={affected ?? post.components} onChange={setAffected} />
        {affected === null && post.former_components.length > 0 && (
          <p className="soft">{t('post.components.former', { names: post.former_components.join(', ') })}</p>
        )}
        <MarkdownField label={t('post.body')} name="body" isRequired value={body} onChange={setBody} />
        <CheckboxField
          label={t('post.notify')}
          name="notify_subscribers"
          isSelected={isNotifying}
          onChange={setNotifying}
        />
        <FormActions>
          <SubmitButton>{t('update.create')}</SubmitButton>
        </FormActions>
      </Form>
    </section>
  )
}

function Postmortem({ page, post }: PostProps) {
  const { t } = useTranslation('status-pages')
  const [body, setBody] = useState(post.postmortem ?? '')
  const [isPublished, setPublished] = useState(post.postmortem_published_at !== null)
  const saving = useMutation({
    mutationFn: async () => {
      await bodyOf(
        api.PUT('/api/v1/status-pages/{status_page}/posts/{post}/postmortem', {
          params: { path: { status_page: page.id, post: post.id } },
          body: { body, is_published: isPublished },
        }),
      )
      await readPagesAgain()
      toast.success(t('saved'))
    },
  })
  return (
    <section className="card">
      <h2>{t('postmortem')}</h2>
      <p className="soft">{t('postmortem.says')}</p>
      <Form mutation={saving} body={() => undefined}>
        <MarkdownField label={t('postmortem')} name="body" isRequired value={body} onChange={setBody} />
        <CheckboxField
          label={t('postmortem.publish')}
          name="is_published"
          isSelected={isPublished}
          onChange={setPublished}
        />
        <FormActions>
          <SubmitButton>{t('save')}</SubmitButton>
        </FormActions>
      </Form>
    </section>
  )
}
