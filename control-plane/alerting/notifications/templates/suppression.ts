import type { MessageTemplate } from '#control-plane/alerting/mail/templates/template.ts'
import { countOf, isGiven, rowsOf, type Scope, type Voice } from '#control-plane/alerting/mail/voice.ts'
import { durationOf, secondsBetween, teamOf, textOf } from '#control-plane/alerting/notifications/values.ts'

const deriveLasted = (data: Scope) => ({
  team: teamOf(data),
  lasted_s: secondsBetween(data.started_at, data.resolved_at),
})

const newest = ({ incidents }: Scope, { show, moment, say }: Voice) =>
  rowsOf(incidents)
    .toSorted((one, other) => (textOf(one.started_at) < textOf(other.started_at) ? 1 : -1))
    .map(incident => ({
      text: moment(incident.started_at),
      detail: show('duration_s', durationOf(incident)) || say('not_over'),
    }))

export const suppressions = {
  'monitor.flapping': {
    tone: 'warning',
    details: ['team', 'monitor_url', 'started_at'],
    lists: [{ of: 'newest', count: 'incidents_count', most: 5 }],
    buttons: { open_monitor: 'details_url' },
    derive: (data, voice) => ({ team: teamOf(data), newest: newest(data, voice) }),
  },
  'monitor.flapping_resolved': {
    tone: 'good',
    details: ['team', 'monitor_url', 'started_at', 'resolved_at', 'status'],
    buttons: { open_monitor: 'details_url' },
    derive: (data, { find }) => ({
      ...deriveLasted(data),
      status: find(`statuses.${textOf(data.status)}`) ?? data.status,
    }),
    say({ resolution, lasted_s }, { say }) {
      const hasLasted = isGiven(lasted_s)
      const text = say(hasLasted ? 'text_lasted' : 'text')
      if (resolution === 'deleted') return { heading: say('heading_deleted'), paragraphs: [text] }
      return {
        heading: say('heading'),
        ...(hasLasted && { subject: say('subject_lasted') }),
        paragraphs: [`${text} ${say('again')}`],
      }
    },
  },
  'storm.detected': {
    tone: 'bad',
    groups: ['storm'],
    details: ['team', 'host', 'started_at', 'severity'],
    lists: [{ of: 'monitor_names', count: 'monitors_count', most: 20 }],
    buttons: { open_incidents: 'details_url' },
    derive: deriveLasted,
    say({ host }, { say }) {
      const of = isGiven(host) ? '_host' : ''
      return {
        subject: say(`subject${of}`),
        heading: say(`heading${of}`),
        paragraphs: [say(`text${of}`)],
        ...(of && { note: '' }),
      }
    },
  },
  'storm.resolved': {
    tone: 'good',
    groups: ['storm'],
    details: ['team', 'host', 'started_at', 'resolved_at'],
    lists: [{ of: 'monitor_names', count: 'monitors_count', most: 20 }],
    buttons: { open_incidents: 'details_url' },
    derive: deriveLasted,
    say({ host, lasted_s, down_count }, { say, count }) {
      const [of, lasted] = [isGiven(host) ? '_host' : '', isGiven(lasted_s) ? '_lasted' : '']
      return {
        subject: say(`subject${of}${lasted}`),
        heading: say(`heading${of}`),
        paragraphs: [
          `${say(`failed${lasted}`)} ${countOf(down_count) === 0 ? say('none_down') : count('down', down_count)}`,
        ],
      }
    },
  },
} satisfies Record<string, MessageTemplate>
