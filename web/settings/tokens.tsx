import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Actions } from '../access/actions.tsx'
import { OwnSession } from '../access/own-session.tsx'
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
import { useMay } from '../shell/may.ts'
import { apiKeysQuery, personalTokensQuery, scopesQuery } from './queries.ts'

type Token = Schemas['ApiToken']
type NewToken = Schemas['ApiKeysCreateRequest']
type Scope = NewToken['scopes'][number]

/** Personal tokens and keys of the team differ in whom they act for, and in nothing else. */
const kinds = {
  personal: {
    key: ['api-tokens'],
    list: personalTokensQuery,
    create: (body: NewToken) => bodyOf(api.POST('/api/v1/api-tokens', { body })),
    put: (token: string, isActive: boolean) =>
      bodyOf(api.PATCH('/api/v1/api-tokens/{token}', { params: { path: { token } }, body: { is_active: isActive } })),
    rotate: (token: string, hours: number) =>
      bodyOf(
        api.POST('/api/v1/api-tokens/{token}/rotate', {
          params: { path: { token } },
          body: { grace_period_hours: hours },
        }),
      ),
    revoke: (token: string) => bodyOf(api.DELETE('/api/v1/api-tokens/{token}', { params: { path: { token } } })),
  },
  keys: {
    key: ['api-keys'],
    list: apiKeysQuery,
    create: (body: NewToken) => bodyOf(api.POST('/api/v1/api-keys', { body })),
    put: (token: string, isActive: boolean) =>
      bodyOf(api.PATCH('/api/v1/api-keys/{token}', { params: { path: { token } }, body: { is_active: isActive } })),
    rotate: (token: string, hours: number) =>
      bodyOf(
        api.POST('/api/v1/api-keys/{token}/rotate', {
          params: { path: { token } },
          body: { grace_period_hours: hours },
        }),
      ),
    revoke: (token: string) => bodyOf(api.DELETE('/api/v1/api-keys/{token}', { params: { path: { token } } })),
  },
} as const
type Kind = keyof typeof kinds

export function Tokens() {
  const { administers } = useMay()
  return (
    <OwnSession>
      <TokenList kind="personal" />
      {administers && <TokenList kind="keys" />}
    </OwnSession>
  )
}

function TokenList({ kind }: { kind: Kind }) {
  const { t } = useTranslation('settings')
  const [page, setPage] = useState(1)
  const { data } = useQuery({ ...kinds[kind].list(page), placeholderData: keepPreviousData })
  const [isCreating, setCreating] = useState(false)
  const [secret, setSecret] = useState('')
  const [asked, setAsked] = useState<{ step: 'rotate' | 'revoke'; token: Token } | null>(null)
  const again = () => refresh(kinds[kind].key)
  const put = async (token: Token, isActive: boolean) => {
    await kinds[kind].put(token.id, isActive)
    await again()
  }
  const actions = (token: Token) => [
    token.is_active
      ? { id: 'disable', label: t('tokens.disable'), act: () => put(token, false) }
      : { id: 'enable', label: t('tokens.enable'), act: () => put(token, true) },
    { id: 'rotate', label: t('tokens.rotate'), act: () => setAsked({ step: 'rotate' as const, token }) },
    {
      id: 'revoke',
      label: t('tokens.revoke'),
      act: () => setAsked({ step: 'revoke' as const, token }),
      isDanger: true,
    },
  ]
  const create = (
    <Button variant={kind === 'personal' ? 'primary' : 'plain'} icon="add" onPress={() => setCreating(true)}>
      {t(kind === 'personal' ? 'tokens.new' : 'tokens.new.key')}
    </Button>
  )
  return (
    <section className="card">
      <div className="row spread">
        <h2>{t(`tokens.${kind}`)}</h2>
        {create}
      </div>
      <p className="soft">{t(`tokens.${kind}.says`)}</p>
      {data?.meta.total === 0 ? (
        <EmptyState title={t('tokens.empty')} action={create}>
          {t('tokens.empty.says')}
        </EmptyState>
      ) : (
        <Table
          caption={t(`tokens.${kind}`)}
          rows={data?.data}
          keyOf={({ id }) => id}
          columns={[
            {
              id: 'name',
              header: t('tokens.name'),
              cell: token => (
                <>
                  {token.name}
                  <br />
                  <code className="soft">{token.masked_token}</code>
                </>
              ),
            },
            { id: 'scopes', header: t('tokens.scopes'), cell: ({ scopes }) => <small>{scopes.join(', ')}</small> },
            {
              id: 'used',
              header: t('tokens.used'),
              cell: ({ last_used_at: at }) => (at ? <Moment at={at} /> : t('never')),
            },
            {
              id: 'expires',
              header: t('tokens.expires'),
              cell: ({ expires_at: at }) => (at ? <Moment at={at} /> : t('never')),
            },
            { id: 'state', header: t('tokens.state'), cell: token => t(`tokens.state.${token.problem ?? 'on'}`) },
            {
              id: 'actions',
              header: '',
              cell: token => <Actions label={t('tokens.actions', { name: token.name })} actions={actions(token)} />,
            },
          ]}
        />
      )}
      {data && <Pager meta={data.meta} onPage={setPage} />}
      {isCreating && (
        <Create
          kind={kind}
          onClose={() => setCreating(false)}
          onCreated={async plain => {
            setSecret(plain)
            void again()
          }}
        />
      )}
      {asked?.step === 'rotate' && (
        <Rotate
          name={asked.token.name}
          onClose={() => setAsked(null)}
          act={async hours => {
            const { plain_text_token: plain } = await kinds[kind].rotate(asked.token.id, hours)
            setSecret(plain)
            void again()
          }}
        />
      )}
      {asked?.step === 'revoke' && (
        <FormDialog
          title={t('tokens.delete.title', { name: asked.token.name })}
          says={t('tokens.delete.says')}
          submit={t('tokens.revoke')}
          isDanger
          onClose={() => setAsked(null)}
          act={async () => {
            await kinds[kind].revoke(asked.token.id)
            await again()
            toast.success(t('tokens.revoked'))
          }}
        />
      )}
      {secret && (
        <Shown
          title={t('tokens.created')}
          says={t('tokens.once')}
          label={t('tokens.masked')}
          secret={secret}
          onClose={() => setSecret('')}
        />
      )}
    </section>
  )
}

