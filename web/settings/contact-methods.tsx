import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Actions } from '../access/actions.tsx'
import { api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { type Method, of, path, readMethodsAgain } from './contact-method.ts'
import { contactMethodsQuery } from './queries.ts'

// most people come to read: what writes is loaded when it is opened
const MethodEditor = lazy(async () => ({ default: (await import('./contact-method-editor.tsx')).MethodEditor }))
const Tested = lazy(async () => ({ default: (await import('../alerts/tested.tsx')).Tested }))

/** How the person is reached when they are on call, in their order of preference. */
export function ContactMethods() {
  const { t } = useTranslation(['settings', 'alerts'])
  const { data } = useQuery(contactMethodsQuery)
  const [edited, setEdited] = useState<Method | 'new' | null>(null)
  const [deleted, setDeleted] = useState<Method | null>(null)
  const [tested, setTested] = useState<{ channel: Method; answer: Schemas['ChannelTest'] } | null>(null)
  const change = async (method: Method, body: { is_enabled: boolean } | { position: number }) => {
    await bodyOf(api.PATCH(path, { ...of(method), body }))
    await readMethodsAgain()
  }
  const test = async (channel: Method) => {
    const { data: answer } = await bodyOf(api.POST(`${path}/test`, { ...of(channel), body: {} }))
    setTested({ channel, answer })
    await readMethodsAgain()
  }
  const count = data?.data.length ?? 0
  const actions = (method: Method) => {
    const { position } = method
    const moveTo = (place: number) => () => change(method, { position: place })
    return [
      { id: 'test', label: t('channels.test', { ns: 'alerts' }), act: () => test(method) },
      ...(position > 1 ? [{ id: 'up', label: t('contact.up'), act: moveTo(position - 1) }] : []),
      ...(position < count ? [{ id: 'down', label: t('contact.down'), act: moveTo(position + 1) }] : []),
      {
        id: 'turn',
        label: t(method.is_enabled ? 'channels.disable' : 'channels.enable', { ns: 'alerts' }),
        act: () => change(method, { is_enabled: !method.is_enabled }),
      },
      ...(method.is_account
        ? []
        : [
            { id: 'edit', label: t('edit', { ns: 'alerts' }), act: () => setEdited(method) },
            { id: 'delete', label: t('delete'), act: () => setDeleted(method), isDanger: true },
          ]),
    ]
  }
  return (
    <section className="card">
      <div className="row spread">
        <h2>{t('contact')}</h2>
        <Button icon="add" onPress={() => setEdited('new')}>
          {t('contact.new')}
        </Button>
      </div>
      <p className="soft">{t('contact.says')}</p>
      <Table
        caption={t('contact')}
        rows={data?.data}
        keyOf={({ id }) => id}
        columns={[
          {
            id: 'name',
            header: t('name', { ns: 'alerts' }),
            cell: method => (
              <>
                {method.name} {method.is_account && <span className="soft">({t('contact.account')})</span>}
              </>
            ),
          },
          {
            id: 'type',
            header: t('channels.type', { ns: 'alerts' }),
            cell: ({ type }) => t(`kind.${type}`, { ns: 'alerts' }),
          },
          { id: 'state', header: t('state', { ns: 'alerts' }), cell: method => <State method={method} /> },
          {
            id: 'actions',
            header: '',
            cell: method => (
              <Actions label={t('actions', { ns: 'alerts', name: method.name })} actions={actions(method)} />
            ),
          },
        ]}
      />
      <Suspense>
        {edited && <MethodEditor method={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
        {tested && <Tested {...tested} onClose={() => setTested(null)} />}
      </Suspense>
      {deleted && (
        <FormDialog
          title={t('contact.delete.title', { name: deleted.name })}
          says={t('contact.delete.says')}
          submit={t('delete')}
          isDanger
          onClose={() => setDeleted(null)}
          act={async () => {
            await bodyOf(api.DELETE(path, of(deleted)))
            await readMethodsAgain()
            toast.success(t('deleted', { ns: 'alerts', name: deleted.name }))
          }}
        />
      )}
    </section>
  )
}

function State({ method }: { method: Method }) {
  const { t } = useTranslation(['settings', 'alerts'])
  if (method.held_by_plan) return t('channels.state.plan', { ns: 'alerts' })
  if (!method.is_enabled) return t('channels.state.off', { ns: 'alerts' })
  if (method.failing_since)
    return (
      <strong className="down">
        {t('channels.state.failing', { ns: 'alerts' })} <Moment at={method.failing_since} />
      </strong>
    )
  if (method.verified) return t('contact.verified')
  return t(method.type === 'email' ? 'contact.unverified.email' : 'contact.unverified')
}
