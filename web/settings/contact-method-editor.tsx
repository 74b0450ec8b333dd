import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfigFields } from '../alerts/channel-editor.tsx'
import { configOf, customConfigOf, type Draft, draftOf, type Kind, kinds } from '../alerts/kinds.ts'
import { api, bodyOf } from '../api.ts'
import { SelectField, TextField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { toast } from '../parts/toast.tsx'
import { type Method, of, path, readMethodsAgain } from './contact-method.ts'

/** Adds a contact method, or changes one. Its kind stays. */
export function MethodEditor({ method, onClose }: { method: Method | null; onClose(): void }) {
  const { t } = useTranslation(['settings', 'alerts'])
  const [kind, setKind] = useState<Kind>(method?.type ?? 'email')
  const [name, setName] = useState(method?.name ?? '')
  const stored = method?.config.preset
  const [preset, setPreset] = useState<string | null>(typeof stored === 'string' ? stored : null)
  const [draft, setDraft] = useState<Draft>(draftOf(method))
  const save = async () => {
    const config = kind === 'custom' ? customConfigOf(preset, draft) : configOf(kind, draft)
    if (method === null)
      await bodyOf(api.POST('/api/v1/profile/contact-methods', { body: { name, type: kind, config } }))
    else await bodyOf(api.PATCH(path, { ...of(method), body: { name, config } }))
    await readMethodsAgain()
    toast.success(t('saved'))
  }
  return (
    <FormDialog title={method?.name ?? t('contact.new')} submit={t('save')} onClose={onClose} act={save}>
      {method === null && (
        <SelectField
          label={t('channels.type', { ns: 'alerts' })}
          value={kind}
          onChange={chosen => {
            setKind(chosen)
            setDraft({})
          }}
          choices={kinds.map(id => ({ id, label: t(`kind.${id}`, { ns: 'alerts' }) }))}
        />
      )}
      <TextField label={t('name', { ns: 'alerts' })} name="name" isRequired autoFocus value={name} onChange={setName} />
      <ConfigFields
        {...{ kind, preset, draft }}
        put={part => setDraft(before => ({ ...before, ...part }))}
        onPreset={setPreset}
        isNew={method === null}
      />
    </FormDialog>
  )
}
