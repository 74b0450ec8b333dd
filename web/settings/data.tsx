import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { download } from '../access/download.ts'
import { OwnSession } from '../access/own-session.tsx'
import { api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { profileQuery } from '../shared-queries.ts'
import { usePerson } from '../shell/session.ts'

/** What is kept of the person, and how they go: from the team, or for good. */
export const Data = () => (
  <OwnSession>
    <OwnData />
  </OwnSession>
)

function OwnData() {
  const { t } = useTranslation('settings')
  const profile = useSuspenseQuery(profileQuery).data.data
  const { tenant_id: ownTeam } = usePerson()
  const [step, setStep] = useState<'leave' | 'erase' | null>(null)
  const [isExporting, setExporting] = useState(false)
  const team = profile.teams.find(({ tenant_id: id }) => id === ownTeam)
  const exportAll = async () => {
    setExporting(true)
    try {
      const { data } = await bodyOf(api.GET('/api/v1/profile/export'))
      download('vedette-export.json', 'application/json', JSON.stringify(data, null, 2))
    } finally {
      setExporting(false)
    }
  }
  return (
    <>
      <section className="card">
        <h2>{t('data.export')}</h2>
        <p className="soft">{t('data.export.says')}</p>
        <Button icon="download" isPending={isExporting} onPress={exportAll}>
          {t('data.export.start')}
        </Button>
      </section>
      {team && (
        <section className="card">
          <h2>{t('data.leave')}</h2>
          <p className="soft">{t('data.leave.says', { team: team.name })}</p>
          <Button variant="danger" onPress={() => setStep('leave')}>
            {t('data.leave')}
          </Button>
        </section>
      )}
      <section className="card">
        <h2>{t('data.erase')}</h2>
        <p className="soft">{t('data.erase.says')}</p>
        <Button variant="danger" onPress={() => setStep('erase')}>
          {t('data.erase')}
        </Button>
      </section>
      {step === 'leave' && team && (
        <FormDialog
          title={t('data.leave.title', { team: team.name })}
          submit={t('data.leave')}
          typed={team.name}
          isDanger
          onClose={() => setStep(null)}
          act={async () => {
            const path = { tenant_id: team.tenant_id }
            await bodyOf(api.DELETE('/api/v1/profile/teams/{tenant_id}', { params: { path } }))
            location.assign('/login')
          }}
        />
      )}
      {step === 'erase' && <Erase profile={profile} onClose={() => setStep(null)} />}
    </>
  )
}

function Erase({ profile, onClose }: { profile: Schemas['Profile']; onClose(): void }) {
  const { t } = useTranslation('settings')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  return (
    <FormDialog
      title={t('data.erase.title')}
      says={t('data.erase.says')}
      submit={t('data.erase')}
      typed={profile.email}
      isDanger
      onClose={onClose}
      act={async () => {
        await bodyOf(api.DELETE('/api/v1/profile', { body: { password, ...(code && { otp_code: code }) } }))
        location.assign('/login')
      }}
    >
      <TextField
        label={t('password')}
        name="password"
        type="password"
        autoComplete="current-password"
        isRequired
        value={password}
        onChange={setPassword}
      />
      {profile.mfa_enabled && (
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
