import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Form, Label, Radio, RadioGroup } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { ApiError, api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { usePerson } from '../shell/session.ts'

const kinds = ['email', 'slack', 'microsoft_teams', 'webhook'] as const
type Kind = (typeof kinds)[number]

function channelOf(kind: Kind, place: string, name: string): Schemas['NewNotificationChannel'] {
  if (kind === 'email') return { name, type: kind, config: { recipients: [place] } }
  if (kind === 'webhook') return { name, type: kind, config: { url: place } }
  return { name, type: kind, config: { webhook_url: place } }
}

/** Names a channel, makes it, and sends a message through it. The answer is shown as it came. */
export function Tell({ onNext }: { onNext(): void }) {
  const { t } = useTranslation('welcome')
  const person = usePerson()
  const [kind, setKind] = useState<Kind>('email')
  const [place, setPlace] = useState(person.email)
  const send = useMutation({
    mutationFn: async () => {
      const body = channelOf(kind, place, t(`kind.${kind}`))
      const { data: channel } = await bodyOf(api.POST('/api/v1/notification-channels', { body }))
      const path = { notification_channel: channel.id }
      const { data } = await bodyOf(
        api.POST('/api/v1/notification-channels/{notification_channel}/test', { params: { path }, body: {} }),
      )
      return data
    },
  })
  const refusal = send.error instanceof ApiError ? send.error : null
  const wrong = Object.values(refusal?.fields ?? {})[0]
  const choose = (chosen: string) => {
    const known = kinds.find(each => each === chosen) ?? 'email'
    setKind(known)
    setPlace(known === 'email' ? person.email : '')
    send.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send.mutate()
  }
  return (
    <>
      <h1>{t('tell.title')}</h1>
      <p>{t('tell.says')}</p>
      <Form className="welcome-form" onSubmit={submit} validationErrors={wrong === undefined ? {} : { place: wrong }}>
        <RadioGroup className="welcome-kinds" value={kind} onChange={choose}>
          <Label>{t('tell.kind')}</Label>
          {kinds.map(each => (
            <Radio key={each} value={each}>
              {t(`kind.${each}`)}
            </Radio>
          ))}
        </RadioGroup>
        <TextField
          label={t(`place.${kind}`)}
          name="place"
          value={place}
          onChange={setPlace}
          type={kind === 'email' ? 'email' : 'url'}
          isRequired
        />
        {send.error && wrong === undefined && <p role="alert">{send.error.message}</p>}
        {send.data && (
          <p role="status" className={send.data.success ? 'is-up' : 'is-down'}>
            {send.data.success
              ? t('tell.sent', { ms: send.data.duration_ms })
              : t('tell.failed', { why: send.data.response ?? send.data.error ?? '' })}
          </p>
        )}
        <div className="welcome-actions">
          {!send.data && (
            <Button type="submit" variant="primary" isPending={send.isPending}>
              {t('tell.send')}
            </Button>
          )}
          <Button variant={send.data ? 'primary' : 'plain'} onPress={onNext}>
            {send.data ? t('next') : t('skip')}
          </Button>
        </div>
      </Form>
    </>
  )
}
