import { useMutation, useSuspenseQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { OwnSession } from '../access/own-session.tsx'
import { ApiError, api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Feature } from '../parts/feature.tsx'
import { SelectField, TextField } from '../parts/field.tsx'
import { Form, FormActions, SubmitButton } from '../parts/form.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Moment } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { refresh } from '../queries.ts'
import { planQuery } from '../shared-queries.ts'
import { usePerson } from '../shell/session.ts'
import { smtpQuery } from './queries.ts'

type Config = Schemas['SmtpConfig']
const ports = ['25', '465', '587', '2525'] as const
const encryptions = ['tls', 'ssl'] as const
const again = () => refresh(smtpQuery.queryKey)

/** The mail server of the team: what is saved, a test of it, and whether it works. */
export function Smtp() {
  const { t } = useTranslation(['smtp', 'settings'])
  const [{ data: stored }, { data: plan }] = useSuspenseQueries({ queries: [smtpQuery, planQuery] })
  const config = stored.data
  const mayUse = plan.limits.custom_smtp
  return (
    <section className="card">
      <h2>{config === null ? t('none') : t('nav.smtp', { ns: 'settings' })}</h2>
      <p className="soft">{config === null ? t('none.says') : t('says')}</p>
      {!mayUse && <p>{t('locked')}</p>}
      {config?.failing_since && config.failure && (
        <p role="alert">
          {t('failing', { failure: t(`failure.${config.failure}`) })} <Moment at={config.failing_since} />
        </p>
      )}
      <Feature name="custom_smtp">
        <OwnSession>
          <Server key={config?.updated_at ?? 'none'} config={config} />
        </OwnSession>
      </Feature>
      {config && <Stored config={config} />}
    </section>
  )
}

function Server({ config }: { config: Config | null }) {
  const { t } = useTranslation(['smtp', 'settings'])
  const [draft, setDraft] = useState({
    host: config?.host ?? '',
    port: String(config?.port ?? 587) as (typeof ports)[number],
    encryption: config?.encryption ?? 'tls',
    username: config?.username ?? '',
    password: config?.password ?? '',
    from_address: config?.from_address ?? '',
    from_name: config?.from_name ?? '',
  })
  const put = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const { host, port, encryption, ...optional } = draft
  const saving = useMutation({
    mutationFn: async () => {
      const rest = Object.fromEntries(Object.entries(optional).map(([name, text]) => [name, text || null]))
      const body = { host, port: Number(port) as Config['port'], encryption, ...rest }
      await bodyOf(api.PATCH('/api/v1/smtp-config', { body }))
      await again()
      toast.success(t('saved', { ns: 'settings' }))
    },
  })
  return (
    <Form mutation={saving} body={() => undefined}>
      <TextField label={t('host')} name="host" isRequired value={host} onChange={value => put({ host: value })} />
      <div className="cards">
        <SelectField
          label={t('port')}
          name="port"
          choices={ports.map(id => ({ id, label: id }))}
          value={port}
          onChange={value => put({ port: value })}
        />
        <SelectField
          label={t('encryption')}
          name="encryption"
          choices={encryptions.map(id => ({ id, label: t(`encryption.${id}`) }))}
          value={encryption}
          onChange={value => put({ encryption: value })}
        />
      </div>
      <TextField
        label={t('username')}
        name="username"
        autoComplete="off"
        value={draft.username}
        onChange={value => put({ username: value })}
      />
      <TextField
        label={t('password')}
        {...(config?.password && { description: t('password.kept') })}
        name="password"
        type="password"
        autoComplete="new-password"
        value={draft.password}
        onChange={value => put({ password: value })}
      />
      <div className="cards">
        <TextField
          label={t('from_address')}
          {...(!draft.from_address && !draft.username.includes('@') && { description: t('from_address.needed') })}
          name="from_address"
          type="email"
          value={draft.from_address}
          onChange={value => put({ from_address: value })}
        />
        <TextField
          label={t('from_name')}
          name="from_name"
          value={draft.from_name}
          onChange={value => put({ from_name: value })}
        />
      </div>
      <FormActions>
        <SubmitButton>{t('save', { ns: 'settings' })}</SubmitButton>
      </FormActions>
    </Form>
  )
}

function Stored({ config }: { config: Config }) {
  const { t } = useTranslation(['smtp', 'settings'])
  const { email } = usePerson()
  const [outcome, setOutcome] = useState('')
  const [isTesting, setTesting] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const test = async () => {
    setTesting(true)
    setOutcome('')
    try {
      await bodyOf(api.POST('/api/v1/smtp-config/test'))
      setOutcome(t('test.done', { email }))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setOutcome(Object.values(error.fields)[0] ?? error.message)
    } finally {
      setTesting(false)
    }
  }
  return (
    <>
      <h3>{config.host}</h3>
      <p className="soft">{t('test.says', { email })}</p>
      <div className="row">
        <Button icon="mail" isPending={isTesting} onPress={test}>
          {t('test')}
        </Button>
        <Button variant="danger" onPress={() => setDeleting(true)}>
          {t('delete')}
        </Button>
      </div>
      <p role="status">{outcome}</p>
      {isDeleting && (
        <FormDialog
          title={t('delete.title')}
          says={t('delete.says')}
          submit={t('delete')}
          isDanger
          onClose={() => setDeleting(false)}
          act={async () => {
            await bodyOf(api.DELETE('/api/v1/smtp-config'))
            await again()
            toast.success(t('deleted'))
          }}
        />
      )}
    </>
  )
}
