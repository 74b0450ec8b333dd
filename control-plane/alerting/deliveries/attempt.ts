import { openConfig } from '#control-plane/alerting/channels/config.ts'
import { kinds } from '#control-plane/alerting/channels/kinds/index.ts'
import { publicReceivers, type Receivers } from '#control-plane/alerting/channels/kinds/kind.ts'
import type { EventRouter } from '#control-plane/alerting/dispatch/event-router.ts'
import { readMessage } from '#control-plane/alerting/dispatch/message.ts'
import type { Mailer } from '#control-plane/alerting/mail/mailer.ts'
import type { Services } from '#control-plane/http/services.ts'
import { type Channel, retryAfterS } from './delivery.ts'
import { sendMail } from './mail.ts'
import { type Sent, sendHttp } from './send.ts'

export type Means = Pick<Services, 'config' | 'guard' | 'log' | 'platform'> & {
  receivers?: Receivers
  /** Kept between mails; made for one where there is none. */
  mailer?: Mailer
  /** Left out: no reseller has mail instead, as when somebody only tries a channel. */
  divert?: EventRouter['divert']
}

/** What receivers know a message by. */
export const messageIdOf = (deliveryId: string) => `msg_${deliveryId.replaceAll('-', '')}`

interface Given {
  id: string
  channel: Channel
  body: string
  /** Made before this one; none will follow when left out. */
  attempts?: number
}

/** One attempt to bring a message to a channel. Never throws. */
export async function attempt(
  means: Means,
  { id, channel, body, attempts = retryAfterS.length }: Given,
): Promise<Sent> {
  try {
    const kind = kinds[channel.type]
    const config = openChannel(means, channel)
    const at = Math.floor(Date.now() / 1_000)
    const sending = {
      channelId: channel.id,
      attempt: { id: messageIdOf(id), at },
      receivers: means.receivers ?? publicReceivers,
      home: means.config,
    }
    const outgoing = kind.write(readMessage(body), config, sending)
    return 'url' in outgoing
      ? await sendHttp(means.guard, outgoing)
      : await sendMail(means, { id, channel, isLast: attempts >= retryAfterS.length }, outgoing)
  } catch (error) {
    means.log.error({ err: error, channel_id: channel.id }, 'a message could not be written')
    return { isDelivered: false, status: null, error: 'internal', answer: null, durationMs: 0 }
  }
}

const opened = new WeakMap<Channel, unknown>()

/** Opened once for as long as a channel is known as it is: deciphering takes longer than signing. Throws for one that cannot be read. */
export function openChannel({ config: ring }: Pick<Means, 'config'>, channel: Channel): unknown {
  const known = opened.get(channel)
  if (known !== undefined) return known
  const config = kinds[channel.type].config.parse(openConfig(ring, channel.id, channel))
  opened.set(channel, config)
  return config
}
