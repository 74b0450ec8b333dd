import { isGiven, rowsOf, type Voice } from '#control-plane/alerting/mail/voice.ts'
import type { MailTemplates } from './template.ts'

const spans = ({ say, moment }: Voice, rows: unknown) =>
  rowsOf(rows).map(({ starts_at, ends_at }) => ({
    text: moment(starts_at),
    detail: say('until', { at: moment(ends_at) }),
  }))

export const onCallMails: MailTemplates = {
  escalation_step_lost: { tone: 'warning', isAlert: true, details: ['team_name', 'policy_name', 'steps'] },
  on_call_gap: {
    tone: 'warning',
    isAlert: true,
    hasTimezone: true,
    details: ['team_name'],
    lists: [{ of: 'gaps', count: 'gaps_count', most: 20 }],
    derive: ({ gaps }, voice) => ({
      gaps: spans(voice, gaps),
      first_gap: voice.moment(rowsOf(gaps)[0]?.starts_at),
    }),
    say: ({ gaps_count }, { count }) => ({ paragraphs: [count('text', gaps_count)] }),
  },
  on_call_handover: {
    tone: 'neutral',
    hasTimezone: true,
    details: ['team_name', 'schedule_name', 'until'],
    lists: [
      { of: 'gained', most: 20 },
      { of: 'lost', most: 20 },
    ],
    leave: 'unsubscribe_url',
    derive: ({ gained, lost }, voice) => ({ gained: spans(voice, gained), lost: spans(voice, lost) }),
    say({ change, other_name, schedule_name }, { say }) {
      const what = change === 'begins' || change === 'ends' ? change : 'planned'
      const heading = say(`heading_${what}`)
      return {
        subject: `${heading}: ${String(schedule_name)}`,
        heading,
        paragraphs: [what === 'planned' || isGiven(other_name) ? say(`text_${what}`) : ''],
      }
    },
  },
  maintenance: {
    tone: 'neutral',
    paragraphs: ['{description}'],
    details: ['team_name', 'starts_at', 'ends_at'],
    say: ({ occasion }, { say }) => ({
      heading: say(
        `heading_${['scheduled', 'reminder', 'started'].includes(String(occasion)) ? String(occasion) : 'ended'}`,
      ),
    }),
  },
}
