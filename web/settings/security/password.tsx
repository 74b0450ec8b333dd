import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Moment } from '../../parts/time.tsx'
import { toast } from '../../parts/toast.tsx'
import { refresh } from '../../queries.ts'

export function Password({ profile }: { profile: Schemas['Profile'] }) {
  const { t } = useTranslation('settings')
  const [isChanging, setChanging] = useState(false)
  const has = profile.auth_methods.includes('password')
  return (
    <section className="card">
      <h2>{t('password.title')}</h2>
      {has ? (
        <>
          <p className="soft">{t('password.says')}</p>
          {profile.password_changed_at && (
            <p>
              {t('password.changed_at')} <Moment at={profile.password_changed_at} />
            </p>
          )}
          <Button onPress={() => setChanging(true)}>{t('password.change')}</Button>
        </>
      ) : (
        <p>{t('password.none')}</p>
      )}
      {isChanging && <ChangePassword onClose={() => setChanging(false)} />}
    </section>
  )
}

function ChangePassword({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('settings')
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  return (
    <FormDialog
      title={t('password.change')}
      says={t('password.says')}
      submit={t('password.change')}
      onClose={onClose}
      act={async () => {
        await bodyOf(api.POST('/api/v1/profile/password', { body: { current_password: current, password: next } }))
        await refresh(['profile'])
        toast.success(t('password.done'))
      }}
    >
      <TextField
        label={t('password.current')}
        name="current_password"
        type="password"
        autoComplete="current-password"
        isRequired
        autoFocus
        value={current}
        onChange={setCurrent}
      />
      <TextField
        label={t('password.new')}
        description={t('password.new.says')}
        name="password"
        type="password"
        autoComplete="new-password"
        isRequired
        value={next}
        onChange={setNext}
      />
    </FormDialog>
  )
}
