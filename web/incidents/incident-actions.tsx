import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { CheckboxField, SelectField, TextField } from '../parts/field.tsx'
import { Form, FormActions, SubmitButton } from '../parts/form.tsx'
import { Menu, type MenuAction } from '../parts/menu.tsx'
import { toast } from '../parts/toast.tsx'
import { edit, postNote, publish, resolve, type Step, useChange, useSnooze, useStep } from './actions.ts'
import { type IncidentDetail, pagesQuery, type Severity, severities } from './queries.ts'

const snoozeMinutes = [30, 60, 240, 1_440]
const phases = ['investigating', 'identified', 'monitoring'] as const
type Asked = 'note' | 'resolve' | 'publish' | 'edit'

/** What can be done with an incident. */
export function IncidentActions({ incident }: { incident: IncidentDetail }) {
  const { t } = useTranslation('incidents')
  const { id, number, acknowledged_at, resolved_at, archived_at, snoozed_until, is_snoozed } = incident
  const [asked, setAsked] = useState<Asked | null>(null)
  const step = useStep()
  const snooze = useSnooze(id)
  const take = (name: Step) =>
    step.mutate(
      { id, step: name },
      { onError: toast.failure, onSuccess: () => toast.success(t(`did.${name}`, { number })) },
    )
  const isOpen = resolved_at === null
  const more: MenuAction[] = [
    { id: 'edit', label: t('edit'), icon: 'edit', onAction: () => setAsked('edit') },
    ...(isOpen && acknowledged_at !== null
      ? [
          {
            id: 'unacknowledge',
            label: t('unacknowledge'),
            icon: 'back' as const,
            onAction: () => take('unacknowledge'),
          },
        ]
      : []),
    ...(isOpen
      ? []
      : [
          archived_at === null
            ? { id: 'archive', label: t('archive'), icon: 'download' as const, onAction: () => take('archive') }
            : { id: 'unarchive', label: t('unarchive'), icon: 'back' as const, onAction: () => take('unarchive') },
        ]),
  ]
  const close = () => setAsked(null)
  return (
    <>
      {isOpen && acknowledged_at === null && (
        <Button variant="primary" icon="check" onPress={() => take('acknowledge')} isPending={step.isPending}>
          {t('acknowledge')}
        </Button>
      )}
      {isOpen &&
        (is_snoozed && snoozed_until !== null ? (
          <Button icon="bell" onPress={() => take('unsnooze')}>
            {t('unsnooze')}
          </Button>
        ) : (
          <Menu
            label={t('snooze')}
            trigger={<Button icon="snooze">{t('snooze')}</Button>}
            actions={snoozeMinutes.map(minutes => ({
              id: String(minutes),
              label:
                minutes < 60 ? t('snooze.minutes', { count: minutes }) : t('snooze.hours', { count: minutes / 60 }),
              onAction: () => snooze.mutate(minutes, { onError: toast.failure }),
            }))}
          />
        ))}
      {isOpen && (
        <Button icon="edit" onPress={() => setAsked('note')}>
          {t('note')}
        </Button>
      )}
      <Button icon="globe" onPress={() => setAsked('publish')}>
        {t('publish')}
      </Button>
      {isOpen && (
        <Button icon="up" onPress={() => setAsked('resolve')}>
          {t('resolve')}
        </Button>
      )}
      <Menu label={t('more')} actions={more} />
      <Dialog
        title={t(`dialog.${asked ?? 'note'}`, { number })}
        isOpen={asked !== null}
        onOpenChange={open => !open && close()}
      >
        {() => (
          <>
            {asked === 'note' && <NoteForm incident={incident} onDone={close} />}
            {asked === 'resolve' && <ResolveForm incident={incident} onDone={close} />}
            {asked === 'publish' && <PublishForm incident={incident} onDone={close} />}
            {asked === 'edit' && <EditForm incident={incident} onDone={close} />}
          </>
        )}
      </Dialog>
    </>
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
        choices={phases.map(one => ({ id: one, label: t(`status.${one}`) }))}
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
