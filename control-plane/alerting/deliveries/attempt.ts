import { openConfig } from '#control-plane/alerting/channels/config.ts'
import { kinds } from '#control-plane/alerting/channels/kinds/index.ts'
import { publicReceivers, type Receivers } from '#control-plane/alerting/channels/kinds/kind.ts'
import type { Hearing } from '#control-plane/alerting/dispatch/hear.ts'
import { readMessage } from '#control-plane/alerting/dispatch/message.ts'
import type { Mailer } from '#control-plane/alerting/mail/mailer.ts'
import type { Services } from '#control-plane/kernel/services.ts'
import type { Channel } from './delivery.ts'
import { sendMail } from './mail.ts'
import { type Sent, sendHttp } from './send.ts'

export type Means = Pick<Services, 'config' | 'guard' | 'log' | 'platform'> & {
  receivers?: Receivers
  /** Kept between mails; made for one where there is none. */
  mailer?: Mailer
  /** Left out: no reseller has mail instead, as when somebody only tries a channel. */
  divert?: Hearing['divert']
}

/** What receivers know a message by. */
export const messageIdOf = (deliveryId: string) => `msg_${deliveryId.replaceAll('-', '')}`

interface Given {
  id: string
  channel: Channel
  body: string
}

/** One attempt to bring a message to a channel. Never throws. */
export async function attempt(means: Means, { id, channel, body }: Given): Promise<Sent> {
  try {
    const kind = kinds[channel.type]
    const config = openedOf(means, channel)
    const at = Math.floor(Date.now() / 1_000)
    const outgoing = kind.write(readMessage(body), config, { id: messageIdOf(id), at }, means.receivers ?? publicReceivers)
    return 'url' in outgoing ? await sendHttp(means.guard, outgoing) : await sendMail(means, { id, channel }, outgoing)
  } catch (error) {
    means.log.error({ err: error, channel_id: channel.id }, 'a message could not be written')
    return { isDelivered: false, status: null, error: 'internal', answer: null, durationMs: 0 }
  }
}

/** Opened once for as long as a channel is known as it is: deciphering takes longer than signing. */
const opened = new WeakMap<Channel, unknown>()

function openedOf({ config: ring }: Means, channel: Channel): unknown {
  const known = opened.get(channel)
  if (known !== undefined) return known
  const config = kinds[channel.type].config.parse(openConfig(ring, channel.id, channel))
  opened.set(channel, config)
  return config
}
