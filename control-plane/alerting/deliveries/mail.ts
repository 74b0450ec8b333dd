import { sql } from 'kysely'
import type { Pool } from 'pg'
import { recipientMark } from '#control-plane/alerting/acknowledge-links/token.ts'
import type { OutgoingMail } from '#control-plane/alerting/channels/kinds/kind.ts'
import { isAddress } from '#control-plane/alerting/mail/email-message.ts'
import { type MailSettings, readMailSettings } from '#control-plane/alerting/mail/mail-settings.ts'
import { Mailer, type Posted } from '#control-plane/alerting/mail/mailer.ts'
import { write } from '#control-plane/alerting/mail/write.ts'
import { returnBudget, takeBudget } from '#control-plane/alerting/recipients/budget.ts'
import { noteRefused, noteTaken } from '#control-plane/alerting/recipients/refused.ts'
import { reachableOf } from '#control-plane/alerting/recipients/states.ts'
import { prepared, queries, type Row, rows } from '#control-plane/db/queries.ts'
import type { AttemptDeps, Channel } from './delivery.ts'
import { type MailReader, readersOf } from './readers.ts'
import { sameMailsOf } from './same-mail.ts'
import type { Sent } from './send.ts'

/** How long a claim lasts: longer than two mail servers may take for `atOnce` mails. */
const claimS = 90
/** As many as the connections to a team's own mail server. */
const atOnce = 3

interface MailDelivery {
  id: string
  channel: Channel
  isFirst: boolean
  isLast: boolean
}

/**
 * Sends a message once to each recipient of an e-mail channel who has not got it yet: in the recipient's language and
 * time zone, with the recipient's own links. It is sent by the team's own server, else by the platform's. Where the
 * reseller suppresses the mail, its webhook gets it instead.
 */
