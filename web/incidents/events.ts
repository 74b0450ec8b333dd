import type { Decision, IncidentDetail } from './queries.ts'

export interface TimelineEvent {
  key: string
  at: string
  by: 'machine' | 'people'
  /** Its word among those of the area, after `event.`, with what is filled in. */
  word: string
  values: Record<string, string | number>
  /** Who did it, or what it is called where we have no word for it. */
  who: string | null
  /** A text of a person, as it was written. */
  text: string | null
  tone: 'down' | 'up' | 'quiet' | 'people'
}

const known = [
  'started',
  'confirmed',
  'acknowledged',
  'unacknowledged',
  'snoozed',
  'unsnoozed',
  'updated',
  'resolved',
  'archived',
  'unarchived',
  'published',
] as const
/** Its words in the area, after `event.`: of an end by how it ended. */
const wordOf = (type: string, resolution: IncidentDetail['resolution']): string =>
  type === 'resolved' && resolution !== null ? `resolved.${resolution}` : (known.find(one => one === type) ?? 'other')
const tones: Record<string, TimelineEvent['tone']> = { started: 'down', confirmed: 'down', resolved: 'up' }

interface Formats {
  duration(ms: number): string
  moment(at: string): string
  /** The way of a notification, such as mail or a type of channel. */
  through(type: string): string
}

const plain = { values: {}, who: null, text: null, tone: 'quiet' } as const

/** What comes first of things at one moment: a cause before what followed from it. */
const causes = ['started', 'vote.', 'confirmed', 'emitted', 'called.', 'delivery.']
const placeOf = (word: string) => {
  const place = causes.findIndex(cause => word.startsWith(cause))
  return place < 0 ? causes.length : place
}

/**
 * Everything that happened to an incident and because of it: by time, and of one moment by cause. Nothing stands before
 * the first failure, which clocks of several regions may put a little later than a vote for it.
 */
export function eventsOf(incident: IncidentDetail, decisions: readonly Decision[], formats: Formats): TimelineEvent[] {
  const events = [
    ...ofIncident(incident, formats),
    ...ofVotes(incident),
    ...ofUpdates(incident),
    ...decisions.flatMap(decision => ofDecision(decision, formats)),
    ...ofEscalation(incident, formats),
  ]
  const begun = Date.parse(incident.started_at)
  const momentOf = ({ at }: TimelineEvent) => Math.max(begun, Date.parse(at))
  return events.toSorted((a, b) => momentOf(a) - momentOf(b) || placeOf(a.word) - placeOf(b.word))
}

/** Its beginning and end, and what people did, as the audit log has it. Updates are listed with their text instead. */
const ofIncident = (
  { timeline, quorum, snoozed_until, resolution }: IncidentDetail,
  { moment }: Formats,
): TimelineEvent[] =>
  timeline
    .filter(({ type }) => type !== 'update_posted')
    .map(({ at, type, user_name, user_id, details }, index) => {
      const isOtherEnd = type === 'resolved' && resolution !== 'recovered'
      const isMachine = type === 'started' || type === 'confirmed' || (user_id === null && details === null)
      return {
        ...plain,
        ...{ key: `incident-${index}`, at, by: isMachine ? 'machine' : 'people', word: wordOf(type, resolution) },
        values: {
          ...{ type, failed: quorum.failed.length, required: quorum.required },
          until: snoozed_until === null ? '' : moment(snoozed_until),
        },
        who: user_name,
        tone: isMachine && isOtherEnd ? 'quiet' : (tones[type] ?? (isMachine ? 'quiet' : 'people')),
      }
    })

const ofVotes = ({ quorum }: IncidentDetail): TimelineEvent[] =>
  (['failed', 'ok'] as const).flatMap(vote =>
    quorum[vote].flatMap(region => {
      const proof = quorum.regions[region]
      if (!proof) return []
      const says = proof.error?.message ?? ''
      return {
        ...plain,
        ...{ key: `vote-${region}`, at: proof.at, by: 'machine', word: `vote.${vote}`, values: { region, says } },
      }
    }),
  )

const ofUpdates = ({ updates }: IncidentDetail): TimelineEvent[] =>
  updates.map(({ id, created_at, status, body, user_name }) => ({
    ...{ key: id, at: created_at, by: 'people', word: `note.${status}`, values: {}, who: user_name, text: body },
    tone: 'people',
  }))

/** The event, and each of its deliveries when its outcome was known. */
function ofDecision({ id, event, emitted_at, channels, notified_count }: Decision, { duration }: Formats) {
  const begun: TimelineEvent = {
    ...plain,
    ...{ key: id, at: emitted_at, by: 'machine', word: 'emitted' },
    values: { event, notified: notified_count, channels: channels.length },
  }
  const deliveries = channels.flatMap(({ channel_id, channel_name, channel_type, delivery }): TimelineEvent[] => {
    if (!delivery) return []
    const at = delivery.finished_at ?? emitted_at
    const span = duration(Math.max(0, Date.parse(at) - Date.parse(emitted_at)))
    const values = { channel: channel_name, type: channel_type, span, attempts: delivery.attempts, event }
    return [
      {
        ...plain,
        ...{ key: `${id}-${channel_id}`, at, by: 'machine', word: `delivery.${delivery.status}` },
        values: { ...values, error: delivery.error ?? '' },
        tone: delivery.status === 'failed' ? 'down' : 'quiet',
      },
    ]
  })
  return [begun, ...deliveries]
}

/** Whom the steps of the escalation called, or why a step called no one. */
const ofEscalation = ({ escalation }: IncidentDetail, { through }: Formats): TimelineEvent[] =>
  (escalation?.notifications ?? []).map((called, index) => {
    const { at, step, round, user_name, channel_name, channel_type, via, reason, delivery } = called
    return {
      ...plain,
      ...{ key: `step-${index}`, at, by: 'machine' },
      word: reason === null ? `called.${delivery ?? 'unknown'}` : `called.${reason}`,
      values: {
        ...{ step, round, name: user_name ?? channel_name ?? '–' },
        through: through(via === 'mail' ? 'mail' : (channel_type ?? '')),
      },
      tone: delivery === 'failed' || reason === 'unreachable' ? 'down' : 'quiet',
    }
  })
