import { canonicalName } from '#contract/events.ts'
import { daysAfter } from '#contract/time.ts'
import { acknowledgeToken } from '#control-plane/alerting/acknowledge-links/token.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'

/** Days after its message that an acknowledge link lasts. */
export const acknowledgeDays = 7

type Known = Pick<Keyring, 'secretKey'> & { baseUrl: string }
interface Linked {
  event: string
  payload: Readonly<Record<string, unknown>>
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const idIn = (value: unknown): string | null => (typeof value === 'string' && uuid.test(value) ? value : null)

/** Where the app shows what a message is about; null for what is in no list of it, and for an example, which is nowhere. */
export function detailsUrl({ baseUrl }: Pick<Known, 'baseUrl'>, { payload }: Linked): string | null {
  if (payload.test === true) return null
  const [incident, monitor] = [idIn(payload.incident_id), idIn(payload.monitor_id)]
  if (incident) return `${baseUrl}/app/incidents/${incident}`
  if (monitor) return `${baseUrl}/app/monitors/${monitor}`
  return idIn(payload.storm_id) ? `${baseUrl}/app/incidents` : null
}

/** A link by which an incident is acknowledged, for one recipient or all who read the channel. Sent again the message has the same one. */
export function acknowledgeUrl(
  known: Known,
  { event, payload }: Linked,
  channelId: string,
  recipient: string | null,
  now: Date,
): string | null {
  const incidentId = idIn(payload.incident_id)
  if (canonicalName(event) !== 'incident.created' || payload.test === true || !incidentId) return null
  const expiresAt = daysAfter(new Date(String(payload.timestamp)), acknowledgeDays)
  // what is replayed long afterwards offers no link that has expired
  if (!(expiresAt > now)) return null
  return `${known.baseUrl}/acknowledge#${acknowledgeToken(known, { incidentId, channelId, recipient, expiresAt })}`
}
