import type { MessageTemplate } from '#control-plane/alerting/mail/templates/template.ts'
import { asRecord, type Scope, type Voice } from '#control-plane/alerting/mail/voice.ts'
import { causeIn } from '#control-plane/alerting/notifications/causes.ts'
import { nameOfKind } from '#control-plane/alerting/notifications/kinds.ts'
import {
  listed,
  secondsBetween,
  teamOf,
  textOf,
  textsOf,
  withoutStop,
} from '#control-plane/alerting/notifications/values.ts'

function derive(data: Scope, voice: Voice): Record<string, unknown> {
  const reason = causeIn(voice.language, textOf(data.title).replace(/^Over: /, ''))
  const details = asRecord(data.details)
  // a mail names the warning, any other message its event
  const event = textOf(data.warning) || textOf(data.event).replace('warning.', '')
  return {
    team: teamOf(data),
    kind: nameOfKind(textOf(data.check_type), voice.language),
    reason,
    reason_line: withoutStop(reason),
    seen_from: listed(voice, textsOf(data.regions)),
    // the date on which a certificate or a domain ends
    ends_at: textOf(details.valid_to) || textOf(details.expires_at),
    issuer: textOf(details.issuer),
    registrar: textOf(details.registrar),
    lasted_s: secondsBetween(data.since, data.timestamp),
    next: voice.find(`next.${textOf(data.code)}`) ?? voice.find(`next.${event}`) ?? '',
  }
}

export const warnings = {
  warning: {
    tone: 'warning',
    paragraphs: ['{reason}'],
    details: ['team', 'monitor_url', 'kind', 'since', 'seen_from', 'ends_at', 'issuer', 'registrar'],
    buttons: { open_monitor: 'details_url' },
    derive,
    say: ({ next }) => ({ note: String(next) }),
  },
  'warning.cleared': {
    tone: 'good',
    groups: ['warning'],
    details: ['team', 'monitor_url', 'kind', 'since', 'timestamp', 'lasted_s'],
    buttons: { open_monitor: 'details_url' },
    derive,
    say({ resolution }, { say }) {
      const deleted = resolution === 'deleted' ? '_deleted' : ''
      return {
        subject: say(`subject${deleted}`),
        heading: say(`heading${deleted}`),
        paragraphs: [say(`text${deleted}`)],
      }
    },
  },
} satisfies Record<string, MessageTemplate>
