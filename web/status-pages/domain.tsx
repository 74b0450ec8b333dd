import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Actions } from '../access/actions.tsx'
import { api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { CopyText } from '../parts/copy-button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { TextField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Pill } from '../parts/status-pill.tsx'
import { Moment } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { domainsQuery, readPagesAgain } from './queries.ts'

type CustomDomain = Schemas['CustomDomain']
const served: readonly CustomDomain['state'][] = ['verified', 'issuing', 'active']

/** The hostnames at which the page is served: what to enter in DNS, and what was found there. */
export function Domain() {
  const { t } = useTranslation('status-pages')
  const { page } = useParams({ from: '/app/app/status-pages/$page/domain' })
  const { data } = useQuery(domainsQuery)
  const [isNew, setNew] = useState(false)
  const own = data?.data.filter(({ target_id }) => target_id === page)
  const add = (
    <Button variant="primary" icon="add" onPress={() => setNew(true)}>
      {t('domain.add')}
    </Button>
  )
  return (
    <>
      {own?.length === 0 ? (
        <EmptyState title={t('domain.empty')} icon="globe" action={add}>
          {t('domain.empty.says')}
        </EmptyState>
      ) : (
        <div className="row">{own && add}</div>
      )}
      {own?.map(domain => (
        <DomainCard key={domain.id} domain={domain} />
      ))}
      {isNew && <AddDomain page={page} onClose={() => setNew(false)} />}
    </>
  )
}

function DomainCard({ domain }: { domain: CustomDomain }) {
  const { t } = useTranslation('status-pages')
  const [isDeleting, setDeleting] = useState(false)
  const { hostname, state, dns, last_error: error, last_checked_at: checked } = domain
  const params = { path: { custom_domain: domain.id } }
  const verify = async () => {
    await bodyOf(api.POST('/api/v1/custom-domains/{custom_domain}/verify', { params }))
    await readPagesAgain()
    toast.success(t('domain.verified'))
  }
  const records = [
    { id: 'cname', type: 'CNAME', name: hostname, value: dns.cname },
    { id: 'txt', type: 'TXT', name: dns.txt_name, value: dns.txt_value },
  ]
  return (
    <section className="card">
      <div className="row spread">
        <div className="row">
          <h2>{hostname}</h2>
          <Pill tone={served.includes(state) ? 'up' : state === 'failed' ? 'down' : 'pending'}>
            {t(`domain.state.${state}`)}
          </Pill>
        </div>
        <Actions
          label={t('actions', { name: hostname })}
          actions={[
            { id: 'verify', label: t('domain.verify'), act: verify },
            { id: 'delete', label: t('delete'), act: () => setDeleting(true), isDanger: true },
          ]}
        />
      </div>
      {error && <p className="down">{t(`domain.error.${error}`)}</p>}
      <p>{t('domain.enter')}</p>
      <dl>
        {records.map(({ id, type, name, value }) => (
          <div key={id}>
            <dt>
              {type} <code>{name}</code>
            </dt>
            <dd>
              <CopyText text={value} label={type} />
            </dd>
          </div>
        ))}
      </dl>
      {checked && (
        <p className="soft">
          {t('domain.checked')} <Moment at={checked} />
        </p>
      )}
      {isDeleting && (
        <FormDialog
          title={t('domain.delete', { name: hostname })}
          says={t('domain.delete.says')}
          submit={t('delete')}
          isDanger
          onClose={() => setDeleting(false)}
          act={async () => {
            await bodyOf(api.DELETE('/api/v1/custom-domains/{custom_domain}', { params }))
            await readPagesAgain()
          }}
        />
      )}
    </section>
  )
}

function AddDomain({ page, onClose }: { page: string; onClose(): void }) {
  const { t } = useTranslation('status-pages')
  const [hostname, setHostname] = useState('')
  return (
    <FormDialog
      title={t('domain.add')}
      submit={t('domain.add')}
      onClose={onClose}
      act={async () => {
        const body = { hostname, purpose: 'status_page', target_id: page } as const
        await bodyOf(api.POST('/api/v1/custom-domains', { body }))
        await readPagesAgain()
      }}
    >
      <TextField
        label={t('domain.hostname')}
        name="hostname"
        isRequired
        autoFocus
        isCode
        placeholder="status.example.com"
        value={hostname}
        onChange={setHostname}
      />
    </FormDialog>
  )
}
