import type { OutgoingMail } from '#control-plane/alerting/channels/kinds/kind.ts'
import { isAddress } from '#control-plane/alerting/mail/letter.ts'
import { Mailer, type Posted } from '#control-plane/alerting/mail/mailer.ts'
import { readStanding } from '#control-plane/alerting/mail/standing.ts'
import { write } from '#control-plane/alerting/mail/write.ts'
import type { Means } from './attempt.ts'
import type { Channel } from './delivery.ts'
import { languagesOf, sharedLanguage } from './languages.ts'
import type { Sent } from './send.ts'

/** Longer than two servers may take. */
const claimS = 90

interface Given {
  id: string
  channel: Channel
}

/** One attempt to send what a channel is told as a mail: by the team's own server, else by the platform's, or by its reseller's webhook instead. */
export async function sendMail(means: Means, { id, channel }: Given, { recipients, type, data }: OutgoingMail): Promise<Sent> {
  const begun = performance.now()
  const ended = (rest: Pick<Sent, 'isDelivered' | 'error' | 'answer'>): Sent => ({ status: null, durationMs: Math.round(performance.now() - begun), ...rest })
  const { platform } = means
  const { tenantId } = channel
  const standing = await readStanding(platform, tenantId)
  if (!standing) throw new Error('The tenant of a channel is gone.')
  const to = recipients.filter(isAddress).map(address => ({ name: null, address }))
  const languages = await languagesOf(
    platform,
    tenantId,
    to.map(({ address }) => address),
  )
  const language = sharedLanguage(languages)

  const diverted = await Promise.all(
    to.map(({ address }) => {
      const recipient = { userId: null, email: address, name: null, language: languages.get(address.toLowerCase()) ?? language }
      return means.divert?.({ id: null, tenantId, type, recipient, templateData: { ...data, brand_name: standing.looks.brand_name }, createdAt: new Date() })
    }),
  )
  const left = to.filter((_, index) => !diverted[index])
  if (left.length === 0) return ended({ isDelivered: true, error: null, answer: 'The reseller suppresses this mail: its webhook was told instead.' })

  await platform.query({
    name: 'deliveries-hold',
    text: `update deliveries set next_at = clock_timestamp() + interval '${claimS} seconds' where id = $1 and status in ('pending', 'retrying')`,
    values: [id],
  })
  const mailer = means.mailer ?? new Mailer(means)
  try {
    const letter = write({ id: `delivery ${id}`, tenantId, type, to: left, language }, data, standing)
    const posted = await mailer.send(letter, standing)
    return posted.isSent
      ? ended({ isDelivered: true, error: null, answer: told(posted, left.length) })
      : ended({ isDelivered: false, error: posted.why === 'timeout' ? 'timeout' : 'mail', answer: whyNot[posted.why] })
  } finally {
    if (mailer !== means.mailer) mailer.close()
  }
}

const whyNot: Record<Extract<Posted, { isSent: false }>['why'], string> = {
  blocked: 'The mail server is not at a public address.',
  dns: 'The mail server’s name has no address.',
  connect: 'The mail server could not be reached.',
  timeout: 'The mail server did not answer in time.',
  tls: 'The mail server offers no TLS that can be trusted.',
  auth: 'The mail server refused the user name or password.',
  sender: 'The mail server refused the sender.',
  recipient: 'The mail server refused the recipients.',
  refused: 'The mail server refused the message.',
  protocol: 'The mail server spoke no SMTP.',
}

/** What the log says of a mail that left. */
function told({ by, fell, refused }: Extract<Posted, { isSent: true }>, recipients: number): string | null {
  const words = [
    fell === 'revoked' ? 'The plan no longer includes a mail server of one’s own: this went by the platform’s.' : '',
    fell !== null && fell !== 'revoked' ? `The team’s own mail server failed (${fell}): this went by the platform’s.` : '',
    by === 'catcher' ? 'Kept for the operator to read: the platform has no mail server.' : '',
    refused > 0 ? `${refused} of ${recipients} recipients were refused.` : '',
  ].filter(Boolean)
  return words.length > 0 ? words.join(' ') : null
}
