import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Failure } from '../parts/failure.tsx'
import { Icon } from '../parts/icons.tsx'
import { toast } from '../parts/toast.tsx'
import { useMay } from '../shell/may.ts'
import { usePerson } from '../shell/session.ts'
import { gapsQuery, type NotificationGaps, readAlertsAgain } from './queries.ts'
import './alerts.css'

/** How many monitors are named, and how many channels are offered. */
const most = { named: 3, offered: 3 }

/** Says whose incidents notify nobody, with buttons that mend it. Nothing where there is no such monitor. */
export function GapNotice({ monitor = null }: { monitor?: string | null }) {
  const { t, i18n } = useTranslation('alerts')
  const { data: gaps } = useQuery(gapsQuery(monitor))
  if (!gaps || gaps.cause === null) return null
  const { cause, monitors, monitors_count: count, open_incidents_count: open } = gaps
  const rest = count - Math.min(count, most.named)
  const names = new Intl.ListFormat(i18n.language).format([
    ...monitors.slice(0, most.named).map(({ name }) => name),
    ...(rest > 0 ? [t('gap.more', { count: rest })] : []),
  ])
  return (
    <section className="card gap-notice" role="alert">
      <Icon name="alert" />
      <div>
        <p>
          <strong>{monitor === null ? t('gap.title', { count, names }) : t('gap.this')}</strong>
        </p>
        <p>
          {t(`gap.${cause}`)} {open > 0 && monitor === null && t('gap.open', { count: open })}
        </p>
        <Mend channels={gaps.channels} />
      </div>
    </section>
  )
}

/** One button for each usable channel, else for the person's own address. */
function Mend({ channels }: Pick<NotificationGaps, 'channels'>) {
  const { t } = useTranslation('alerts')
  const { role, email } = usePerson()
  const { isActing } = useMay()
  const mend = useMutation({
    mutationFn: async (channel: NotificationGaps['channels'][number] | null) => {
      if (channel === null) {
        const body = { name: t('kind.email'), type: 'email' as const, config: { recipients: [email] } }
        await bodyOf(api.POST('/api/v1/notification-channels', { body }))
      } else {
        const body = { channel_id: channel.id, event_types: [...allIncidents] }
        await bodyOf(api.POST('/api/v1/notification-rules', { body }))
      }
      await readAlertsAgain()
      return channel?.name ?? email
    },
    onSuccess: name => toast.success(t('gap.mended', { name })),
  })
  if (role === 'viewer') return <p>{t('gap.viewer')}</p>
  const usable = channels.slice(0, most.offered)
  const offered = usable.length > 0 || isActing ? usable : [null]
  return (
    <>
      <Failure error={mend.error} />
      <div className="row">
        {offered.map(channel => (
          <Button
            key={channel?.id ?? ''}
            variant="primary"
            isPending={mend.isPending && mend.variables?.id === channel?.id}
            isDisabled={mend.isPending}
            onPress={() => mend.mutate(channel)}
          >
            {t('gap.mend', { name: channel?.name ?? email })}
          </Button>
        ))}
        <Link to="/app/alerts">{t('gap.channels')}</Link>
      </div>
    </>
  )
}

const allIncidents = ['incident.created', 'incident.resolved'] as const
