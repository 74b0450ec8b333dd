import { actionUrl, detailsUrl } from '#control-plane/alerting/notifications/links.ts'
import { type Notification, notificationOf } from '#control-plane/alerting/notifications/notification.ts'
import { isTimezone } from '#control-plane/identity/users/input.ts'
import type { Reading } from './fields.ts'
import type { Message, Sending } from './kind.ts'

/** The channel’s time zone, else that of the message's monitor, else UTC. */
export function timezoneOf({ timezone }: Reading, { payload }: Message): string {
  const ofMonitor = payload.timezone
  return timezone ?? (typeof ofMonitor === 'string' && isTimezone(ofMonitor) ? ofMonitor : 'UTC')
}

/** The links in a message; `recipient` is null where all readers of a channel get the same links. */
export const linksOf = (
  message: Message,
  { home, channelId, attempt }: Omit<Sending, 'templating'>,
  recipient: string | null,
) => ({
  details_url: detailsUrl(home, message),
  acknowledge_url: actionUrl(home, 'acknowledge', message, channelId, recipient, new Date(attempt.at * 1_000)),
  resolve_url: actionUrl(home, 'resolve', message, channelId, recipient, new Date(attempt.at * 1_000)),
})

/** A message as a text in the channel’s language and time zone. */
export const notificationFor = (
  message: Message,
  reading: Reading,
  sending: Omit<Sending, 'templating'>,
): Notification =>
  notificationOf(
    message,
    { language: reading.language ?? 'en', timezone: timezoneOf(reading, message) },
    linksOf(message, sending, null),
  )
