import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { isMailType, mails, pagesOf, provesAddress, redacted } from '#contract/mails.ts'
import type { Divert } from '#control-plane/alerting/deliveries/delivery.ts'
import { noteRefused, noteTaken } from '#control-plane/alerting/recipients/refused.ts'
import type { Listener } from '#control-plane/base/listen.ts'
import type { Metrics } from '#control-plane/base/metrics.ts'
import { BadRowError } from '#control-plane/base/quarantine/reason.ts'
import type { End } from '#control-plane/base/queue/end.ts'
import { Queue } from '#control-plane/base/queue/queue.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { activeSpan, noTracing, type Span, type Tracing } from '#control-plane/base/tracing.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import { decryptMail } from '#control-plane/outbox/mail.ts'
import type { EffectiveBranding } from '#control-plane/tenancy/branding/effective.ts'
import { webhookSecretOf } from '#control-plane/tenancy/branding/webhook-secret.ts'
import { upgradeLink } from '#control-plane/tenancy/plans/upgrade-link.ts'
import { planAbove } from '#control-plane/tenancy/plans/upsell.ts'
import { linksOf, originOf, withLinks } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { goesOn, isAboutAccount } from '#control-plane/tenancy/team-states/state.ts'
import { type Attachment, isAddress } from './email-message.ts'
import { type MailSettings, readMailSettings } from './mail-settings.ts'
import type { Mailer } from './mailer.ts'
import { claimMails, mailTable, payloadOf, settleMails, type WaitingMail } from './queue.ts'
import { write } from './write.ts'

/** A mail that may have an attachment. Its data are the reference: the file is made when the mail is sent. */
export interface AttachableMail {
  tenantId: string
  type: string
  data: Record<string, unknown>
  language: string
  branding: EffectiveBranding
}

/** Makes the attachment of a mail, or none; `later`: it cannot be made at the moment. */
export type Attach = (mail: AttachableMail) => Promise<Attachment | null | 'later'>

export interface MailWorkerOptions {
  platform: Pool
  listener: Pick<Listener, 'on' | 'onMissed'>
  log: Logger
  metrics: Pick<Metrics, 'mails'>
  tracing?: Tracing
  mailer: Mailer
  config: Keyring & { baseUrl: string }
  /** Sends a mail to the reseller's webhooks instead, where the reseller suppresses it. */
  divert: Divert
  attach: Attach
}

type Outcome = 'custom' | 'platform' | 'catcher' | 'suppressed' | 'forgotten'

/** Few mails of one tenant at once: a server that hangs must leave slots for other tenants. */
const pace = { atOnce: 40, ofKey: 6, claimed: 40 }
/** How long a mail waits for an attachment that cannot be made at the moment. */
const attachAgainS = 5

/** Sends the mails of the outbox. */
export class MailWorker {
  readonly #options: MailWorkerOptions
  readonly queue: Queue<WaitingMail, Outcome>

  constructor(options: MailWorkerOptions) {
    this.#options = options
    this.queue = new Queue({
      ...options,
      name: 'mail',
      notice: 'mails',
      table: mailTable,
      pace,
      claim: claimMails(options.platform),
      settle: settleMails(options.platform),
      handle: mail => this.#send(mail),
      isLate: ({ is_late }) => is_late,
      onSettled: (mail, end) => this.#count(mail, end),
      beginSpan: mail => this.#beginSpan(mail),
    })
  }

