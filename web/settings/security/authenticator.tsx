import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { download } from '../../access/download.ts'
import { Shown } from '../../access/shown.tsx'
import { api, bodyOf } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Moment } from '../../parts/time.tsx'
import { toast } from '../../parts/toast.tsx'
import { refresh } from '../../queries.ts'
import './security.css'

const Qr = lazy(async () => ({ default: (await import('./qr.tsx')).Qr }))

interface Factor {
  mfa_enabled: boolean
  enabled_at: string | null
  recovery_codes_left: number
}

type Step =
  | { name: 'start' | 'renew' | 'stop' }
  | { name: 'scan'; secret: string; url: string }
  | { name: 'codes'; codes: string[] }

const again = () => Promise.all([refresh(['profile']), refresh(['person'])])

/** The second factor of an authenticator app: its secret, its first code, its recovery codes. */
export function Authenticator({ factor }: { factor: Factor }) {
  const { t } = useTranslation('settings')
  const [step, setStep] = useState<Step | null>(null)
  return (
    <section className="card">
      <h2>{t('totp.title')}</h2>
      {factor.mfa_enabled ? (
        <>
          <p>
            {t('totp.on')} {factor.enabled_at && <Moment at={factor.enabled_at} />}
          </p>
          <p className={factor.recovery_codes_left < 3 ? '' : 'soft'}>
            {t('totp.codes', { count: factor.recovery_codes_left })}
          </p>
          <div className="row">
            <Button onPress={() => setStep({ name: 'renew' })}>{t('totp.renew')}</Button>
            <Button variant="danger" onPress={() => setStep({ name: 'stop' })}>
              {t('totp.stop')}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p>{t('totp.off')}</p>
          <Button variant="primary" onPress={() => setStep({ name: 'start' })}>
            {t('totp.start')}
          </Button>
        </>
      )}
      {step?.name === 'start' && <Start onClose={() => setStep(null)} onNext={setStep} />}
      {step?.name === 'scan' && <Scan {...step} onClose={() => setStep(null)} onNext={setStep} />}
      {(step?.name === 'renew' || step?.name === 'stop') && (
        <Proven step={step.name} onClose={() => setStep(null)} onNext={setStep} />
      )}
      {step?.name === 'codes' && <Codes codes={step.codes} onClose={() => setStep(null)} />}
    </section>
  )
}

interface StepProps {
  onClose(): void
  onNext(step: Step): void
}

function Start({ onClose, onNext }: StepProps) {
  const { t } = useTranslation('settings')
  const [password, setPassword] = useState('')
  return (
    <FormDialog
      title={t('totp.start.title')}
      submit={t('totp.next')}
      onClose={onClose}
      act={async () => {
        const { data } = await bodyOf(api.POST('/api/v1/profile/mfa', { body: { password } }))
        onNext({ name: 'scan', secret: data.secret, url: data.otpauth_url })
        return 'stay'
      }}
    >
      <TextField
        label={t('password')}
        name="password"
        type="password"
        autoComplete="current-password"
        isRequired
        autoFocus
        value={password}
        onChange={setPassword}
      />
    </FormDialog>
  )
}

function Scan({ secret, url, onClose, onNext }: StepProps & { secret: string; url: string }) {
  const { t } = useTranslation('settings')
  const [code, setCode] = useState('')
  return (
    <FormDialog
      title={t('totp.start.title')}
      says={t('totp.scan')}
      submit={t('totp.confirm')}
      onClose={onClose}
      act={async () => {
        const { data } = await bodyOf(api.POST('/api/v1/profile/mfa/confirm', { body: { code } }))
        await again()
        onNext({ name: 'codes', codes: data.recovery_codes })
        return 'stay'
      }}
    >
      <Suspense fallback={<div className="qr" />}>
        <Qr text={url} label={t('totp.scan.label')} />
      </Suspense>
      <p>
        {t('totp.secret')}: <code>{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <TextField
        label={t('totp.digits')}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        isRequired
        autoFocus
        value={code}
        onChange={setCode}
      />
    </FormDialog>
  )
}

/** What needs password and code: new recovery codes, or no factor any more. */
function Proven({ step, onClose, onNext }: StepProps & { step: 'renew' | 'stop' }) {
  const { t } = useTranslation('settings')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const body = { password, otp_code: code }
  const renew = async () => {
    const { data } = await bodyOf(api.POST('/api/v1/profile/mfa/recovery-codes', { body }))
    await again()
    onNext({ name: 'codes', codes: data.recovery_codes })
    return 'stay' as const
  }
  const stop = async () => {
    await bodyOf(api.DELETE('/api/v1/profile/mfa', { body }))
    await again()
    toast.success(t('totp.stopped'))
  }
  return (
    <FormDialog
      title={t(step === 'renew' ? 'totp.renew' : 'totp.stop.title')}
      says={step === 'renew' ? t('totp.renew.says') : undefined}
      submit={t(`totp.${step}`)}
      isDanger={step === 'stop'}
      onClose={onClose}
      act={step === 'renew' ? renew : stop}
    >
      <TextField
        label={t('password')}
        name="password"
        type="password"
        autoComplete="current-password"
        isRequired
        autoFocus
        value={password}
        onChange={setPassword}
      />
      <TextField
        label={t('code')}
        name="otp_code"
        autoComplete="one-time-code"
        isRequired
        value={code}
        onChange={setCode}
      />
    </FormDialog>
  )
}

function Codes({ codes, onClose }: { codes: string[]; onClose(): void }) {
  const { t } = useTranslation('settings')
  const text = codes.join('\n')
  return (
    <Shown
      title={t('totp.done')}
      says={t('totp.codes.says')}
      label={t('totp.codes.label')}
      secret={text}
      onClose={onClose}
    >
      <Button icon="download" onPress={() => download('recovery-codes.txt', 'text/plain', text)}>
        {t('totp.codes.download')}
      </Button>
    </Shown>
  )
}
