import { randomUUID } from 'node:crypto'
import { signatureHeaders } from '#control-plane/alerting/channels/kinds/sign.ts'
import { sendHttp } from '#control-plane/alerting/deliveries/send.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'

const atOnce = 64
const many = 5_000

/** How many signed messages a second leave one process that does nothing else: no outbox, no rules, no log. */
export async function bareRate(url: string, secret: string): Promise<number> {
  const guard = new Guard(parseAllowList('127.0.0.0/8'))
  let left = many
  const began = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) {
        const body = JSON.stringify({
          event: 'incident.created',
          incident_id: randomUUID(),
          monitor_url: 'https://shop.example.com/cart',
          title: 'Shop is down',
        })
        const headers = {
          'Content-Type': 'application/json',
          ...signatureHeaders([secret], { id: `msg_${left}`, at: Math.floor(Date.now() / 1_000) }, body),
        }
        const sent = await sendHttp(guard, { url, headers, body })
        if (!sent.isDelivered) throw new Error(`the bare sender met ${sent.error}`)
      }
    }),
  )
  await guard.dispatcher().close()
  return (many * 1_000) / (performance.now() - began)
}