export async function sendMail(deps: AttemptDeps, delivery: MailDelivery, outgoing: OutgoingMail): Promise<Sent> {
  const begun = performance.now()
  const ended = (rest: Pick<Sent, 'isDelivered' | 'error' | 'answer' | 'isKept'>): Sent => ({
    status: null,
    durationMs: Math.round(performance.now() - begun),
    ...rest,
  })
  const { platform } = deps
  const { tenantId } = delivery.channel
  const settings = await readMailSettings(platform, tenantId)
  if (!settings) throw new Error('The tenant of a channel is gone.')
  const addresses = outgoing.recipients.filter(isAddress)
  const reachable = await reachableOf(platform, tenantId, addresses)
  const recipients = addresses.filter(address => reachable.has(address.toLowerCase()))
  if (recipients.length === 0)
    return ended({
      isDelivered: false,
      error: 'unconfirmed',
      answer: 'No recipient has confirmed to get mail from this team.',
    })
  const readers = await readersOf(platform, tenantId, { ...outgoing, recipients })
  const { mailed_to, handed_to } = await servedOf(platform, delivery.id)
  const served = new Set(mailed_to)
  const same = await sameMailsOf(platform, delivery.id, recipients)
  const elsewhere = Map.groupBy(
    same.filter(({ is_first }) => is_first),
    ({ address }) => address,
  )
  const isElsewhere = ({ address }: MailReader) => elsewhere.has(address.toLowerCase())
  const unserved = readers.flatMap((reader): Addressed[] => {
    const mark = recipientMark(deps.config.secretKey, delivery.channel.id, reader.address).toString('base64url')
    if (served.has(mark) || isElsewhere(reader)) return []
    const isRefused = reachable.get(reader.address.toLowerCase())?.isRefused ?? false
    return [{ reader, mark, mail: outgoing.mailFor(reader.address), isRefused }]
  })
  const diverted = await Promise.all(unserved.map(addressed => divertOne(deps, delivery, settings, addressed)))
  const outcomes: Outcome[] = diverted.flatMap(to => (to ? ['diverted'] : []))
  const left = unserved.filter((_, index) => diverted[index] === false)

  const isBudgeted = settings.custom === null && left.length > 0
  if (isBudgeted && !(await takeBudget(platform, tenantId, settings.mailsPerDay, left.length)))
    return ended({
      isDelivered: false,
      error: 'mail_budget',
      answer: `The team’s budget of ${settings.mailsPerDay} mails a day is used up.`,
    })

  const mailer = deps.mailer ?? new Mailer(deps)
  try {
    for (let first = 0; first < left.length && !outcomes.some(isOfServer); first += atOnce) {
      await extendClaim(platform, delivery.id)
      const some = left.slice(first, first + atOnce)
      outcomes.push(
        ...(await Promise.all(some.map(addressed => sendOne({ platform, mailer }, delivery, settings, addressed)))),
      )
    }
  } finally {
    if (mailer !== deps.mailer) mailer.close()
    const sent = outcomes.filter(outcome => outcome !== 'diverted' && outcome.isSent).length
    if (isBudgeted && sent < left.length) await returnBudget(platform, tenantId, left.length - sent)
  }

  const first = [...elsewhere.values()].flat().map(({ delivery_id: id }) => id)
  const others = first.includes(null) ? [] : first.filter(id => id !== null)
  const failures = outcomes.flatMap(outcome => (outcome === 'diverted' || outcome.isSent ? [] : [outcome]))
  const [failure] = failures
  const hasMailed = outcomes.some(isMailed) || (served.size > 0 && handed_to.length === 0)
  const hasRecipient = failures.length < unserved.length || served.size > 0
  const waitS = Math.max(0, ...failures.map(each => each.waitS ?? 0))
  // a mail refused for good is not retried once another recipient has the message
  const isOver = !outcomes.some(isOfServer) && (failures.every(({ isForGood }) => isForGood) || delivery.isLast)
  if (!failure || (hasRecipient && isOver))
    return ended({
      isDelivered: true,
      error: null,
      answer: answerOf(outcomes, {
        recipients: readers.length,
        elsewhere: readers.filter(isElsewhere).length,
        alsoElsewhere: new Set(same.flatMap(({ address, is_first }) => (is_first ? [] : [address]))).size,
      }),
      isKept: outcomes.some(isKept),
      // what a recipient has got itself waits for nothing
      ...(!hasMailed && { handedTo: [...handed_to, ...diverted.flatMap(to => to || []), ...others] }),
    })
  return ended({
    isDelivered: false,
    error: failure.why === 'timeout' ? 'timeout' : 'mail',
    answer:
      whyNot[failure.why] +
      (failure.isKept ? ' Kept for the operator to read: the platform has no server.' : '') +
      (waitS > 0 ? ` For now: it gets the mail once more after ${waitS} seconds.` : ''),
    ...(waitS > 0 && { waitS }),
    ...(failure.isKept && { isKept: true }),
  })
}

/** The outcome of one recipient's mail; `diverted`: it was handed to the reseller's webhook instead. */
type Outcome = Posted | 'diverted'
type Failed = Extract<Posted, { isSent: false }>

/** Whether the server failed, so that mail to the next recipient would fail as well. */
const isOfServer = (outcome: Outcome): boolean =>
  outcome !== 'diverted' && !outcome.isSent && outcome.why !== 'recipient' && outcome.why !== 'refused'

const isMailed = (outcome: Outcome): boolean => outcome !== 'diverted' && outcome.isSent

const isKept = (outcome: Outcome) => outcome !== 'diverted' && outcome.isSent && outcome.by === 'catcher'

/** The mail of one recipient. `mark` is stored in place of the address to note who has the message. */
interface Addressed {
  reader: MailReader
  mark: string
  mail: ReturnType<OutgoingMail['mailFor']>
  /** The mail server said last that the address has no mailbox. */
  isRefused: boolean
}

/** Hands the mail to the reseller's webhooks instead, where the reseller suppresses it. Returns those deliveries. */
async function divertOne(
  { platform, divert }: AttemptDeps,
  delivery: MailDelivery,
  settings: MailSettings,
  { reader, mark, mail }: Addressed,
): Promise<string[] | false> {
  const recipient = { userId: null, email: reader.address, name: null, language: reader.language }
  const templateData = { ...mail.data, brand_name: settings.branding.brand_name }
  const { tenantId } = delivery.channel
  const to =
    (await divert?.({ id: null, tenantId, type: mail.type, recipient, templateData, createdAt: new Date() })) ?? false
  // the webhook is gone meanwhile
  if (!to || to.length === 0) return false
  await noteServed(platform, delivery.id, mark, to)
  return to
}

