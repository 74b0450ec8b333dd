import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api.ts'
import { SelectField, SwitchField, TextField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { toast } from '../parts/toast.tsx'
import { useMay } from '../shell/may.ts'
import { usePerson } from '../shell/session.ts'
import { configFields, configOf, customConfigOf, type Draft, draftOf, type Kind, kinds } from './kinds.ts'
import { type Channel, presetsQuery, readAlertsAgain } from './queries.ts'

type Custom = Extract<Channel, { type: 'custom' }>

/** Creates a channel, or changes one. The kind of a channel stays. */
export function ChannelEditor({ channel, onClose }: { channel: Channel | null; onClose(): void }) {
  const { t } = useTranslation('alerts')
  const { isReseller } = usePerson()
  const { isActing } = useMay()
  const [kind, setKind] = useState<Kind>(channel?.type ?? 'email')
  const [name, setName] = useState(channel?.name ?? '')
  const [preset, setPreset] = useState<string | null>((channel as Custom | null)?.config.preset ?? null)
  const [draft, setDraft] = useState<Draft>(draftOf(channel))
  const [notifiesAll, setNotifiesAll] = useState(true)
  const put = (part: Draft) => setDraft(before => ({ ...before, ...part }))
  const save = async () => {
    const config = kind === 'custom' ? customConfigOf(preset, draft) : configOf(kind, draft)
    if (channel === null) {
      const body = { name, type: kind, config, notify_all: notifiesAll } as Schemas['NewNotificationChannel']
      await bodyOf(api.POST('/api/v1/notification-channels', { body }))
    } else {
      const params = { path: { notification_channel: channel.id } }
      await bodyOf(
        api.PATCH('/api/v1/notification-channels/{notification_channel}', { params, body: { name, config } }),
      )
    }
    await readAlertsAgain()
    toast.success(t('saved'))
  }
  return (
    <FormDialog title={channel?.name ?? t('channels.new')} submit={t('save')} onClose={onClose} act={save}>
      {channel === null && (
        <SelectField
          label={t('channels.type')}
          value={kind}
          onChange={chosen => {
            setKind(chosen)
            setDraft({})
          }}
          choices={kinds.map(id => ({ id, label: t(`kind.${id}`) }))}
        />
      )}
      <TextField label={t('name')} name="name" isRequired autoFocus value={name} onChange={setName} />
      <ConfigFields {...{ kind, preset, draft, put }} onPreset={setPreset} isNew={channel === null} />
      {channel === null && (
        <SwitchField
          label={t('channels.notifyAll')}
          description={t(isReseller && !isActing ? 'channels.notifyAll.reseller' : 'channels.notifyAll.says')}
          isSelected={notifiesAll}
          onChange={setNotifiesAll}
        />
      )}
    </FormDialog>
  )
}

interface CustomProps {
  preset: string | null
  onPreset(preset: string | null): void
  draft: Draft
  put(part: Draft): void
  isNew: boolean
}

/** The settings of a kind of channel. */
export function ConfigFields({ kind, preset, onPreset, draft, put, isNew }: CustomProps & { kind: Kind }) {
  const { t } = useTranslation('alerts')
  return kind === 'custom' ? (
    <CustomFields {...{ preset, draft, put }} onPreset={onPreset} isNew={isNew} />
  ) : (
    configFields[kind].map(({ name: field, isRequired, form }) => (
      <TextField
        key={`${kind}-${field}`}
        label={t(`config.${field}`)}
        {...(form === 'lines' && { description: t('config.lines'), rows: 3 })}
        name={`config.${field}`}
        type={form === 'url' ? 'url' : 'text'}
        autoComplete="off"
        isRequired={isRequired}
        isCode={form !== 'lines'}
        value={draft[field] ?? ''}
        onChange={text => put({ [field]: text })}
      />
    ))
  )
}

const none = 'none'
const methods = ['POST', 'PUT', 'PATCH', 'GET'] as const

/** A channel of the team's own making: a preset with its fields, or method, address, headers and body. */
function CustomFields({ preset, onPreset, draft, put, isNew }: CustomProps) {
  const { t } = useTranslation('alerts')
  const { data } = useQuery(presetsQuery)
  const presets = data?.data ?? []
  const chosen = presets.find(each => each.preset === preset)
  return (
    <>
      {isNew && (
        <SelectField
          label={t('custom.preset')}
          value={preset ?? none}
          onChange={id => onPreset(id === none ? null : id)}
          choices={[
            { id: none, label: t('custom.own') },
            ...presets.map(({ preset: id, title, description }) => ({ id, label: title, description })),
          ]}
        />
      )}
      {(chosen === undefined || chosen.url === null) && (
        <TextField
          label={t('config.url')}
          name="config.url"
          isRequired
          isCode
          value={draft.url ?? ''}
          onChange={url => put({ url })}
        />
      )}
      {chosen?.fields.map(({ name, label, is_required: isRequired }) => (
        <TextField
          key={name}
          label={label}
          name={`config.fields.${name}`}
          isRequired={isRequired}
          isCode
          autoComplete="off"
          value={draft[`fields.${name}`] ?? ''}
          onChange={text => put({ [`fields.${name}`]: text })}
        />
      ))}
      {preset === null && (
        <>
          <SelectField
            label={t('custom.method')}
            name="config.method"
            value={draft.method ?? 'POST'}
            onChange={method => put({ method })}
            choices={methods.map(id => ({ id, label: id }))}
          />
          <TextField
            label={t('custom.headers')}
            description={t('custom.headers.says')}
            name="config.headers"
            rows={3}
            isCode
            value={draft.headers ?? headerLines(draft)}
            onChange={headers => put({ headers })}
          />
          <TextField
            label={t('custom.contentType')}
            name="config.content_type"
            isCode
            value={draft.content_type ?? 'application/json'}
            onChange={type => put({ content_type: type })}
          />
          <TextField
            label={t('custom.body')}
            description={t('custom.body.says')}
            name="config.body_template"
            rows={8}
            isCode
            value={draft.body_template ?? ''}
            onChange={template => put({ body_template: template })}
          />
        </>
      )}
    </>
  )
}

/** Stored headers, whose values are masked, as lines. */
const headerLines = (draft: Draft) =>
  Object.entries(draft)
    .flatMap(([name, value]) => (name.startsWith('headers.') ? [`${name.slice('headers.'.length)}: ${value}`] : []))
    .join('\n')
