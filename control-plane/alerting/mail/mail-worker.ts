import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { isMailType, mails, pagesOf, provesAddress, redacted } from '#contract/mails.ts'
import type { Divert } from '#control-plane/alerting/deliveries/delivery.ts'
import { retryAfterS } from '#control-plane/alerting/deliveries/delivery.ts'
import { noteRefused, noteTaken } from '#control-plane/alerting/recipients/refused.ts'
import { isTransient } from '#control-plane/base/away.ts'
import type { Listener } from '#control-plane/base/listen.ts'
import { Loop } from '#control-plane/base/loop.ts'
import type { Metrics } from '#control-plane/base/metrics.ts'
import { putOffS, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { BadRowError } from '#control-plane/base/quarantine/reason.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { activeSpan, noTracing, type Span, type Tracing, within } from '#control-plane/base/tracing.ts'
import type { Row } from '#control-plane/db/queries.ts'
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
import { claimMails, forgetMail, giveUp, putOff, retryMails, type WaitingMail, waitWith } from './queue.ts'
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

type Outcome = 'custom' | 'platform' | 'catcher' | 'suppressed' | 'forgotten' | 'retried' | 'dead'

const mostAtOnce = 40
/** Mails of one tenant at once: a server that hangs must leave places for other tenants. */
const mostOfTenant = 4
const sweepMs = 2_000
/** How long to wait while a store is unavailable; no attempt is counted. */
const awayS = 5

/** Sends the mails of the outbox at least once, and retries failed ones after 10, 60 and 300 seconds. */
export class MailWorker {
  readonly #options: MailWorkerOptions
  readonly #underWay = new Map<string, { tenantId: string; ended: Promise<void> }>()
  readonly #loop: Loop
  readonly #quarantine: Quarantine

  constructor(options: MailWorkerOptions) {
    this.#options = options
    this.#quarantine = new Quarantine(options)
    this.#loop = new Loop({
      everyMs: sweepMs,
      round: () => this.#round(),
      log: options.log,
      failure: 'mail read failure',
      wake: { listener: options.listener, notice: 'mails' },
    })
  }

  start(): void {
    this.#loop.start()
  }

  /** Waits for the mails under way. */
  async stop(): Promise<void> {
    await this.#loop.stop()
    await Promise.all([...this.#underWay.values()].map(({ ended }) => ended))
  }

  /** Sends quarantined mails again. */
  async retry(ids: readonly string[]): Promise<void> {
    await this.#quarantine.release('mail', await retryMails(this.#options.platform, ids))
    this.#loop.wake()
  }

  async #round(): Promise<void> {
    const { platform, log } = this.#options
    for (let places = this.#places(); places > 0 && !this.#loop.isStopped; places = this.#places()) {
      const claimed = await claimMails(platform, places, this.#busyTenants(), mostOfTenant)
      if (claimed.length === 0) return
      for (const mail of claimed) {
        const ended = within(this.#beginSpan(mail), () => this.#send(mail))
          .catch(error => log.warn({ err: error, mail_id: mail.id, mail: mail.type }, 'mail outcome write failed'))
          .finally(() => {
            this.#underWay.delete(mail.id)
            this.#loop.wake()
          })
        this.#underWay.set(mail.id, { tenantId: mail.tenantId, ended })
      }
    }
  }

  #places(): number {
    return mostAtOnce - this.#underWay.size
  }

  #busyTenants(): string[] {
    const counts = new Map<string, number>()
    for (const { tenantId } of this.#underWay.values()) counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1)
    return [...counts].filter(([, count]) => count >= mostOfTenant).map(([tenantId]) => tenantId)
  }

  /** A part of the trace whose transaction wrote the mail. */
  #beginSpan({ type, tenantId, payload, attempts }: WaitingMail): Span | undefined {
    const { tracing = noTracing } = this.#options
    const known = isMailType(type) ? type : 'unknown'
    return tracing.begin({
      name: `send mail ${known}`,
      kind: 'client',
      stored: payload?.traceparent,
      attributes: { 'vedette.mail.type': known, 'vedette.team.id': tenantId, 'vedette.delivery.attempt': attempts + 1 },
    })
  }

  async #send(mail: WaitingMail): Promise<void> {
    const { platform, mailer, divert, attach, config, log } = this.#options
    const waitS = retryAfterS[mail.attempts]
    try {
      const { id, tenantId, type, payload, createdAt } = mail
      const found = await readMailSettings(platform, tenantId)
      if (!found) return await this.#giveUp(mail, 'unreadable')
      if (!payload || !isMailType(type))
        throw new BadRowError('The mail is of a type or a shape that is not known here.')
      if (!goesOn(isAboutAccount(type) ? 'account_mails' : 'mails', found.moments)) {
        await forgetMail(platform, id)
        return this.#count(mail, 'forgotten')
      }
      const settings = provesAddress(type) ? { ...found, custom: null, isRevoked: false } : found
      const { user_id: userId, email, name, language } = payload.recipient
      if (!isAddress(email)) return await this.#giveUp(mail, 'recipient')
      const plain = decryptMail(config, type, payload.data)
      const team = { id: tenantId, brandName: settings.branding.brand_name }
      const links = linksOf(config.baseUrl, await originOf(platform, config, tenantId), team)
      const whole = { ...plain, ...pagesOf(type, config.baseUrl) }
      const data = mails[type].keepsHost ? whole : withLinks(whole, links)
      const templateData = { ...redacted(type, data), brand_name: settings.branding.brand_name }
      if (await divert({ id, tenantId, type, recipient: { userId, email, name, language }, templateData, createdAt })) {
        await forgetMail(platform, id)
        return this.#count(mail, 'suppressed')
      }
      const shown = mails[type].schema.parse(settings.custom ? redacted(type, data) : data)
      const branding = this.#withUpgradeLink(tenantId, settings)
      // a mail that waited for a day is sent without
      const attached = mail.isLate ? null : await attach({ tenantId, type, data, language, branding })
      if (attached === 'later') return void (await waitWith(platform, id, awayS))
      const timezone = await timezoneOf(platform, userId)
      const draft = { id: `mail ${id}`, tenantId, type, to: [{ name, address: email }], language, timezone }
      const message = { ...write(draft, shown, { branding }), ...(attached && { attachments: [attached] }) }
      const posted = await mailer.send(message, settings, { isFirst: mail.attempts === 0 })
      if (!posted.isSent) {
        if (posted.hasNoMailbox) await noteRefused(platform, tenantId, email)
        if (posted.isForGood) return await this.#giveUp(mail, posted.why)
        return await this.#putOff(mail, posted.why, waitS === undefined ? waitS : Math.max(waitS, posted.waitS ?? 0))
      }
      await forgetMail(platform, mail.id)
      if (posted.by !== 'catcher') await noteTaken(platform, tenantId, email)
      this.#count(mail, posted.by)
      if (posted.fell !== null)
        log.warn(
          { tenant_id: mail.tenantId, mail_id: mail.id, mail: mail.type, fell: posted.fell, by: posted.by },
          'mail fallback to the platform server',
        )
    } catch (error) {
      log.warn({ err: error, tenant_id: mail.tenantId, mail_id: mail.id, mail: mail.type }, 'mail rendering failed')
      await this.#putOffUnreadable(mail, error)
    }
  }

  /** The upgrade page opens with the team and its plan, signed as in the app. */
  #withUpgradeLink(tenantId: string, { branding, plan, reseller }: MailSettings): EffectiveBranding {
    if (branding.upgrade_url === null) return branding
    const secret = reseller && webhookSecretOf(this.#options.config, reseller)
    const upgrade = { tenantId, plan, suggestedPlan: planAbove(plan), secret, at: new Date() }
    return { ...branding, upgrade_url: upgradeLink(branding.upgrade_url, upgrade) }
  }

  /** Quarantines a mail that cannot be rendered. It is retried for a day, then given up. */
  async #putOffUnreadable(mail: WaitingMail, error: unknown): Promise<void> {
    const { platform } = this.#options
    if (isTransient(error)) return void (await waitWith(platform, mail.id, awayS))
    if (mail.isLate) return this.#giveUp(mail, 'unreadable')
    const row = { key: mail.id, tenant: mail.tenantId, error }
    await this.#quarantine.putOff('mail', [row], client => waitWith(client, mail.id, putOffS))
  }

  async #putOff(mail: WaitingMail, why: string, waitS: number | undefined): Promise<void> {
    if (waitS === undefined) return this.#giveUp(mail, why)
    await putOff(this.#options.platform, mail, why, waitS)
    this.#count(mail, 'retried')
    this.#loop.wakeIn(waitS * 1_000 + 20)
  }

  async #giveUp(mail: WaitingMail, why: string): Promise<void> {
    await giveUp(this.#options.platform, mail, why)
    await this.#quarantine.release('mail', [mail.id])
    this.#count(mail, 'dead')
    this.#options.log.error({ tenant_id: mail.tenantId, mail_id: mail.id, mail: mail.type, why }, 'mail given up')
  }

  #count({ type }: WaitingMail, outcome: Outcome): void {
    this.#options.metrics.mails.inc({ type: isMailType(type) ? type : 'unknown', outcome })
    activeSpan()?.set({ 'vedette.mail.outcome': outcome })
    if (outcome === 'retried' || outcome === 'dead') activeSpan()?.fail(outcome)
  }
}

/** The time zone of a user; UTC for a recipient without an account. */
async function timezoneOf(platform: Pool, userId: string | null): Promise<string> {
  if (userId === null) return 'UTC'
  const { rows } = await platform.query<Row<'users', 'timezone'>>({
    name: 'mails-timezone',
    text: 'select timezone from users where id = $1',
    values: [userId],
  })
  return rows[0]?.timezone ?? 'UTC'
}
