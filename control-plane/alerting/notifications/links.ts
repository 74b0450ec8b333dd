import { canonicalName } from '#contract/events.ts'
import { daysAfter } from '#contract/time.ts'
import { type LinkPurpose, linkToken } from '#control-plane/alerting/acknowledge-links/token.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'

/** How many days after its message a link expires that acknowledges or resolves. */
export const linkDays = 7

/** Events whose messages have such links. */
const actionable = ['incident.created', 'incident.escalated']

type LinkDeps = Pick<Keyring, 'secretKey'> & { baseUrl: string }
interface Linked {
  event: string
  payload: Readonly<Record<string, unknown>>
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const idIn = (value: unknown): string | null => (typeof value === 'string' && uuid.test(value) ? value : null)

/** The page of the app about the subject of a message; null if the app has none, and for an example. */
export function detailsUrl({ baseUrl }: Pick<LinkDeps, 'baseUrl'>, { payload }: Linked): string | null {
  if (payload.test === true) return null
  const [incident, monitor] = [idIn(payload.incident_id), idIn(payload.monitor_id)]
  if (incident) return `${baseUrl}/app/incidents/${incident}`
  if (monitor) return `${baseUrl}/app/monitors/${monitor}`
  return idIn(payload.storm_id) ? `${baseUrl}/app/incidents` : null
}

/**
 * A link that acknowledges or resolves an incident, for one recipient or all readers of the channel. A retry of the
 * message has the same link.
 */
export function actionUrl(
  deps: LinkDeps,
  purpose: LinkPurpose,
  { event, payload }: Linked,
  channelId: string,
  recipient: string | null,
  now: Date,
): string | null {
  const incidentId = idIn(payload.incident_id)
  if (!actionable.includes(canonicalName(event)) || payload.test === true || !incidentId) return null
  const expiresAt = daysAfter(new Date(String(payload.timestamp)), linkDays)
  // a message that is replayed long afterwards has no link that has expired
  if (!(expiresAt > now)) return null
  return `${deps.baseUrl}/${purpose}#${linkToken(deps, purpose, { incidentId, channelId, recipient, expiresAt })}`
}
