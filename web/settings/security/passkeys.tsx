import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Actions } from '../../access/actions.tsx'
import { ApiError, api, bodyOf, type Schemas } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Table } from '../../parts/table.tsx'
import { Moment } from '../../parts/time.tsx'
import { toast } from '../../parts/toast.tsx'
import { refresh } from '../../queries.ts'
import { passkeysQuery } from '../queries.ts'

type Passkey = Schemas['Passkey']

const hasPasskeys = 'PublicKeyCredential' in window

const of = ({ id }: Passkey) => ({ params: { path: { passkey: id } } })
const again = () => refresh(['profile'])

export function Passkeys() {
  const { t } = useTranslation('settings')
  const { data } = useQuery(passkeysQuery)
  const [isAdding, setAdding] = useState(false)
  const [failure, setFailure] = useState('')
  const [asked, setAsked] = useState<{ step: 'rename' | 'delete'; passkey: Passkey } | null>(null)
  const add = async () => {
    setAdding(true)
    setFailure('')
    try {
      const { data: options } = await bodyOf(api.POST('/api/v1/profile/passkeys/options', { body: {} }))
      const { startRegistration } = await import('@simplewebauthn/browser')
      const credential = await startRegistration({ optionsJSON: options as never })
      await bodyOf(api.POST('/api/v1/profile/passkeys', { body: { credential: credential as never } }))
      await again()
      toast.success(t('passkeys.added'))
    } catch (error) {
      setFailure(error instanceof ApiError ? error.message : t('passkeys.failed'))
    } finally {
      setAdding(false)
    }
  }
  return (
    <section className="card">
      <h2>{t('passkeys.title')}</h2>
      <p className="soft">{t('passkeys.says')}</p>
      {data && data.data.length > 0 && (
        <Table
          caption={t('passkeys.title')}
          rows={data.data}
          keyOf={({ id }) => id}
          columns={[
            { id: 'name', header: t('passkeys.name'), cell: ({ name }) => name },
            { id: 'created', header: t('passkeys.created'), cell: ({ created_at: at }) => <Moment at={at} /> },
            {
              id: 'used',
              header: t('passkeys.used'),
              cell: ({ last_used_at: at }) => (at ? <Moment at={at} /> : t('never')),
            },
            {
              id: 'actions',
              header: '',
              cell: passkey => (
                <Actions
                  label={t('passkeys.actions', { name: passkey.name })}
                  actions={[
                    {
                      id: 'rename',
                      label: t('passkeys.rename'),
                      act: () => setAsked({ step: 'rename', passkey }),
                    },
                    {
                      id: 'delete',
                      label: t('delete'),
                      act: () => setAsked({ step: 'delete', passkey }),
                      isDanger: true,
                    },
                  ]}
                />
              ),
            },
          ]}
        />
      )}
      {hasPasskeys ? (
        <Button icon="add" isPending={isAdding} onPress={add}>
          {t('passkeys.add')}
        </Button>
      ) : (
        <p>{t('passkeys.unsupported')}</p>
      )}
      <p role="alert">{failure}</p>
      {asked?.step === 'rename' && <Rename passkey={asked.passkey} onClose={() => setAsked(null)} />}
      {asked?.step === 'delete' && (
        <FormDialog
          title={t('passkeys.delete.title', { name: asked.passkey.name })}
          says={t('passkeys.delete.says')}
          submit={t('delete')}
          isDanger
          onClose={() => setAsked(null)}
          act={async () => {
            await bodyOf(api.DELETE('/api/v1/profile/passkeys/{passkey}', { ...of(asked.passkey), body: {} }))
            await again()
            toast.success(t('passkeys.deleted'))
          }}
        />
      )}
    </section>
  )
}

function Rename({ passkey, onClose }: { passkey: Passkey; onClose(): void }) {
  const { t } = useTranslation('settings')
  const [name, setName] = useState(passkey.name)
  return (
    <FormDialog
      title={t('passkeys.rename.title')}
      submit={t('save')}
      onClose={onClose}
      act={async () => {
        await bodyOf(api.PATCH('/api/v1/profile/passkeys/{passkey}', { ...of(passkey), body: { name } }))
        await again()
      }}
    >
      <TextField label={t('passkeys.name')} name="name" isRequired autoFocus value={name} onChange={setName} />
    </FormDialog>
  )
}
