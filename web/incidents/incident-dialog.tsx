import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../parts/dialog.tsx'
import { CheckboxField, SelectField, TextField } from '../parts/field.tsx'
import { Form, FormActions, SubmitButton } from '../parts/form.tsx'
import { edit, postNote, publish, resolve, useChange } from './actions.ts'
import { type IncidentDetail, pagesQuery, type Severity, severities } from './queries.ts'

const phases = ['investigating', 'identified', 'monitoring'] as const

export type Asked = 'note' | 'resolve' | 'publish' | 'edit'

interface IncidentDialogProps {
  incident: IncidentDetail
  asked: Asked
  onClose(): void
}

/** What is written about an incident. */
export function IncidentDialog({ incident, asked, onClose }: IncidentDialogProps) {
  const { t } = useTranslation('incidents')
  const forms = { note: NoteForm, resolve: ResolveForm, publish: PublishForm, edit: EditForm }
  const Asking = forms[asked]
  return (
    <Dialog
      title={t(`dialog.${asked}`, { number: incident.number })}
      isOpen
      onOpenChange={isStill => !isStill && onClose()}
    >
      {() => <Asking incident={incident} onDone={onClose} />}
    </Dialog>
  )
}

interface FormProps {
  incident: IncidentDetail
  onDone(): void
}

const textOf = (data: FormData, name: string) => String(data.get(name) ?? '').trim()

/** A note of the team: nothing of it is published. */
function NoteForm({ incident: { id, status }, onDone }: FormProps) {
  const { t } = useTranslation('incidents')
  const [phase, setPhase] = useState<(typeof phases)[number]>(phases.find(one => one === status) ?? 'investigating')
  return (
    <Form mutation={useChange(postNote(id), onDone)} body={data => ({ status: phase, body: textOf(data, 'body') })}>
      <p className="soft">{t('note.says')}</p>
      <SelectField<(typeof phases)[number]>
        label={t('note.status')}
        choices={phases.map(one => ({ id: one, label: t(`incident.${one}`, { ns: 'parts' }) }))}
        value={phase}
        onChange={setPhase}
      />
      <TextField name="body" label={t('note.body')} rows={4} isRequired />
      <FormActions>
        <SubmitButton>{t('note.send')}</SubmitButton>
      </FormActions>
    </Form>
  )
}

function ResolveForm({ incident: { id }, onDone }: FormProps) {
  const { t } = useTranslation('incidents')
  return (
    <Form
      mutation={useChange(resolve(id), onDone)}
      body={data => {
        const message = textOf(data, 'message')
        return message === '' ? {} : { message }
      }}
    >
      <p className="soft">{t('resolve.says')}</p>
      <TextField name="message" label={t('resolve.message')} rows={3} autoFocus />
      <FormActions>
        <SubmitButton>{t('resolve.send')}</SubmitButton>
      </FormActions>
    </Form>
  )
}

function EditForm({ incident: { id, title, severity }, onDone }: FormProps) {
  const { t } = useTranslation('incidents')
  const [chosen, setChosen] = useState<Severity>(severity)
  return (
    <Form mutation={useChange(edit(id), onDone)} body={data => ({ title: textOf(data, 'title'), severity: chosen })}>
      <TextField name="title" label={t('edit.name')} defaultValue={title} isRequired />
      <SelectField<Severity>
        label={t('filter.severity')}
        choices={severities.map(one => ({ id: one, label: t(`severity.${one}`) }))}
        value={chosen}
        onChange={setChosen}
      />
      <FormActions>
        <SubmitButton>{t('edit.send')}</SubmitButton>
      </FormActions>
    </Form>
  )
}

/** What the public reads: a text of its own, apart from the notes of the team. */
function PublishForm({ incident, onDone }: FormProps) {
  const { t } = useTranslation('incidents')
  const { data: pages } = useQuery(pagesQuery)
  const [chosen, setChosen] = useState<string | null>(null)
  const [notify, setNotify] = useState(true)
  const page = chosen ?? pages?.[0]?.id ?? null
  const mutation = useChange(publish, onDone)
  // without a page there is nothing to send to
  if (!pages) return <p className="soft">{t('publish.loading')}</p>
  if (pages.length === 0) return <p>{t('publish.noPages')}</p>
  return (
    <Form
      mutation={mutation}
      body={data => ({
        ...{ page: page ?? '', incident_id: incident.id, phase: incident.status, notify_subscribers: notify },
        ...{ title: textOf(data, 'title'), body: textOf(data, 'body') },
      })}
    >
      <p className="soft">{t('publish.says')}</p>
      <SelectField<string>
        label={t('publish.page')}
        choices={pages.map(({ id, name }) => ({ id, label: name }))}
        value={page}
        onChange={setChosen}
      />
      <TextField
        name="title"
        label={t('publish.name')}
        defaultValue={t('publish.suggestion', { name: incident.monitor_name })}
        isRequired
      />
      <TextField name="body" label={t('publish.body')} description={t('markdown')} rows={4} isRequired />
      <CheckboxField label={t('publish.notify')} isSelected={notify} onChange={setNotify} />
      <FormActions>
        <SubmitButton>{t('publish.send')}</SubmitButton>
      </FormActions>
    </Form>
  )
}
