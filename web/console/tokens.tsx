import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Actions } from '../access/actions.tsx'
import { ScopePicker } from '../access/scope-picker.tsx'
import { Shown } from '../access/shown.tsx'
import { api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { SelectField, TextField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { NumberField } from '../parts/number-field.tsx'
import { Pager } from '../parts/pager.tsx'
import { Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { refresh } from '../queries.ts'
import { resellerScopesQuery, resellerTokensQuery } from './queries.ts'

type Token = Schemas['ResellerToken']
type Scopes = Schemas['AuthCreateResellerTokenRequest']['scopes']
const again = () => refresh(['reseller', 'tokens'])

/** Tokens by which the reseller's own systems act in all managed teams. */
export function ResellerTokens() {
  const { t } = useTranslation('console')
  const [page, setPage] = useState(1)
  const { data } = useQuery({ ...resellerTokensQuery(page), placeholderData: keepPreviousData })
  const [isCreating, setCreating] = useState(false)
  const [secret, setSecret] = useState('')
  const [asked, setAsked] = useState<{ step: 'rotate' | 'revoke'; token: Token } | null>(null)
  const toggle = async ({ id: token }: Token) => {
    await bodyOf(api.POST('/api/v1/reseller/tokens/{token}/toggle', { params: { path: { token } } }))
    await again()
  }
  const actions = (token: Token) => [
    { id: 'toggle', label: t(token.is_active ? 'tokens.disable' : 'tokens.enable'), act: () => toggle(token) },
    { id: 'rotate', label: t('tokens.rotate'), act: () => setAsked({ step: 'rotate' as const, token }) },
    { id: 'revoke', label: t('keys.revoke'), act: () => setAsked({ step: 'revoke' as const, token }), isDanger: true },
  ]
  const create = (
    <Button variant="primary" icon="add" onPress={() => setCreating(true)}>
      {t('tokens.new')}
    </Button>
  )
  return (
    <section className="card">
      <div className="row spread">
        <h2>{t('nav.tokens')}</h2>
        {create}
      </div>
      <p className="soft">{t('tokens.says')}</p>
      <p>
        <a href="/api/v1/openapi.json?audience=reseller">{t('tokens.reference')}</a>
      </p>
      {data?.meta.total === 0 ? (
        <EmptyState title={t('tokens.empty')} action={create}>
          {t('tokens.empty.says')}
        </EmptyState>
      ) : (
        <Table
          caption={t('nav.tokens')}
          rows={data?.data}
          keyOf={({ id }) => id}
          columns={[
            {
              id: 'name',
              header: t('keys.name'),
              cell: token => (
                <>
                  {token.name}
                  <br />
                  <code className="soft">{token.masked_token}</code>
                </>
              ),
            },
            { id: 'scopes', header: t('keys.scopes'), cell: ({ scopes }) => <small>{scopes.join(', ')}</small> },
            {
              id: 'used',
              header: t('keys.used'),
              cell: ({ last_used_at: at }) => (at ? <Moment at={at} /> : t('never')),
            },
            {
              id: 'expires',
              header: t('keys.expires'),
              cell: ({ expires_at: at }) => (at ? <Moment at={at} /> : t('never')),
            },
            { id: 'state', header: t('keys.state'), cell: token => t(token.is_active ? 'keys.on' : 'keys.off') },
            {
              id: 'actions',
              header: '',
              cell: token => <Actions label={t('tokens.actions', { name: token.name })} actions={actions(token)} />,
            },
          ]}
        />
      )}
      {data && <Pager meta={data.meta} onPage={setPage} />}
      {isCreating && <Create onClose={() => setCreating(false)} onCreated={setSecret} />}
      {asked?.step === 'rotate' && <Rotate token={asked.token} onClose={() => setAsked(null)} onRotated={setSecret} />}
      {asked?.step === 'revoke' && (
        <FormDialog
          title={t('keys.revoke.title', { name: asked.token.name })}
          says={t('keys.revoke.says')}
          submit={t('keys.revoke')}
          isDanger
          onClose={() => setAsked(null)}
          act={async () => {
            const params = { path: { token: asked.token.id } }
            await bodyOf(api.DELETE('/api/v1/reseller/tokens/{token}', { params }))
            await again()
            toast.success(t('keys.revoked'))
          }}
        />
      )}
      {secret && (
        <Shown
          title={t('tokens.created')}
          says={t('tokens.once')}
          label={t('keys.token')}
          secret={secret}
          onClose={() => setSecret('')}
        />
      )}
    </section>
  )
}

const lifetimes = ['never', '30', '90', '365'] as const
const dayMs = 86_400_000

function Create({ onClose, onCreated }: { onClose(): void; onCreated(secret: string): void }) {
  const { t } = useTranslation('console')
  const scopes = useSuspenseQuery(resellerScopesQuery).data.data
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const [lifetime, setLifetime] = useState<(typeof lifetimes)[number]>('365')
  return (
    <FormDialog
      title={t('tokens.new')}
      submit={t('create')}
      onClose={onClose}
      act={async () => {
        const expires = lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * dayMs).toISOString()
        const body = { name, scopes: chosen as Scopes, expires_at: expires }
        const { plain_text_token: plain } = await bodyOf(api.POST('/api/v1/reseller/tokens', { body }))
        await again()
        onCreated(plain)
      }}
    >
      {fields => (
        <>
          <TextField label={t('keys.name')} name="name" isRequired autoFocus value={name} onChange={setName} />
          <ScopePicker
            label={t('keys.scopes')}
            description={t('tokens.says')}
            scopes={scopes}
            chosen={chosen}
            onChange={setChosen}
            words={{ family: family => t(`domain.${family}`), level: level => t(`level.${level}`) }}
            error={fields.scopes}
          />
          <SelectField
            label={t('tokens.expires')}
            name="expires_at"
            choices={lifetimes.map(id => ({
              id,
              label: id === 'never' ? t('never') : t('tokens.expires.days', { count: Number(id) }),
            }))}
            value={lifetime}
            onChange={value => setLifetime(value)}
          />
        </>
      )}
    </FormDialog>
  )
}

function Rotate({ token, onClose, onRotated }: { token: Token; onClose(): void; onRotated(secret: string): void }) {
  const { t } = useTranslation('console')
  const [hours, setHours] = useState(24)
  return (
    <FormDialog
      title={t('tokens.rotate.title', { name: token.name })}
      says={t('tokens.rotate.says')}
      submit={t('tokens.rotate')}
      onClose={onClose}
      act={async () => {
        const params = { path: { token: token.id } }
        const body = { grace_period_hours: hours }
        const { plain_text_token: plain } = await bodyOf(
          api.POST('/api/v1/reseller/tokens/{token}/rotate', { params, body }),
        )
        await again()
        onRotated(plain)
      }}
    >
      <NumberField
        label={t('tokens.rotate.hours')}
        name="grace_period_hours"
        minValue={1}
        maxValue={168}
        value={hours}
        onChange={setHours}
      />
    </FormDialog>
  )
}
