import type { Pool } from 'pg'
import { recipientMark } from '#control-plane/alerting/acknowledge-links/token.ts'
import type { OutgoingMail } from '#control-plane/alerting/channels/kinds/kind.ts'
import { isAddress } from '#control-plane/alerting/mail/email-message.ts'
import { type MailSettings, readMailSettings } from '#control-plane/alerting/mail/mail-settings.ts'
import { Mailer, type Posted } from '#control-plane/alerting/mail/mailer.ts'
import { write } from '#control-plane/alerting/mail/write.ts'
import { giveBack, takeBudget } from '#control-plane/alerting/recipients/budget.ts'
import { reachableOf } from '#control-plane/alerting/recipients/states.ts'
import { queries } from '#control-plane/db/queries.ts'
import type { Means } from './attempt.ts'
import type { Channel } from './delivery.ts'
import { type MailReader, readersOf } from './readers.ts'
import type { Sent } from './send.ts'

/** Longer than two servers may take for the mails that are under way together. */
const claimS = 90
/** As many as a team's own mail server is given connections. */
const atOnce = 3

interface Given {
  id: string
  channel: Channel
  isLast: boolean
}

/**
 * One attempt to send what a channel is told as mails, one for each recipient who has none of it yet: in the recipient's language and time
 * zone, with links of the recipient's own. By the team's own server, else by the platform's, or by its reseller's webhook instead.
 */
export async function sendMail(means: Means, given: Given, outgoing: OutgoingMail): Promise<Sent> {
  const begun = performance.now()
  const ended = (rest: Pick<Sent, 'isDelivered' | 'error' | 'answer'>): Sent => ({
    status: null,
    durationMs: Math.round(performance.now() - begun),
    ...rest,
  })
  const { platform } = means
  const { tenantId } = given.channel
  const standing = await readMailSettings(platform, tenantId)
  if (!standing) throw new Error('The tenant of a channel is gone.')
  const named = outgoing.recipients.filter(isAddress)
  const reachable = await reachableOf(platform, tenantId, named)
  const recipients = named.filter(address => reachable.has(address.toLowerCase()))
  if (recipients.length === 0)
    return ended({
      isDelivered: false,
      error: 'unconfirmed',
      answer: 'No recipient has confirmed to get mail from this team.',
    })
  const readers = await readersOf(platform, tenantId, { ...outgoing, recipients })
  const served = new Set(await servedOf(platform, given.id))
  const unserved = readers.flatMap((reader): Addressed[] => {
    const mark = recipientMark(means.config.secretKey, given.channel.id, reader.address).toString('base64url')
    return served.has(mark) ? [] : [{ reader, mark, mail: outgoing.mailFor(reader.address) }]
  })
  const isDiverted = await Promise.all(unserved.map(addressed => divertOne(means, given, standing, addressed)))
  const outcomes: Outcome[] = isDiverted.flatMap(is => (is ? ['diverted'] : []))
  const left = unserved.filter((_, index) => !isDiverted[index])

  const isBudgeted = standing.custom === null && left.length > 0
  if (isBudgeted && !(await takeBudget(platform, tenantId, standing.mailsPerDay, left.length)))
    return ended({
      isDelivered: false,
      error: 'mail_budget',
      answer: `The team’s budget of ${standing.mailsPerDay} mails a day is used up.`,
    })

  const mailer = means.mailer ?? new Mailer(means)
  try {
    for (let first = 0; first < left.length && !outcomes.some(isOfServer); first += atOnce) {
      await keepClaim(platform, given.id)
      const some = left.slice(first, first + atOnce)
      outcomes.push(
        ...(await Promise.all(some.map(addressed => sendOne({ platform, mailer }, given, standing, addressed)))),
      )
    }
  } finally {
    if (mailer !== means.mailer) mailer.close()
    const sent = outcomes.filter(outcome => outcome !== 'diverted' && outcome.isSent).length
    if (isBudgeted && sent < left.length) await giveBack(platform, tenantId, left.length - sent)
  }

  const failures = outcomes.flatMap(outcome => (outcome === 'diverted' || outcome.isSent ? [] : [outcome]))
  const [failure] = failures
  const hasSomebody = failures.length < unserved.length || served.size > 0
  // what was refused for good is not tried again once others have it
  const isOver = !outcomes.some(isOfServer) && (failures.every(({ isForGood }) => isForGood) || given.isLast)
  if (!failure || (hasSomebody && isOver))
    return ended({ isDelivered: true, error: null, answer: told(outcomes, readers.length) })
  return ended({
    isDelivered: false,
    error: failure.why === 'timeout' ? 'timeout' : 'mail',
    answer: whyNot[failure.why],
  })
}

