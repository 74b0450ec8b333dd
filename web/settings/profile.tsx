import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { CheckboxField, SelectField, TextField } from '../parts/field.tsx'
import { Form, FormActions, SubmitButton } from '../parts/form.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { queries, refresh } from '../queries.ts'
import { profileQuery } from '../shared-queries.ts'
import { changePreferences } from '../shell/preferences.ts'
import { personQuery, usePerson } from '../shell/session.ts'
import { languages, nameOfLanguage } from '../words.ts'
import { ContactMethods } from './contact-methods.tsx'

const zones = Intl.supportedValuesOf('timeZone').map(id => ({ id, label: id.replaceAll('_', ' ') }))

export function ProfilePage() {
  const { t } = useTranslation('settings')
  const profile = useSuspenseQuery(profileQuery).data.data
  return (
    <>
      <Own profile={profile} />
      <Display />
      {!profile.is_limited && <Email profile={profile} />}
      <ContactMethods />
      <section className="card">
        <h2>{t('profile.teams')}</h2>
        <Table
          caption={t('profile.teams')}
          rows={profile.teams}
          keyOf={team => team.tenant_id}
          columns={[
            { id: 'team', header: t('profile.team'), cell: ({ name }) => name },
            { id: 'role', header: t('profile.role'), cell: ({ role }) => t(`role.${role}`) },
            { id: 'joined', header: t('profile.joined'), cell: ({ joined_at: at }) => <Moment at={at} /> },
          ]}
        />
      </section>
    </>
  )
}

function Own({ profile }: { profile: Schemas['Profile'] }) {
  const { t } = useTranslation('settings')
  const { name, language, timezone, digest, monthly_report, handover_mails, is_limited: isLimited } = profile
  const [draft, setDraft] = useState({ name, language, timezone, digest, monthly_report, handover_mails })
  // a session that is limited to its team changes how the app is shown, and nothing else of the account
  const body = isLimited ? { language: draft.language, timezone: draft.timezone } : draft
  const put = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const knownZones = zones.some(({ id }) => id === timezone) ? zones : [{ id: timezone, label: timezone }, ...zones]
  const saving = useMutation({
    mutationFn: async () => {
      const saved = await bodyOf(api.PATCH('/api/v1/profile', { body }))
      queries.setQueryData(profileQuery.queryKey, saved)
      await refresh(personQuery.queryKey)
      toast.success(t('saved'))
    },
  })
  return (
    <section className="card">
      <h2>{t('nav.profile')}</h2>
      <Form mutation={saving} body={() => undefined} call={{ method: 'PATCH', path: '/profile', body: () => body }}>
        <TextField
          label={t('profile.name')}
          name="name"
          isRequired
          isDisabled={isLimited}
          autoComplete="name"
          value={draft.name}
          onChange={value => put({ name: value })}
        />
        <SelectField
          label={t('profile.language')}
          name="language"
          choices={languages.map(id => ({ id, label: nameOfLanguage(id) }))}
          value={draft.language as (typeof languages)[number]}
          onChange={value => put({ language: value })}
        />
        <SelectField
          label={t('profile.timezone')}
          description={t('profile.timezone.says')}
          name="timezone"
          choices={knownZones}
          value={draft.timezone}
          onChange={value => put({ timezone: value })}
        />
        {!isLimited && (
          <>
            <h3>{t('profile.mails')}</h3>
            <SelectField
              label={t('profile.digest')}
              name="digest"
              choices={(['off', 'daily', 'weekly'] as const).map(id => ({ id, label: t(`profile.digest.${id}`) }))}
              value={draft.digest}
              onChange={value => put({ digest: value })}
            />
            <CheckboxField
              label={t('profile.monthly')}
              name="monthly_report"
              isSelected={draft.monthly_report}
              onChange={value => put({ monthly_report: value })}
            />
            <CheckboxField
              label={t('profile.handover')}
              name="handover_mails"
              isSelected={draft.handover_mails}
              onChange={value => put({ handover_mails: value })}
            />
          </>
        )}
        <FormActions>
          <SubmitButton>{t('save')}</SubmitButton>
        </FormActions>
      </Form>
    </section>
  )
}

/** How the app looks: each choice is shown and kept at once. */
function Display() {
  const { t } = useTranslation('settings')
  const { preferences } = usePerson()
  const choose = (changes: Partial<typeof preferences>) => void changePreferences(changes).catch(toast.failure)
  return (
    <section className="card">
      <h2>{t('display.title')}</h2>
      <div className="form">
        <SelectField
          label={t('display.theme')}
          choices={(['system', 'light', 'dark'] as const).map(id => ({ id, label: t(`display.theme.${id}`) }))}
          value={preferences.theme}
          onChange={theme => choose({ theme })}
        />
        <SelectField
          label={t('display.density')}
          description={t('display.density.says')}
          choices={(['comfortable', 'compact'] as const).map(id => ({ id, label: t(`display.density.${id}`) }))}
          value={preferences.density}
          onChange={density => choose({ density })}
        />
      </div>
    </section>
  )
}

function Email({ profile }: { profile: Schemas['Profile'] }) {
  const { t } = useTranslation('settings')
  const [isChanging, setChanging] = useState(false)
  return (
    <section className="card">
      <h2>{t('profile.email')}</h2>
      <p>
        <strong>{profile.email}</strong>
      </p>
      {profile.email_verified_at === null && <p>{t('profile.email.unverified')}</p>}
      <div className="row">
        <Button onPress={() => setChanging(true)}>{t('profile.email.change')}</Button>
        {profile.email_verified_at === null && (
          <Button
            onPress={async () => {
              await bodyOf(api.POST('/api/v1/profile/email/verify-request'))
              toast.success(t('profile.email.again.done'))
            }}
          >
            {t('profile.email.again')}
          </Button>
        )}
      </div>
      {isChanging && <ChangeEmail hasFactor={profile.mfa_enabled} onClose={() => setChanging(false)} />}
    </section>
  )
}

function ChangeEmail({ hasFactor, onClose }: { hasFactor: boolean; onClose(): void }) {
  const { t } = useTranslation('settings')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  return (
    <FormDialog
      title={t('profile.email.change')}
      says={t('profile.email.says')}
      submit={t('profile.email.change')}
      onClose={onClose}
      act={async () => {
        const body = { email, password, ...(code && { otp_code: code }) }
        await bodyOf(api.POST('/api/v1/profile/email', { body }))
        toast.success(t('profile.email.sent', { email }))
      }}
    >
      <TextField
        label={t('profile.email.new')}
        name="email"
        type="email"
        isRequired
        autoFocus
        value={email}
        onChange={setEmail}
      />
      <TextField
        label={t('password')}
        name="password"
        type="password"
        autoComplete="current-password"
        isRequired
        value={password}
        onChange={setPassword}
      />
      {hasFactor && (
        <TextField
          label={t('code')}
          name="otp_code"
          autoComplete="one-time-code"
          isRequired
          value={code}
          onChange={setCode}
        />
      )}
    </FormDialog>
  )
}