const lifetimes = ['never', '7', '30', '90', '365'] as const
const dayMs = 86_400_000

interface CreateProps {
  kind: Kind
  onClose(): void
  onCreated(plain: string): Promise<void>
}

function Create({ kind, onClose, onCreated }: CreateProps) {
  const { t } = useTranslation('settings')
  const scopes = useSuspenseQuery(scopesQuery).data.data
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const [lifetime, setLifetime] = useState<(typeof lifetimes)[number]>('90')
  const [ips, setIps] = useState('')
  return (
    <FormDialog
      title={t(kind === 'personal' ? 'tokens.new' : 'tokens.new.key')}
      submit={t('tokens.create')}
      onClose={onClose}
      act={async () => {
        const expires = lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * dayMs).toISOString()
        const lines = ips.split(/[\s,]+/).filter(line => line !== '')
        const created = await kinds[kind].create({
          name,
          scopes: chosen as Scope[],
          expires_at: expires,
          ...(lines.length > 0 && { allowed_ips: lines }),
        })
        await onCreated(created.plain_text_token)
      }}
    >
      {fields => (
        <>
          <TextField label={t('tokens.name')} name="name" isRequired autoFocus value={name} onChange={setName} />
          <ScopePicker
            label={t('tokens.scopes')}
            description={t('tokens.scopes.says')}
            scopes={scopes}
            chosen={chosen}
            onChange={setChosen}
            words={{ family: family => t(`family.${family}`), level: level => t(`level.${level}`) }}
            error={fields.scopes}
          />
          <SelectField
            label={t('tokens.expires')}
            name="expires_at"
            choices={lifetimes.map(id => ({
              id,
              label: id === 'never' ? t('tokens.expires.never') : t('tokens.expires.days', { count: Number(id) }),
            }))}
            value={lifetime}
            onChange={value => setLifetime(value)}
          />
          <TextField
            label={t('tokens.ips')}
            description={t('tokens.ips.says')}
            name="allowed_ips"
            rows={2}
            isCode
            value={ips}
            onChange={setIps}
          />
        </>
      )}
    </FormDialog>
  )
}

function Rotate({ name, onClose, act }: { name: string; onClose(): void; act(hours: number): Promise<void> }) {
  const { t } = useTranslation('settings')
  const [hours, setHours] = useState(24)
  return (
    <FormDialog
      title={t('tokens.rotate.title', { name })}
      says={t('tokens.rotate.says')}
      submit={t('tokens.rotate')}
      onClose={onClose}
      act={() => act(hours)}
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
