import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SelectField, TextField } from '../parts/field.tsx'
import { Form, FormActions, SubmitButton } from '../parts/form.tsx'
import { toast } from '../parts/toast.tsx'
import { changePage, pageQuery } from './queries.ts'

const modes = ['public', 'password', 'email_domain', 'ip', 'sso'] as const
const itemsOf = (text: string) => text.split(/[\s,]+/).filter(item => item !== '')

/** Who may see the page once it is published. */
export function Access() {
  const { t } = useTranslation('status-pages')
  const { page: id } = useParams({ from: '/app/app/status-pages/$page/access' })
  const { data: page } = useSuspenseQuery(pageQuery(id))
  const [mode, setMode] = useState(page.access)
  const [password, setPassword] = useState('')
  const [domains, setDomains] = useState(page.allowed_email_domains.join('\n'))
  const [addresses, setAddresses] = useState(page.allowed_ips.join('\n'))
  const saving = useMutation({
    mutationFn: () =>
      changePage(id, {
        access: mode,
        ...(mode === 'password' && password !== '' && { password }),
        ...(mode === 'email_domain' && { allowed_email_domains: itemsOf(domains) }),
        ...(mode === 'ip' && { allowed_ips: itemsOf(addresses) }),
      }),
    onSuccess: () => {
      setPassword('')
      toast.success(t('saved'))
    },
  })
  return (
    <section className="card">
      <h2>{t('tab.access')}</h2>
      <Form mutation={saving} body={() => undefined}>
        <SelectField
          label={t('access.mode')}
          name="access"
          choices={modes.map(each => ({ id: each, label: t(`access.${each}`), description: t(`access.${each}.says`) }))}
          value={mode}
          onChange={chosen => setMode(chosen)}
        />
        {mode === 'password' && (
          <TextField
            label={t('access.password')}
            description={page.has_password ? t('access.password.kept') : undefined}
            name="password"
            type="password"
            autoComplete="new-password"
            value={password}
            onChange={setPassword}
          />
        )}
        {mode === 'email_domain' && (
          <TextField
            label={t('access.domains')}
            description={t('access.lines')}
            name="allowed_email_domains"
            rows={4}
            isCode
            value={domains}
            onChange={setDomains}
          />
        )}
        {mode === 'ip' && (
          <TextField
            label={t('access.ips')}
            description={t('access.lines')}
            name="allowed_ips"
            rows={4}
            isCode
            value={addresses}
            onChange={setAddresses}
          />
        )}
        {mode === 'sso' && <p className="soft">{t('access.sso.needs')}</p>}
        <FormActions>
          <SubmitButton>{t('save')}</SubmitButton>
        </FormActions>
      </Form>
    </section>
  )
}
