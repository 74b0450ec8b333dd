import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Form, Label, Radio, RadioGroup } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { readAlertsAgain } from '../alerts/queries.ts'
import { outcomeOf } from '../alerts/tested.tsx'
import { ApiError, api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Failure } from '../parts/failure.tsx'
import { SwitchField, TextField } from '../parts/field.tsx'
import { usePerson } from '../shell/session.ts'

const kinds = ['email', 'slack', 'microsoft_teams', 'webhook'] as const
type Kind = (typeof kinds)[number]

function channelOf(kind: Kind, place: string, name: string): Schemas['NewNotificationChannel'] {
  if (kind === 'email') return { name, type: kind, config: { recipients: [place] } }
  if (kind === 'webhook') return { name, type: kind, config: { url: place } }
  return { name, type: kind, config: { webhook_url: place } }
}

/**
 * Names a channel, makes it with its rule, and sends a message through it. The answer is shown as it came. After one
 * that failed the next attempt takes the place of the channel.
 */
export function Notify({ onNext }: { onNext(): void }) {
  const { t } = useTranslation('welcome')
  const person = usePerson()
  const [kind, setKind] = useState<Kind>('email')
  const [place, setPlace] = useState(person.email)
  const [notifiesAll, setNotifiesAll] = useState(true)
  const [made, setMade] = useState<string | null>(null)
  const send = useMutation({
    mutationFn: async () => {
      if (made !== null) {
        const path = { notification_channel: made }
        await bodyOf(api.DELETE('/api/v1/notification-channels/{notification_channel}', { params: { path } }))
        setMade(null)
      }
      const body = { ...channelOf(kind, place, t(`kind.${kind}`)), notify_all: notifiesAll }
      const { data: channel } = await bodyOf(api.POST('/api/v1/notification-channels', { body }))
      setMade(channel.id)
      await readAlertsAgain()
      const path = { notification_channel: channel.id }
      const { data } = await bodyOf(
        api.POST('/api/v1/notification-channels/{notification_channel}/test', { params: { path }, body: {} }),
      )
      return data
    },
  })
  const isMade = send.data?.success === true
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
      <h1>{t('notify.title')}</h1>
      <p>{t('notify.says')}</p>
      <Form className="welcome-form" onSubmit={submit} validationErrors={wrong === undefined ? {} : { place: wrong }}>
        <RadioGroup className="welcome-kinds" value={kind} onChange={choose}>
          <Label>{t('notify.kind')}</Label>
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
        {send.error && wrong === undefined && <Failure error={send.error} />}
        <SwitchField label={t('notify.all')} isSelected={notifiesAll} onChange={setNotifiesAll} isDisabled={isMade} />
        {send.data && (
          <p role="status" className={outcomeOf(send.data) === 'good' ? 'is-up' : 'is-down'}>
            {t(`notify.${outcomeOf(send.data)}`, {
              ms: send.data.duration_ms,
              why: send.data.response ?? send.data.error ?? '',
            })}{' '}
            {isMade && t(notifiesAll ? 'notify.all.on' : 'notify.all.off')}
          </p>
        )}
        {send.data?.is_kept && person.isOperator && <CaughtMail to={place} />}
        <div className="welcome-actions">
          {!isMade && (
            <Button type="submit" variant="primary" isPending={send.isPending}>
              {t('notify.send')}
            </Button>
          )}
          <Button variant={isMade ? 'primary' : 'plain'} onPress={onNext}>
            {send.data ? t('next') : t('skip')}
          </Button>
        </div>
      </Form>
    </>
  )
}

/** How often, and for how long, the mail sink is read for a message that was just sent. */
const sinkMs = 1_000
const mostReads = 10

/** The test message where no mail server is set: mail is kept for the operator, who is here. Else nothing is shown. */
function CaughtMail({ to }: { to: string }) {
  const { t } = useTranslation('welcome')
  const { data: mail } = useQuery({
    queryKey: ['welcome', 'mail', to],
    queryFn: async ({ signal }) => {
      const { data } = await bodyOf(api.GET('/api/v1/caught-mails', { signal }))
      const caught = data.find(({ recipients }) => recipients.includes(to))
      if (!caught) return null
      const path = { caught_mail: caught.id }
      return (await bodyOf(api.GET('/api/v1/caught-mails/{caught_mail}', { params: { path }, signal }))).data
    },
    retry: false,
    refetchInterval: ({ state }) => (!state.data && !state.error && state.dataUpdateCount < mostReads ? sinkMs : false),
  })
  if (!mail) return null
  return (
    <section aria-label={t('notify.mail')}>
      <p>{t('notify.caught')}</p>
      <p>
        <strong>{mail.subject}</strong>
      </p>
      <pre>{mail.text}</pre>
    </section>
  )
}