async function sendOne(
  { platform, mailer }: { platform: Pool; mailer: Mailer },
  delivery: MailDelivery,
  settings: MailSettings,
  { reader: { address, language, timezone }, mark, mail, isRefused }: Addressed,
): Promise<Posted> {
  const { tenantId } = delivery.channel
  const draft = {
    id: `delivery ${delivery.id} ${address}`,
    tenantId,
    type: mail.type,
    to: [{ name: null, address }],
    language,
    timezone,
  }
  const posted = await mailer.send(write(draft, mail.data, settings), settings, delivery)
  if (posted.isSent) {
    await noteServed(platform, delivery.id, mark)
    if (isRefused && posted.by !== 'catcher') await noteTaken(platform, tenantId, address)
  } else if (posted.hasNoMailbox) await noteRefused(platform, tenantId, address)
  return posted
}

async function servedOf(platform: Pool, id: string): Promise<Pick<Row<'deliveries'>, 'mailed_to' | 'handed_to'>> {
  const row = await queries(platform)
    .selectFrom('deliveries')
    .where('id', '=', id)
    .select(['mailed_to', 'handed_to'])
    .executeTakeFirst()
  return row ?? { mailed_to: [], handed_to: [] }
}

const addServed = prepared(
  'deliveries-mailed',
  (id: string, mark: string, handedTo: readonly string[]) => sql`
    update deliveries set mailed_to = array_append(mailed_to, ${mark}), handed_to = handed_to || ${handedTo}::uuid[]
    where id = ${id}`,
)

/** `handedTo`: the deliveries to the reseller's webhooks, where it was handed to them. */
const noteServed = (platform: Pool, id: string, mark: string, handedTo: readonly string[] = []): Promise<unknown> =>
  rows(platform, addServed(id, mark, handedTo))

const longer = prepared(
  'deliveries-extend-claim',
  (id: string) => sql`
    update deliveries set next_at = clock_timestamp() + interval '${sql.lit(claimS)} seconds'
    where id = ${id} and status in ('pending', 'retrying')`,
)

const extendClaim = (platform: Pool, id: string): Promise<unknown> => rows(platform, longer(id))

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

/** The answer that the notification log shows for sent mails. */
function answerOf(
  outcomes: readonly Outcome[],
  { recipients, elsewhere, alsoElsewhere }: { recipients: number; elsewhere: number; alsoElsewhere: number },
): string | null {
  const sent = outcomes.flatMap(outcome => (outcome !== 'diverted' && outcome.isSent ? [outcome] : []))
  const diverted = outcomes.filter(outcome => outcome === 'diverted').length
  const refused = outcomes.length - diverted - sent.length + sent.reduce((sum, each) => sum + each.refused, 0)
  const fell = sent.find(each => each.fell !== null)?.fell ?? null
  const sentences = [
    diverted > 0 ? 'The reseller suppresses this mail: it was handed to its webhook instead.' : '',
    fell === 'revoked' ? 'The plan no longer includes an own mail server: this was sent by the platform’s.' : '',
    fell !== null && fell !== 'revoked'
      ? `The team’s own mail server failed (${fell}): this was sent by the platform’s.`
      : '',
    sent.some(isKept) ? 'Kept for the operator to read: the platform has no mail server.' : '',
    elsewhere > 0
      ? `Sent once: to ${elsewhere} of ${recipients} recipients by another channel, or as the person who is called.`
      : '',
    alsoElsewhere > 0 ? `Sent once: another channel names ${alsoElsewhere} of ${recipients} recipients too.` : '',
    refused > 0 ? `${refused} of ${recipients} recipients were refused.` : '',
  ].filter(Boolean)
  return sentences.length > 0 ? sentences.join(' ') : null
}
