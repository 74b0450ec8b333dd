import { asRecord, countOf, isGiven, rowsOf, type Scope, type Voice } from '#control-plane/alerting/mail/voice.ts'
import type { MailTemplate, MailTemplates } from './template.ts'

const incidents = ({ say, count }: Voice, number: unknown) =>
  countOf(number) === 0 ? say('no_incidents') : count('incidents', number)

/** The name of a monitor in a list, with a word where it was deleted since. */
const nameOf = ({ say }: Voice, { monitor_name, is_removed }: Scope) =>
  isGiven(is_removed) ? say('removed', { monitor: monitor_name }) : monitor_name

/** Incidents as rows: the monitor's name is added unless the title contains it. */
const incidentRows = ({ say, show, moment }: Voice, rows: unknown) =>
  rowsOf(rows).map(({ title, monitor_name, started_at, duration_s, resolved_at }) => ({
    text: String(title).includes(String(monitor_name)) ? title : `${String(monitor_name)}: ${String(title)}`,
    detail: say(isGiven(resolved_at) ? 'lasted' : 'lasts', {
      at: moment(started_at, 'short'),
      lasted: show('duration_s', duration_s),
    }),
  }))

const report: Omit<MailTemplate, 'lists'> = {
  tone: 'neutral',
  groups: ['report'],
  isBranded: true,
  hasTimezone: true,
  buttons: { button: 'details_url' },
  leave: 'unsubscribe_url',
}
const textOf = ({ uptime_pct }: Scope) => (uptime_pct === null || uptime_pct === undefined ? 'text' : 'text_uptime')

export const reportMails: MailTemplates = {
  digest: {
    ...report,
    lists: [{ of: 'monitors_down' }, { of: 'incidents', count: 'incidents_count' }, { of: 'uptime' }],
    derive: (data, voice) => ({
      said: incidents(voice, data.incidents_count),
      monitors_down: rowsOf(data.monitors_down).map(({ monitor_name, since }) => ({
        text: monitor_name,
        detail: isGiven(since) ? voice.say('since', { at: voice.moment(since, 'short') }) : '',
      })),
      incidents: incidentRows(voice, data.incidents),
      uptime: rowsOf(data.uptime).map(row => ({
        text: nameOf(voice, row),
        detail: voice.show('uptime_pct', row.uptime_pct),
      })),
    }),
    say: (scope, { say }) => ({
      heading: say(scope.period === 'weekly' ? 'heading_weekly' : 'heading_daily'),
      paragraphs: [say(textOf(scope))],
    }),
  },
  monthly_report: {
    ...report,
    details: ['uptime', 'down', 'number'],
    lists: [{ of: 'worst' }, { of: 'incidents', count: 'incidents_count' }, { of: 'monitors' }],
    derive(data, voice) {
      const { say, show, count, moment } = voice
      const before = asRecord(data.before)
      const beside = (now: string, then: string) =>
        now !== '' && show('uptime_pct', before.uptime_pct) !== '' ? say('month_before', { now, before: then }) : now
      return {
        month: moment(data.from, 'month'),
        said: incidents(voice, data.incidents_count),
        monitors_said: count('monitors', data.monitors_count),
        uptime: beside(show('uptime_pct', data.uptime_pct), show('uptime_pct', before.uptime_pct)),
        down: beside(show('downtime_s', data.downtime_s), show('downtime_s', before.downtime_s)),
        number: beside(String(data.incidents_count), String(before.incidents_count)),
        worst: rowsOf(data.worst).map(row => ({
          text: nameOf(voice, row),
          detail: `${show('downtime_s', row.downtime_s)}, ${count('incidents', row.incidents_count)}`,
        })),
        incidents: incidentRows(voice, data.incidents),
        monitors: rowsOf(data.monitors).map(row => {
          const [now, then] = [show('uptime_pct', row.uptime_pct), show('uptime_pct', row.before_pct)]
          return { text: nameOf(voice, row), detail: then === '' ? now : say('before', { now, before: then }) }
        }),
      }
    },
    say: (scope, { say }) => ({ paragraphs: [say(textOf(scope))] }),
  },
}
