import { sql } from 'kysely'
import { affected, rows } from '#control-plane/db/queries.ts'
import { leaveLinks } from '#control-plane/identity/digest/link.ts'
import { monthAt } from '#control-plane/identity/digest/month.ts'
import { nextMorning } from '#control-plane/identity/digest/morning.ts'
import { teamsOf } from '#control-plane/identity/profile/view.ts'
import { recipientOf } from '#control-plane/identity/users/notify.ts'
import { addMail } from '#control-plane/outbox/mail.ts'
import type { Subscribed } from './due.ts'
import { daysOfMonth, readMonth } from './month-content.ts'
import { contentToSend, readSentMonth, type SentContent, storeMonth } from './sent-month.ts'

const mostMonitors = 50
const mostWorst = 5

export const monthlyReports: Subscribed = {
  kind: 'monthly_report',
  wanted: sql`monthly_report`,
  at: 'monthly_report_at',

  async write(client, { config }, reader) {
    const { id, timezone, now } = reader
    const month = monthAt(now, timezone, -1)
    for (const team of await teamsOf(client, id)) {
      const [db, tenant] = [client, { id: team.tenant_id }]
      const sent = await readSentMonth(db, tenant, month)
      const content = sent?.content ?? contentToSend(await readMonth(db, tenant, month, daysOfMonth(month)))
      if (content.monitors_count === 0) continue
      // a person who changes the time zone, or subscribes again, may have the first of a month twice
      const rowCount = await affected(client)`insert into monthly_report_mails (tenant_id, user_id, month)
        values (${team.tenant_id}, ${id}, ${month.month}) on conflict do nothing`
      if (rowCount === 0) continue
      if (sent === null) await storeMonth(db, tenant, content, now)
      await addMail(client, config, {
        tenantId: team.tenant_id,
        type: 'monthly_report',
        recipient: recipientOf(reader),
        data: {
          team_name: team.name,
          ...mailData(content),
          details_url: `${config.baseUrl}/app/monitors`,
          ...leaveLinks(config, 'monthly report', id),
        },
      })
    }
    await rows(client)`update users set monthly_report_at = ${nextMorning(now, timezone, 'monthly')}
      where id = ${id} and monthly_report`
  },
}

/** The part of a month's statistics that the mail shows. */
function mailData({ monitors, ...month }: SentContent) {
  const judged = monitors.flatMap(({ monitor_name, is_removed, uptime_pct, downtime_s, incidents_count, before }) =>
    uptime_pct === null
      ? []
      : [
          {
            ...{ monitor_name, uptime_pct, downtime_s, incidents_count, before_pct: before.uptime_pct },
            ...(is_removed && { is_removed }),
          },
        ],
  )
  const worst = judged.filter(({ downtime_s }) => downtime_s > 0).sort((a, b) => b.downtime_s - a.downtime_s)
  return { ...month, worst: worst.slice(0, mostWorst), monitors: judged.slice(0, mostMonitors) }
}