  /** A part of the trace whose transaction wrote the mail. */
  #beginSpan(mail: WaitingMail): Span | undefined {
    const { tracing = noTracing } = this.#options
    const type = knownType(mail)
    return tracing.begin({
      name: `send mail ${type}`,
      kind: 'client',
      stored: payloadOf(mail)?.traceparent,
      attributes: {
        'vedette.mail.type': type,
        'vedette.team.id': mail.tenant_id,
        'vedette.delivery.attempt': mail.attempts + 1,
      },
    })
  }

  async #send(mail: WaitingMail): Promise<End<Outcome>> {
    const { platform, mailer, divert, attach, config, log } = this.#options
    const { id, tenant_id: tenantId, type } = mail
    const found = await readMailSettings(platform, tenantId)
    if (!found) return { how: 'dead', why: 'unreadable' }
    const payload = payloadOf(mail)
    if (!payload || !isMailType(type)) throw new BadRowError('The mail is of a type or a shape that is not known here.')
    if (!goesOn(isAboutAccount(type) ? 'account_mails' : 'mails', found.moments))
      return { how: 'done', outcome: 'forgotten' }
    const settings = provesAddress(type) ? { ...found, custom: null, isRevoked: false } : found
    const { user_id: userId, email, name, language } = payload.recipient
    if (!isAddress(email)) return { how: 'dead', why: 'recipient' }
    const plain = decryptMail(config, type, payload.data)
    const team = { id: tenantId, brandName: settings.branding.brand_name }
    const links = linksOf(config.baseUrl, await originOf(platform, config, tenantId), team)
    const whole = { ...plain, ...pagesOf(type, config.baseUrl) }
    const data = mails[type].keepsHost ? whole : withLinks(whole, links)
    const templateData = { ...redacted(type, data), brand_name: settings.branding.brand_name }
    const recipient = { userId, email, name, language }
    const createdAt = new Date(mail.created_at)
    if (await divert({ id, tenantId, type, recipient, templateData, createdAt }))
      return { how: 'done', outcome: 'suppressed' }
    const shown = mails[type].schema.parse(settings.custom ? redacted(type, data) : data)
    const branding = this.#withUpgradeLink(tenantId, settings)
    // a mail that waited for a day is sent without
    const attached = mail.is_late ? null : await attach({ tenantId, type, data, language, branding })
    if (attached === 'later') return { how: 'wait', seconds: attachAgainS }
    const timezone = await timezoneOf(platform, userId)
    const draft = { id: `mail ${id}`, tenantId, type, to: [{ name, address: email }], language, timezone }
    const message = { ...write(draft, shown, { branding }), ...(attached && { attachments: [attached] }) }
    const posted = await mailer.send(message, settings, { isFirst: mail.attempts === 0 })
    const note = posted.isSent ? posted.by !== 'catcher' && noteTaken : posted.hasNoMailbox && noteRefused
    // the mail server has answered: the mail is not sent again because its answer could not be noted
    if (note)
      await note(platform, tenantId, email).catch(error =>
        log.warn({ err: error, tenant_id: tenantId, mail_id: id }, 'answer of a mail server not noted'),
      )
    if (!posted.isSent)
      return posted.isForGood
        ? { how: 'dead', why: posted.why }
        : { how: 'retry', why: posted.why, ...(posted.waitS !== undefined && { afterS: posted.waitS }) }
    if (posted.fell !== null)
      log.warn(
        { tenant_id: tenantId, mail_id: id, mail: type, fell: posted.fell, by: posted.by },
        'mail fallback to the platform server',
      )
    return { how: 'done', outcome: posted.by }
  }

  /** The upgrade page opens with the team and its plan, signed as in the app. */
  #withUpgradeLink(tenantId: string, { branding, plan, reseller }: MailSettings): EffectiveBranding {
    if (branding.upgrade_url === null) return branding
    const secret = reseller && webhookSecretOf(this.#options.config, reseller)
    const upgrade = { tenantId, plan, suggestedPlan: planAbove(plan), secret, at: new Date() }
    return { ...branding, upgrade_url: upgradeLink(branding.upgrade_url, upgrade) }
  }

  #count(mail: WaitingMail, end: End<Outcome>): void {
    if (end.how === 'wait' || end.how === 'left') return
    const outcome = end.how === 'done' ? end.outcome : end.how === 'retry' ? 'retried' : 'dead'
    this.#options.metrics.mails.inc({ type: knownType(mail), outcome })
    activeSpan()?.set({ 'vedette.mail.outcome': outcome })
    if (end.how === 'done') return
    activeSpan()?.fail(outcome)
    if (end.how === 'dead')
      this.#options.log.error(
        { tenant_id: mail.tenant_id, mail_id: mail.id, mail: mail.type, why: end.why },
        'mail given up',
      )
  }
}

const knownType = ({ type }: WaitingMail) => (isMailType(type) ? type : 'unknown')

const timezone = prepared(
  'mails-timezone',
  (userId: string) => sql<Row<'users', 'timezone'>>`select timezone from users where id = ${userId}`,
)

/** The time zone of a user; UTC for a recipient without an account. */
async function timezoneOf(platform: Pool, userId: string | null): Promise<string> {
  if (userId === null) return 'UTC'
  const [row] = await rows(platform, timezone(userId))
  return row?.timezone ?? 'UTC'
}
