import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dayText, number } from '../../../contract/figures.ts'
import { download } from '../../access/download.ts'
import { Button } from '../../parts/button.tsx'
import { SelectField } from '../../parts/field.tsx'
import { statsQuery, summaryQuery, usageQuery } from '../queries.ts'

const months = 12

/** The last months, such as `2026-11`, the present one first. */
function lastMonths(now: Date): string[] {
  return Array.from({ length: months }, (_, index) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - index, 1)).toISOString().slice(0, 7),
  )
}

/** What the monitors of a team are: the figures add up to all of them. */
const statuses = ['up', 'warning', 'down', 'maintenance', 'paused', 'pending'] as const
const isAlwaysShown = (status: string) => status === 'up' || status === 'down'

export function Summary({ id }: { id: string }) {
  const { t } = useTranslation('console')
  const summary = useSuspenseQuery(summaryQuery(id)).data.data
  const { monitors } = useSuspenseQuery(statsQuery(id)).data.data
  const figures = [
    ['teams.monitors', monitors.total],
    ...statuses
      .filter(status => isAlwaysShown(status) || monitors[status] > 0)
      .map(status => [`team.monitors.${status}`, monitors[status]] as const),
    ['team.incidents', summary.active_incidents],
    ['team.channels', summary.notification_channels_count],
    ['team.pages', summary.status_pages_count],
    ['overview.members', summary.members_count],
  ] as const
  return (
    <>
      <p className="soft">{t('team.step-in.says')}</p>
      <section className="card">
        <dl className="figures">
          {figures.map(([word, value]) => (
            <div key={word}>
              <dt>{t(word)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
      <Usage id={id} />
    </>
  )
}

function Usage({ id }: { id: string }) {
  const { t, i18n } = useTranslation('console')
  const [periods] = useState(() => lastMonths(new Date()))
  const [period, setPeriod] = useState(periods[0] ?? '')
  const { data } = useQuery({ ...usageQuery(id, period), placeholderData: keepPreviousData })
  const usage = data?.data
  const nameOf = (month: string) => dayText(month, i18n.language, 'month')
  const figures = usage && [
    ['team.usage.checks', usage.checks_count],
    ['team.usage.requests', usage.api_requests_count],
    ['team.usage.notifications', usage.notifications_sent_count],
    ['team.usage.webhooks', usage.webhook_deliveries_count],
  ]
  const csv = () => {
    if (!usage) return
    const rows = Object.entries(usage)
    const lines = [rows.map(([name]) => name), rows.map(([, value]) => value)].map(row => row.join(','))
    download(`usage-${period}.csv`, 'text/csv', `${lines.join('\r\n')}\r\n`)
  }
  return (
    <section className="card">
      <div className="row spread">
        <h2>{t('team.usage')}</h2>
        <Button icon="download" onPress={csv} isDisabled={!usage}>
          {t('team.usage.csv')}
        </Button>
      </div>
      <SelectField
        label={t('team.month')}
        choices={periods.map(month => ({ id: month, label: nameOf(month) }))}
        value={period}
        onChange={setPeriod}
      />
      <dl className="figures">
        {figures?.map(([word, value]) => (
          <div key={word}>
            <dt>{t(String(word))}</dt>
            <dd>{number(Number(value), i18n.language)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
