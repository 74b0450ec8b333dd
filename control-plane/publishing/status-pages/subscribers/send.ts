import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { moment } from '#contract/figures.ts'
import type { MailData } from '#contract/mails.ts'
import { redacted } from '#contract/mails.ts'
import { signatureHeaders } from '#control-plane/alerting/channels/kinds/sign.ts'
import type { Divert } from '#control-plane/alerting/deliveries/delivery.ts'
import { sendHttp } from '#control-plane/alerting/deliveries/send.ts'
import { type MailSettings, readMailSettings } from '#control-plane/alerting/mail/mail-settings.ts'
import type { Mailer, Posted } from '#control-plane/alerting/mail/mailer.ts'
import { write } from '#control-plane/alerting/mail/write.ts'
import { mintLink } from '#control-plane/base/mail-link.ts'
import type { End } from '#control-plane/base/queue/end.ts'
import { hashSecret } from '#control-plane/base/token-secret.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import type { Config } from '#control-plane/config.ts'
import { queries } from '#control-plane/db/queries.ts'
import { keptOriginOf, type Links, linkOf, linksOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import type { Guard } from '#egress/guard.ts'
import { languageOfTag } from '#locales/languages.ts'
import { fill, named, texts } from '#locales/texts.ts'
import { decryptAddress } from './address.ts'
import { activate } from './answer.ts'
import type { ClaimedMessage, Outcome } from './message.ts'
import { mayRead } from './reader.ts'
import { signingSecret, subscriptionLinks } from './tokens.ts'
import { Contents, type PageContent, type UpdateContent } from './update-content.ts'

export interface SendDeps {
  platform: Pool
  log: Logger
  config: Config
  guard: Pick<Guard, 'dispatcher' | 'refuseUrl'>
  mailer: Pick<Mailer, 'send'>
  divert: Divert
}

/** A page, with what its team has set for mail, and with its links. */
type Page = PageContent & { settings: MailSettings; links: Links }

const done = (outcome: Outcome): End<Outcome> => ({ how: 'done', outcome })
const leftOut = done('left_out')
const retry: End<Outcome> = { how: 'retry', why: 'not delivered' }

const settingsKeptMs = 5_000

/** Sends single messages to subscribers. */
export class Sender {
  readonly #deps: SendDeps
  readonly #contents: Contents
  readonly #settings = new LRUCache<string, Promise<MailSettings | null>>({ max: 1_000, ttl: settingsKeptMs })

  constructor(deps: SendDeps) {
    this.#deps = deps
    this.#contents = new Contents(deps.platform)
  }

  async send(message: ClaimedMessage): Promise<End<Outcome>> {
    const content = await this.#contents.page(message.page_id)
    if (!content) return leftOut
    const settings = await this.#settingsOf(message.tenant_id)
    if (!settings) return leftOut
    const page = { ...content, settings, links: await this.#linksOf(message, settings) }
    const isMail = message.channel === 'email'
    if (message.update_id === null) {
      if (message.state === 'active') return leftOut
      return isMail
        ? this.#askByMail(message, page)
        : message.channel === 'slack'
          ? this.#askInSlack(message, page)
          : this.#challenge(message, page)
    }
    if (message.state !== 'active' || !mayRead(message, this.#address(message))) return leftOut
    const update = await this.#contents.update(message.update_id)
    if (!update) return leftOut
    return isMail ? this.#mailUpdate(message, page, update) : this.#postUpdate(message, page, update)
  }

  #address({ subscriber_id, address }: ClaimedMessage): string {
    return decryptAddress(this.#deps.config, subscriber_id, address)
  }

  #pageUrl({ slug, hostname, links }: Page): string {
    return hostname === null ? `${links.origin}/status/${slug}` : `https://${hostname}`
  }

  /** Planned work has no page of its own. */
  #updateUrl(page: Page, { post_id }: UpdateContent): string {
    return post_id === null ? this.#pageUrl(page) : `${this.#pageUrl(page)}/incidents/${post_id}`
  }

  async #askByMail(message: ClaimedMessage, page: Page): Promise<End<Outcome>> {
    const confirm_url = await this.#mintLink(message, page)
    const data = { page_name: page.name, page_url: this.#pageUrl(page), confirm_url }
    // the platform's own server: a link that proves an address never passes one that the team controls
    return this.#post(message, 'subscription_confirm', data, page, { ...page.settings, custom: null, isRevoked: false })
  }

  async #mailUpdate(message: ClaimedMessage, page: Page, update: UpdateContent): Promise<End<Outcome>> {
    const { settings } = page
    const { title, impact, phase, body, components, updated_at, starts_at, ends_at } = update
    const data: MailData<'status_page_subscription'> = {
      page_name: page.name,
      page_url: this.#pageUrl(page),
      title,
      impact,
      phase,
      body,
      components,
      updated_at,
      timezone: page.timezone,
      ...(starts_at !== null && ends_at !== null && { starts_at, ends_at }),
      incident_url: this.#updateUrl(page, update),
      ...subscriptionLinks(this.#deps.config, page.links, message.subscriber_id),
    }
    const type = 'status_page_subscription'
    const recipient = { userId: null, email: this.#address(message), name: null, language: message.locale }
    const templateData = { ...redacted(type, data), brand_name: settings.branding.brand_name }
    const mail = { id: null, tenantId: message.tenant_id, type, recipient, templateData, createdAt: new Date() }
    if (await this.#deps.divert(mail)) return done('suppressed')
    return this.#post(message, type, data, page, settings)
  }

  async #post<Type extends 'subscription_confirm' | 'status_page_subscription'>(
    message: ClaimedMessage,
    type: Type,
    data: MailData<Type>,
    page: Page,
    settings: MailSettings,
  ): Promise<End<Outcome>> {
    const branded = { ...settings, branding: { ...settings.branding, ...brandOfPage(page) } }
    const draft = {
      id: `subscriber message ${message.id}`,
      tenantId: message.tenant_id,
      type,
      to: [{ name: null, address: this.#address(message) }],
      language: message.locale,
      timezone: page.timezone,
    }
    const posted: Posted = await this.#deps.mailer.send(write(draft, data, branded), branded, {
      isFirst: message.attempts === 0,
    })
    if (posted.isSent) return done('sent')
    return posted.isForGood ? done('refused') : { how: 'retry', why: posted.why, afterS: posted.waitS ?? 0 }
  }

  async #askInSlack(message: ClaimedMessage, page: Page): Promise<End<Outcome>> {
    const confirm = await this.#mintLink(message, page)
    const { slack } = texts('mails', languageOfTag(message.locale)).subscription_confirm
    return this.#postJson(message, slackText(fill(slack, { page_name: page.name, confirm_url: confirm })))
  }

  /** The webhook must repeat the challenge: as the whole answer, or as the member `challenge` of its JSON. */
  async #challenge(message: ClaimedMessage, page: Page): Promise<End<Outcome>> {
    const { platform, config } = this.#deps
    const challenge = new URL(await this.#mintLink(message, page)).hash.slice(1)
    const body = JSON.stringify({
      type: 'subscription.challenge',
      challenge,
      signing_secret: signingSecret(config, message.subscriber_id),
      page: { name: page.name, url: this.#pageUrl(page) },
    })
    const sent = await this.#request(message, body)
    if (!sent.isDelivered) return retry
    if (!isEcho(sent.answer ?? '', challenge)) return done('refused')
    const isActive = await inTransaction(platform, async client => {
      const subscriber = await queries(client)
        .selectFrom('status_page_subscribers')
        .where('id', '=', message.subscriber_id)
        .where('token_hash', '=', hashSecret(challenge))
        .select(['id', 'tenant_id'])
        .forUpdate()
        .executeTakeFirst()
      return subscriber !== undefined && activate(client, subscriber, new Date())
    })
    return isActive ? done('sent') : leftOut
  }

  async #postUpdate(message: ClaimedMessage, page: Page, update: UpdateContent): Promise<End<Outcome>> {
    const { unsubscribe_url } = subscriptionLinks(this.#deps.config, page.links, message.subscriber_id)
    const url = this.#updateUrl(page, update)
    if (message.channel === 'slack') return this.#postJson(message, slackText(slackLines(message, page, update, url)))
    const { id, title, impact, phase, body, components, updated_at, starts_at, ends_at } = update
    const isMaintenance = update.post_id === null
    return this.#postJson(message, {
      type: isMaintenance ? 'status_page.maintenance' : 'status_page.update',
      page: { id: page.id, name: page.name, url: this.#pageUrl(page) },
      ...(isMaintenance
        ? { maintenance: { id: update.window_id, title, url, components, starts_at, ends_at } }
        : { incident: { id: update.post_id, title, impact, url, components } }),
      update: { id, phase, body, updated_at },
      unsubscribe_url,
    })
  }

  async #postJson(message: ClaimedMessage, body: object): Promise<End<Outcome>> {
    const sent = await this.#request(message, JSON.stringify(body))
    if (sent.isDelivered) return done('sent')
    return sent.error === 'blocked' || sent.status === 410 ? done('refused') : retry
  }

  #request(message: ClaimedMessage, body: string) {
    const { config, guard } = this.#deps
    const attempt = { id: `msg_${message.id}`, at: Math.floor(Date.now() / 1_000) }
    const secrets = message.channel === 'webhook' ? [signingSecret(config, message.subscriber_id)] : []
    const headers = { 'Content-Type': 'application/json', ...signatureHeaders(secrets, attempt, body) }
    return sendHttp(guard, { url: this.#address(message), headers, body })
  }

  /** A new link that confirms. Links of earlier questions become void. */
  async #mintLink({ subscriber_id }: ClaimedMessage, { links }: Page): Promise<string> {
    const { hash, url } = mintLink(`${links.baseUrl}/status-subscription/confirm`)
    await queries(this.#deps.platform)
      .updateTable('status_page_subscribers')
      .set({ token_hash: hash })
      .where('id', '=', subscriber_id)
      .where('state', '<>', 'active')
      .execute()
    return linkOf(links, url)
  }

  async #linksOf({ tenant_id }: ClaimedMessage, { branding }: MailSettings): Promise<Links> {
    const team = { id: tenant_id, brandName: branding.brand_name }
    return linksOf(this.#deps.config.baseUrl, await keptOriginOf(this.#deps, tenant_id), team)
  }

  #settingsOf(tenantId: string): Promise<MailSettings | null> {
    const known = this.#settings.get(tenantId)
    if (known) return known
    const reading = readMailSettings(this.#deps.platform, tenantId)
    this.#settings.set(tenantId, reading)
    reading.catch(() => this.#settings.delete(tenantId))
    return reading
  }
}

/** What a page sets of its own goes before the branding of the team. */
const brandOfPage = ({ name, primary_color, logo_url, logo_url_dark, hide_powered_by }: PageContent) => ({
  brand_name: name,
  notification_from_name: name,
  ...(primary_color !== null && { primary_color }),
  ...(logo_url !== null && { logo_url, logo_url_dark }),
  ...(hide_powered_by !== null && { hide_powered_by }),
})

/** Of planned work also how far it is, and when it begins and ends. */
function slackLines({ locale }: ClaimedMessage, page: Page, update: UpdateContent, url: string): string {
  const { title, body, starts_at, ends_at } = update
  if (starts_at === null || ends_at === null) return [`${page.name}: ${title}`, body, url].join('\n')
  const language = languageOfTag(locale)
  const [from, until] = [starts_at, ends_at].map(at =>
    moment(Date.parse(at), { language, zone: page.timezone, style: 'full' }),
  )
  const said = named(texts('mails', language).status_page_subscription.phases, update.phase)
  return [`${page.name}: ${said}: ${title}`, `${from} – ${until}`, ...(body === '' ? [] : [body]), url].join('\n')
}

/** Plain text, in which Slack finds no mentions or formats; links are found all the same. */
const slackText = (text: string) => ({
  text: text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').slice(0, 3_000),
  unfurl_links: false,
  unfurl_media: false,
})

function isEcho(answer: string, challenge: string): boolean {
  if (answer.trim() === challenge) return true
  try {
    const parsed: unknown = JSON.parse(answer)
    return typeof parsed === 'object' && parsed !== null && 'challenge' in parsed && parsed.challenge === challenge
  } catch {
    return false
  }
}