/** What became of one recipient's mail; `diverted`: the reseller's webhook was told instead. */
type Outcome = Posted | 'diverted'
type Failed = Extract<Posted, { isSent: false }>

/** Failures of a server, which the next recipient would meet as well. */
const isOfServer = (outcome: Outcome): boolean =>
  outcome !== 'diverted' && !outcome.isSent && outcome.why !== 'recipient' && outcome.why !== 'refused'

/** What one recipient is sent. `mark` stands for the address where it is written down who has the message. */
interface Addressed {
  reader: MailReader
  mark: string
  mail: ReturnType<OutgoingMail['mailFor']>
}

/** Whether the reseller's webhook is told in place of this recipient. */
async function divertOne(
  { platform, divert }: Means,
  given: Given,
  standing: MailSettings,
  { reader, mark, mail }: Addressed,
): Promise<boolean> {
  const recipient = { userId: null, email: reader.address, name: null, language: reader.language }
  const templateData = { ...mail.data, brand_name: standing.looks.brand_name }
  const { tenantId } = given.channel
  if (!(await divert?.({ id: null, tenantId, type: mail.type, recipient, templateData, createdAt: new Date() })))
    return false
  await noteServed(platform, given.id, mark)
  return true
}

async function sendOne(
  { platform, mailer }: { platform: Pool; mailer: Mailer },
  given: Given,
  standing: MailSettings,
  { reader: { address, language, timezone }, mark, mail }: Addressed,
): Promise<Posted> {
  const { tenantId } = given.channel
  const draft = {
    id: `delivery ${given.id} ${address}`,
    tenantId,
    type: mail.type,
    to: [{ name: null, address }],
    language,
    timezone,
  }
  const posted = await mailer.send(write(draft, mail.data, standing), standing)
  if (posted.isSent) await noteServed(platform, given.id, mark)
  return posted
}

async function servedOf(platform: Pool, id: string): Promise<string[]> {
  const row = await queries(platform)
    .selectFrom('deliveries')
    .where('id', '=', id)
    .select('mailed_to')
    .executeTakeFirst()
  return row?.mailed_to ?? []
}

const noteServed = (platform: Pool, id: string, mark: string): Promise<unknown> =>
  platform.query({
    name: 'deliveries-mailed',
    text: 'update deliveries set mailed_to = array_append(mailed_to, $2) where id = $1',
    values: [id, mark],
  })

const keepClaim = (platform: Pool, id: string): Promise<unknown> =>
  platform.query({
    name: 'deliveries-hold',
    text: `update deliveries set next_at = clock_timestamp() + interval '${claimS} seconds' where id = $1 and status in ('pending', 'retrying')`,
    values: [id],
  })

const whyNot: Record<Failed['why'], string> = {
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

/** What the log says of mails that left. */
function told(outcomes: readonly Outcome[], recipients: number): string | null {
  const sent = outcomes.flatMap(outcome => (outcome !== 'diverted' && outcome.isSent ? [outcome] : []))
  const diverted = outcomes.filter(outcome => outcome === 'diverted').length
  const refused = outcomes.length - diverted - sent.length + sent.reduce((sum, each) => sum + each.refused, 0)
  const fell = sent.find(each => each.fell !== null)?.fell ?? null
  const words = [
    diverted > 0 ? 'The reseller suppresses this mail: its webhook was told instead.' : '',
    fell === 'revoked' ? 'The plan no longer includes a mail server of one’s own: this went by the platform’s.' : '',
    fell !== null && fell !== 'revoked'
      ? `The team’s own mail server failed (${fell}): this went by the platform’s.`
      : '',
    sent.some(({ by }) => by === 'catcher') ? 'Kept for the operator to read: the platform has no mail server.' : '',
    refused > 0 ? `${refused} of ${recipients} recipients were refused.` : '',
  ].filter(Boolean)
  return words.length > 0 ? words.join(' ') : null
}
