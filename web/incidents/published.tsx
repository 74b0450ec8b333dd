import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { CheckboxField, SelectField, TextField } from '../parts/field.tsx'
import { Form, FormActions, SubmitButton } from '../parts/form.tsx'
import { usePerson } from '../shell/session.ts'
import { setPostmortem, updatePublished, useChange } from './actions.ts'
import { type IncidentDetail, pagesQuery, postQuery } from './queries.ts'

type Post = Schemas['StatusPagePost']
const phases = ['investigating', 'identified', 'monitoring', 'resolved'] as const

interface Place {
  page: string
  post: string
}

/** Where the incident was published, as its timeline says. */
function placesOf({ timeline }: IncidentDetail): Place[] {
  return timeline.flatMap(({ type, details }) => {
    const { status_page_id: page, post_id: post } = details ?? {}
    return type === 'published' && typeof page === 'string' && typeof post === 'string' ? [{ page, post }] : []
  })
}

/** What status pages say of the incident, with the postmortem. */
export function PublishedPosts({ incident }: { incident: IncidentDetail }) {
  const { t } = useTranslation('incidents')
  const places = placesOf(incident)
  return (
    <section className="card">
      <h2>{t('published')}</h2>
      {places.length === 0 && <p className="soft">{t('published.none')}</p>}
      {places.map(place => (
        <PublishedPost key={place.post} {...place} />
      ))}
    </section>
  )
}

function PublishedPost({ page, post: id }: Place) {
  const { t } = useTranslation('incidents')
  const { role } = usePerson()
  const { data: pages } = useQuery(pagesQuery)
  const { data: post, isError } = useQuery(postQuery(page, id))
  if (isError) return <p className="soft">{t('published.deleted')}</p>
  if (!post) return null
  const shown = pages?.find(one => one.id === page)
  const { postmortem, postmortem_published_at } = post
  return (
    <article className="published">
      <h3>
        {post.title} <span className="soft">{t(`incident.${post.phase}`, { ns: 'parts' })}</span>
      </h3>
      {shown && (
        <p>
          <a href={shown.url} target="_blank" rel="noreferrer">
            {shown.name}
          </a>
        </p>
      )}
      {postmortem !== null && (
        <>
          <h4>
            {t('postmortem')}{' '}
            <span className="soft">
              {t(postmortem_published_at === null ? 'postmortem.draft' : 'postmortem.published')}
            </span>
          </h4>
          <p className="written">{postmortem}</p>
        </>
      )}
      {role !== 'viewer' && (
        <div className="row">
          {post.phase !== 'resolved' && (
            <Asking word="published.update">{close => <UpdateForm page={page} post={post} onDone={close} />}</Asking>
          )}
          <Asking word={postmortem === null ? 'postmortem.write' : 'postmortem.edit'}>
            {close => <PostmortemForm page={page} post={post} onDone={close} />}
          </Asking>
        </div>
      )}
    </article>
  )
}

const Asking = ({ word, children }: { word: string; children: Parameters<typeof Dialog>[0]['children'] }) => {
  const { t } = useTranslation('incidents')
  return (
    <Dialog title={t(word)} isWide trigger={<Button icon="edit">{t(word)}</Button>}>
      {children}
    </Dialog>
  )
}

interface FormProps {
  page: string
  post: Post
  onDone(): void
}

function UpdateForm({ page, post, onDone }: FormProps) {
  const { t } = useTranslation('incidents')
  const [phase, setPhase] = useState<(typeof phases)[number]>(post.phase)
  const [notify, setNotify] = useState(true)
  return (
    <Form
      mutation={useChange(updatePublished(page, post.id), onDone)}
      body={data => ({ phase, body: String(data.get('body') ?? '').trim(), notify_subscribers: notify })}
    >
      <SelectField<(typeof phases)[number]>
        label={t('note.status')}
        choices={phases.map(one => ({ id: one, label: t(`incident.${one}`, { ns: 'parts' }) }))}
        value={phase}
        onChange={setPhase}
      />
      <TextField name="body" label={t('publish.body')} description={t('markdown')} rows={4} isRequired />
      <CheckboxField label={t('publish.notify')} isSelected={notify} onChange={setNotify} />
      <FormActions>
        <SubmitButton>{t('publish.send')}</SubmitButton>
      </FormActions>
    </Form>
  )
}

function PostmortemForm({ page, post, onDone }: FormProps) {
  const { t } = useTranslation('incidents')
  const isResolved = post.phase === 'resolved'
  const [isPublished, setIsPublished] = useState(post.postmortem_published_at !== null)
  return (
    <Form
      mutation={useChange(setPostmortem(page, post.id), onDone)}
      body={data => ({ body: String(data.get('body') ?? '').trim(), is_published: isPublished })}
    >
      <TextField
        name="body"
        label={t('postmortem.body')}
        description={t('markdown')}
        rows={12}
        defaultValue={post.postmortem ?? t('postmortem.outline')}
        isRequired
      />
      <CheckboxField
        label={t('postmortem.publish')}
        description={isResolved ? undefined : t('postmortem.later')}
        isSelected={isPublished}
        isDisabled={!isResolved}
        onChange={setIsPublished}
      />
      <FormActions>
        <SubmitButton>{t('postmortem.save')}</SubmitButton>
      </FormActions>
    </Form>
  )
}
