import { browserSupportsWebAuthn, startAuthentication } from '@simplewebauthn/browser'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, goToSignIn } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { toast } from '../parts/toast.tsx'
import { usePerson } from '../shell/session.ts'
import { settleStepUp } from '../shell/step-up.ts'

/** Asks who is there before something dangerous: password, with the code of a second factor, or a passkey. */
export function StepUpDialog() {
  const { t } = useTranslation('access')
  const { authMethods } = usePerson()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const hasPassword = authMethods.includes('password')
  const cancel = () => settleStepUp(false)
  const confirm = async () => {
    if (!hasPassword) return goToSignIn()
    await bodyOf(api.POST('/api/v1/auth/step-up', { body: { password, ...(code && { otp_code: code }) } }))
    settleStepUp(true)
    return 'stay'
  }
  return (
    <FormDialog
      title={t('step-up.title')}
      says={t('step-up.says')}
      submit={t(hasPassword ? 'step-up.confirm' : 'step-up.sign-in.link')}
      onClose={cancel}
      act={confirm}
    >
      {authMethods.includes('passkey') && browserSupportsWebAuthn() && <ByPasskey />}
      {hasPassword ? (
        <>
          <TextField
            label={t('step-up.password')}
            name="password"
            type="password"
            autoComplete="current-password"
            isRequired
            autoFocus
            value={password}
            onChange={setPassword}
          />
          {authMethods.includes('totp') && (
            <TextField
              label={t('step-up.code')}
              name="otp_code"
              autoComplete="one-time-code"
              isRequired
              value={code}
              onChange={setCode}
            />
          )}
        </>
      ) : (
        <p>{t('step-up.sign-in')}</p>
      )}
    </FormDialog>
  )
}

function ByPasskey() {
  const { t } = useTranslation('access')
  const use = async () => {
    try {
      const { data } = await bodyOf(api.POST('/api/v1/auth/passkeys/options'))
      const passkey = await startAuthentication({ optionsJSON: data })
      await bodyOf(api.POST('/api/v1/auth/step-up', { body: { passkey: passkey as never } }))
      settleStepUp(true)
    } catch {
      toast.failure(t('step-up.passkey.failed'))
    }
  }
  return (
    <Button icon="lock" onPress={use}>
      {t('step-up.passkey')}
    </Button>
  )
}
