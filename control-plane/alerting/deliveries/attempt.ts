import { decryptConfig } from '#control-plane/alerting/channels/config.ts'
import { kinds } from '#control-plane/alerting/channels/kinds/index.ts'
import { publicReceivers, UnwritableMessage } from '#control-plane/alerting/channels/kinds/kind.ts'
import { readMessage } from '#control-plane/alerting/dispatch/message.ts'
import { retryAfterS } from '#control-plane/base/queue/queue.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import type { AttemptDeps, Channel } from './delivery.ts'
import { sendMail } from './mail.ts'
import { type Sent, sendHttp } from './send.ts'

/** The id of a message as receivers get it. */
export const messageIdOf = (deliveryId: string) => `msg_${deliveryId.replaceAll('-', '')}`

interface Attempted {
  id: string
  channel: Channel
  body: string
  /** Attempts made before this one; left out: no other follows. */
  attempts?: number
}

/** Sends a message to a channel once. Never throws. */
export async function attempt(
  deps: AttemptDeps,
  { id, channel, body, attempts = retryAfterS.length }: Attempted,
): Promise<Sent> {
  try {
    const kind = kinds[channel.type]
    const config = openChannel(deps, channel)
    const at = Math.floor(Date.now() / 1_000)
    const sending = {
      channelId: channel.id,
      attempt: { id: messageIdOf(id), at },
      receivers: deps.receivers ?? publicReceivers,
      home: { secretKey: deps.config.secretKey, baseUrl: await keptOriginOf(deps, channel.tenantId) },
      templating: { bounded: deps.bounded, tenantId: channel.tenantId },
    }
    const outgoing = await kind.write(readMessage(body), config, sending)
    return 'url' in outgoing
      ? await sendHttp(deps.guard, outgoing)
      : await sendMail(deps, { id, channel, isFirst: attempts === 0, isLast: attempts >= retryAfterS.length }, outgoing)
  } catch (error) {
    if (error instanceof UnwritableMessage)
      return { isDelivered: false, status: null, error: 'template', answer: error.message, durationMs: 0 }
    deps.log.error({ err: error, channel_id: channel.id }, 'message rendering failed')
    return { isDelivered: false, status: null, error: 'internal', answer: null, durationMs: 0 }
  }
}

const opened = new WeakMap<Channel, unknown>()

/**
 * The configuration of a channel with its secrets decrypted, once for each `Channel` object: decrypting takes longer
 * than signing. Throws if it cannot be read.
 */
export function openChannel({ config: ring }: Pick<AttemptDeps, 'config'>, channel: Channel): unknown {
  const known = opened.get(channel)
  if (known !== undefined) return known
  const config = kinds[channel.type].config.parse(decryptConfig(ring, channel.id, channel))
  opened.set(channel, config)
  return config
}
