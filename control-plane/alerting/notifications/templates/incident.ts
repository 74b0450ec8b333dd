import { isReachability } from '#checks/index.ts'
import { type Resolution, resolutionOf } from '#contract/incident.ts'
import type { MessageTemplate } from '#control-plane/alerting/mail/templates/template.ts'
import { isGiven, type Scope, type Voice, voiceOf } from '#control-plane/alerting/mail/voice.ts'
import { causeIn } from '#control-plane/alerting/notifications/causes.ts'
import { nameOfKind } from '#control-plane/alerting/notifications/kinds.ts'
import { agreementOf } from '#control-plane/alerting/notifications/regions.ts'
import { durationOf, teamOf, textOf, withoutStop } from '#control-plane/alerting/notifications/values.ts'

interface About {
  name: string
  kind: string
  code: string
  /** How it ended; null: it is open, or was stored before that was noted. */
  resolution: Resolution | null
}

/** An incident without a kind was stored before it had one. */
const isOutage = (kind: string) => kind === '' || isReachability(kind)

/** What an incident is called, by the kind of check and the code of its cause; at its end first by how it ended. */
function headline({ find, say, language }: Voice, end: 'begins' | 'ends', about: About): string {
  const { name, kind, code, resolution } = about
  const values = { name, kind: nameOfKind(kind, language) }
  return (
    (end === 'ends' && resolution !== null ? find(`ends.${resolution}`, values) : undefined) ??
    find(`${end}.${kind}.${code}`, values) ??
    find(`${end}.${kind}.other`, values) ??
    say(`${end}.${isOutage(kind) ? 'outage' : 'check'}`, values)
  )
}

/** What to do about it. */
const nextStep = ({ find, say }: Voice, { kind, code }: About): string =>
  find(`next.${kind}.${code}`) ?? find(`next.${kind}.other`) ?? find(`next.${kind}`) ?? say('next.other')

const group = { area: 'notifications', name: 'incident' } as const

const derive =
  (end: 'begins' | 'ends') =>
  (data: Scope, voice: Voice): Record<string, unknown> => {
    const about = {
      name: textOf(data.monitor_name),
      kind: textOf(data.check_type),
      code: textOf(data.code),
      resolution: resolutionOf(data.resolution),
    }
    const cause = causeIn(voice.language, textOf(data.cause))
    const { agreed, needed, regions } = agreementOf(data.quorum, voice.language)
    const title = textOf(data.title)
    // a title that a person wrote; the usual title, in English, only repeats the heading
    const isUsual =
      title === `${about.name} is down` ||
      title === `${about.name}: the ${about.kind} check fails` ||
      title === headline(voiceOf(group, 'en', {}), 'begins', about)
    return {
      headline: headline(voice, end, about),
      resolution: about.resolution ?? '',
      next: nextStep(voice, about),
      team: teamOf(data),
      cause,
      // the headline already says that a ping is missing
      cause_line: ['No ping came:', voice.say('no_ping')].reduce(
        (line, begin) => (line.startsWith(`${begin} `) ? line.slice(begin.length + 1) : line),
        withoutStop(cause),
      ),
      duration_s: durationOf(data),
      agreed,
      regions: regions.map(({ region, saw }) => ({ text: region, detail: saw })),
      seen_by: agreed === '' ? '' : `${agreed} (${needed})`,
      ticket: [isGiven(data.number) ? `#${textOf(data.number)}` : '', isUsual ? '' : title].join(' '),
    }
  }

/** An incident in one line: its headline, cause, and how many regions agree. */
const lineOf = ({ headline, cause_line, agreed }: Scope) =>
  `${String(headline)}${cause_line ? `: ${String(cause_line)}` : ''}${agreed ? ` (${String(agreed)})` : ''}`

const open = { open_incident: 'details_url' }
const begun = {
  tone: 'bad',
  groups: ['incident'],
  details: ['team', 'monitor_url', 'seen_by', 'started_at', 'severity', 'ticket'],
  lists: [{ of: 'regions', isProse: true, most: 10 }],
  buttons: { ...open, acknowledge: 'acknowledge_url', resolve: 'resolve_url' },
  derive: derive('begins'),
} satisfies MessageTemplate

export const incidents = {
  'incident.created': {
    ...begun,
    say: scope => ({
      subject: lineOf(scope),
      heading: String(scope.headline),
      paragraphs: [String(scope.cause)],
      note: String(scope.next),
    }),
  },
  'incident.resolved': {
    tone: 'good',
    groups: ['incident'],
    details: ['team', 'monitor_url', 'started_at', 'resolved_at', 'severity', 'ticket'],
    buttons: open,
    derive: (data, voice) => ({
      ...derive('ends')(data, voice),
      ...(resolutionOf(data.resolution) === 'changed' && { monitor_url: '' }),
    }),
    say({ headline, duration_s, cause, resolution }, { say, find }) {
      const hasLasted = isGiven(duration_s)
      return {
        heading: String(headline),
        subject: hasLasted ? say('subject') : String(headline),
        paragraphs: [[hasLasted && say('lasted'), cause !== '' && say('cause')].filter(Boolean).join(' ')],
        note: find(`notes.${String(resolution)}`) ?? '',
      }
    },
  },
  /** Sent to those who were notified of the beginning: it says who has it now, and no more of the incident. */
  'incident.acknowledged': {
    tone: 'neutral',
    groups: ['incident'],
    details: ['team', 'started_at', 'ticket'],
    buttons: open,
    derive: derive('begins'),
    say({ acknowledged_by_name }, { say }) {
      const named = isGiven(acknowledged_by_name) ? '_named' : ''
      return { heading: say(`heading${named}`), paragraphs: [say(`text${named}`)] }
    },
  },
  /** The beginning of an incident, to people whom a step of a policy calls. */
  'incident.escalated': {
    ...begun,
    details: [...begun.details, 'called'],
    derive: (data, voice) => ({ ...begun.derive(data, voice), called: voice.say('called') }),
    say: (scope, { say }) => ({
      subject: say('subject', { line: lineOf(scope) }),
      heading: String(scope.headline),
      paragraphs: [String(scope.cause), say('text')],
      note: String(scope.next),
    }),
  },
  'incident.escalation_exhausted': {
    tone: 'bad',
    groups: ['incident'],
    paragraphs: ['{cause}', 'text'],
    details: ['team', 'monitor_url', 'started_at', 'severity', 'ticket'],
    buttons: open,
    derive: derive('begins'),
  },
} satisfies Record<string, MessageTemplate>
