import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Actions } from '../access/actions.tsx'
import { Shown } from '../access/shown.tsx'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { SelectField, TextField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { NumberField } from '../parts/number-field.tsx'
import { Pager } from '../parts/pager.tsx'
import { Table } from '../parts/table.tsx'
import { refresh } from '../queries.ts'
import { useTokenColumns } from './columns.tsx'
import { type Family, families, type NewToken, scopesQuery, type Token, tokensQuery } from './families.ts'
import { Revoke } from './revoke.tsx'
import { ScopePicker } from './scope-picker.tsx'

interface TokensProps {
  family: Family
  /** Of several lists on a page, the first one has the main button. */
  isFirst?: boolean
  children?: ReactNode
}

/** The tokens of a family: list, create, disable, rotate, revoke. */
export function Tokens({ family, isFirst = false, children }: TokensProps) {
  const { t } = useTranslation('tokens')
  const { key, create, put, rotate, revoke } = families[family]
  const [page, setPage] = useState(1)
  const { data } = useQuery({ ...tokensQuery(family, page), placeholderData: keepPreviousData })
  const columns = useTokenColumns()
  const [isCreating, setCreating] = useState(false)
  const [secret, setSecret] = useState('')
  const [asked, setAsked] = useState<{ step: 'rotate' | 'revoke'; token: Token } | null>(null)
  const again = () => refresh(key)
  const show = ({ plain_text_token: plain }: { plain_text_token: string }) => {
    setSecret(plain)
    void again()
  }
  const actions = (token: Token) => [
    {
      id: 'put',
      label: t(token.is_active ? 'disable' : 'enable'),
      act: async () => {
        await put(token.id, !token.is_active)
        await again()
      },
    },
    { id: 'rotate', label: t('rotate'), act: () => setAsked({ step: 'rotate', token }) },
    { id: 'revoke', label: t('revoke'), act: () => setAsked({ step: 'revoke', token }), isDanger: true },
  ]
  const add = (
    <Button variant={isFirst ? 'primary' : 'plain'} icon="add" onPress={() => setCreating(true)}>
      {t(`family.${family}.new`)}
    </Button>
  )
  return (
    <section className="card">
      <div className="row spread">
        <h2>{t(`family.${family}`)}</h2>
        {add}
      </div>
      <p className="soft">{t(`family.${family}.says`)}</p>
      {children}
      {data?.meta.total === 0 ? (
        <EmptyState title={t(`family.${family}.empty`)} action={add}>
          {t(`family.${family}.empty.says`)}
        </EmptyState>
      ) : (
        <Table
          caption={t(`family.${family}`)}
          rows={data?.data}
          keyOf={({ id }) => id}
          columns={[
            ...columns,
            {
              id: 'actions',
              header: '',
              cell: token => <Actions label={t('actions', { name: token.name })} actions={actions(token)} />,
            },
          ]}
        />
      )}
      {data && <Pager meta={data.meta} onPage={setPage} />}
      {isCreating && (
        <Create
          family={family}
          onClose={() => setCreating(false)}
          act={async token => {
            show(await create(token))
          }}
        />
      )}
      {asked?.step === 'rotate' && (
        <Rotate
          name={asked.token.name}
          onClose={() => setAsked(null)}
          act={async hours => {
            show(await rotate(asked.token.id, hours))
          }}
        />
      )}
      {asked?.step === 'revoke' && (
        <Revoke
          name={asked.token.name}
          onClose={() => setAsked(null)}
          act={async () => {
            await revoke(asked.token.id)
            await again()
          }}
        />
      )}
      {secret && (
        <Shown
          title={t('created')}
          says={t('once')}
          label={t('masked')}
          secret={secret}
          onClose={() => setSecret('')}
        />
      )}
    </section>
  )
}

const dayMs = 86_400_000

interface CreateProps {
  family: Family
  onClose(): void
  act(token: NewToken): Promise<void>
}

function Create({ family, onClose, act }: CreateProps) {
  const { t } = useTranslation('tokens')
  const { lifetimes, hasAddresses, ...of } = families[family]
  const scopes = useSuspenseQuery(scopesQuery(family)).data.data
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const [lifetime, setLifetime] = useState<string>(of.lifetime)
  const [ips, setIps] = useState('')
  return (
    <FormDialog
      title={t(`family.${family}.new`)}
      submit={t('create')}
      onClose={onClose}
      act={() => {
        const expires = lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * dayMs).toISOString()
        const lines = ips.split(/[\s,]+/).filter(line => line !== '')
        return act({ name, scopes: chosen, expires_at: expires, ...(lines.length > 0 && { allowed_ips: lines }) })
      }}
    >
      {fields => (
        <>
          <TextField label={t('name')} name="name" isRequired autoFocus value={name} onChange={setName} />
          <ScopePicker
            label={t('scopes')}
            description={t('scopes.says')}
            scopes={scopes}
            chosen={chosen}
            onChange={setChosen}
            error={fields.scopes}
          />
          <SelectField
            label={t('expires')}
            name="expires_at"
            choices={lifetimes.map(id => ({
              id: id as string,
              label: id === 'never' ? t('never') : t('expires.days', { count: Number(id) }),
            }))}
            value={lifetime}
            onChange={setLifetime}
          />
          {hasAddresses && (
            <TextField
              label={t('ips')}
              description={t('ips.says')}
              name="allowed_ips"
              rows={2}
              isCode
              value={ips}
              onChange={setIps}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}

function Rotate({ name, onClose, act }: { name: string; onClose(): void; act(hours: number): Promise<void> }) {
  const { t } = useTranslation('tokens')
  const [hours, setHours] = useState(24)
  return (
    <FormDialog
      title={t('rotate.title', { name })}
      says={t('rotate.says')}
      submit={t('rotate')}
      onClose={onClose}
      act={() => act(hours)}
    >
      <NumberField
        label={t('rotate.hours')}
        name="grace_period_hours"
        minValue={1}
        maxValue={168}
        value={hours}
        onChange={setHours}
      />
    </FormDialog>
  )
}
