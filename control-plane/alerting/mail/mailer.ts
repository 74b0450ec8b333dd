import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import { Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { UnreadableSecret } from '#control-plane/base/secrets.ts'
import type { Config, PlatformMail } from '#control-plane/config.ts'
import { among, queries } from '#control-plane/db/queries.ts'
import { ours } from '#control-plane/tenancy/branding/effective.ts'
import { failureOf, hasNoMailbox, isForGood, isForNow, type SmtpFailure } from '#control-plane/tenancy/smtp/failure.ts'
import { decryptPassword } from '#control-plane/tenancy/smtp/password.ts'
import { senderOf } from '#control-plane/tenancy/smtp/sender.ts'
import { type Transport, wholeMs } from '#control-plane/tenancy/smtp/transport.ts'
import type { Guard } from '#egress/guard.ts'
import { compose, type EmailMessage, type Sender } from './email-message.ts'
import type { CustomServer, MailSettings } from './mail-settings.ts'
import { noteFailure, noteSuccess } from './note.ts'
import { openPlatformTransport } from './platform.ts'
import { storeMail } from './store-mail.ts'
import { Transports } from './transports.ts'

export interface MailerDeps {
  platform: Pool
  log: Logger
  guard: Guard
  config: Pick<Config, 'baseUrl' | 'mail' | 'secretKey' | 'previousSecretKeys'>
}

/** The outcome of a mail. `fell`: why the configured server did not send it. */
export type Posted =
  | { isSent: true; by: 'custom' | 'platform' | 'catcher'; fell: SmtpFailure | 'revoked' | null; refused: number }
  | {
      isSent: false
      why: SmtpFailure
      isForGood: boolean
      isKept?: boolean
      /** The server says that the recipient has no mailbox. */
      hasNoMailbox?: boolean
      /** Seconds after which the configured server is to be tried again: it refused the mail for now. */
      waitS?: number
    }

/** How long a server is skipped after a failure. */
const brokenMs = 60_000
/** After how many seconds a server that refused a mail for now (4xx) gets it once more. */
const forNowS = 60
const ofOneMail: readonly SmtpFailure[] = ['recipient', 'refused']

/** Sends a mail by the server that is configured for the tenant, else by the platform's, else to the mail sink. */
export class Mailer {
  readonly #deps: MailerDeps
  readonly #transports: Transports
  readonly #own: { settings: PlatformMail; transport: Transport } | undefined
  readonly #domain: string
  readonly #quarantine: Quarantine
  readonly #broken = new Map<string, { version: string; until: number; why: SmtpFailure }>()

  constructor(deps: MailerDeps) {
    this.#deps = deps
    this.#quarantine = new Quarantine(deps)
    const { guard, config } = deps
    this.#transports = new Transports(guard, config)
    this.#own = config.mail && { settings: config.mail, transport: openPlatformTransport(config.mail, guard) }
    this.#domain = URL.parse(config.baseUrl)?.hostname ?? 'localhost'
  }

  close(): void {
    this.#transports.close()
    this.#own?.transport.close({ force: true })
  }

  /** Reads the quarantined passwords of these tenants' servers again. */
  async retry(tenants: readonly string[]): Promise<void> {
    const { platform, config } = this.#deps
    const rows = await queries(platform)
      .selectFrom('smtp_configs')
      .where('tenant_id', '=', among(tenants))
      .select(['tenant_id', 'password'])
      .execute()
    const open = async ({ tenant_id, password }: (typeof rows)[number]) => {
      if (password !== null) decryptPassword(config, tenant_id, password)
      this.#broken.delete(tenant_id)
      await this.#quarantine.release('smtp_server', [tenant_id])
    }
    await eachIsolated(rows, open, ({ tenant_id }, error) =>
      this.#quarantine.add('smtp_server', [{ key: tenant_id, tenant: tenant_id, error }]),
    )
  }

  /**
   * Sends a mail. If the configured server fails, the platform's sends it at once; without one the mail sink keeps it,
   * which reaches no recipient. Where the configured server says that the recipient has no mailbox, no other gets it;
   * where it refuses the mail for now and `isFirst`, the caller sends it again after `waitS`.
   * `isLast`: where it is given and no other attempt follows; the mail then is not sent.
   */
  async send(
    email: EmailMessage,
    { custom, isRevoked, branding }: MailSettings,
    { isFirst = false, isLast }: { isFirst?: boolean; isLast?: boolean } = {},
  ): Promise<Posted> {
    const unbranded = branding.brand_name === ours.brand_name ? this.#own?.settings.from.name : null
    const name = branding.notification_from_name ?? unbranded ?? branding.brand_name
    if (!custom) return this.#byPlatform(email, { name, replyTo: null }, isRevoked ? 'revoked' : null)
    const tried = await this.#byCustom(email, custom, { name, isFirst })
    if (tried.isSent) return tried
    this.#deps.log.warn(
      { tenant_id: email.tenantId, server_of: custom.tenant_id, mail: email.type, why: tried.why },
      'custom mail server failure',
    )
    if (tried.hasNoMailbox || tried.waitS !== undefined) return tried
    const from = { name, replyTo: custom.from_address }
    if (this.#own || isLast === undefined) return this.#byPlatform(email, from, tried.why)
    if (isLast || tried.isForGood) await this.#keep(email, from)
    return { ...tried, isKept: isLast || tried.isForGood }
  }

  async #byCustom(
    email: EmailMessage,
    server: CustomServer,
    { name, isFirst }: { name: string; isFirst: boolean },
  ): Promise<Posted> {
    const { tenant_id: id, updated_at: version } = server
    const whyBroken = () => {
      const broken = this.#broken.get(id)
      return broken?.version === version && broken.until > performance.now() ? broken.why : undefined
    }
    const known = whyBroken()
    if (known) return { isSent: false, why: known, isForGood: false }
    const address = senderOf(server)
    // with the platform's address the mail would be refused, and show the operator to a reseller's customer
    if (address === null) {
      if (server.failing_since === null) await noteFailure(this.#deps.platform, server, 'sender')
      return { isSent: false, why: 'sender', isForGood: false }
    }
    const sender: Sender = { name: server.from_name ?? name, address, replyTo: null }
    try {
      const refused = await this.#transports.use(server, transport => this.#transmit(transport, email, sender))
      this.#broken.delete(id)
      if (server.failing_since !== null) await noteSuccess(this.#deps.platform, server)
      return { isSent: true, by: 'custom', fell: null, refused }
    } catch (error) {
      if (error instanceof UnreadableSecret) await this.#quarantine.add('smtp_server', [{ key: id, tenant: id, error }])
      const failure = error instanceof UnreadableSecret ? 'auth' : failureOf(error)
      // this mail waited for a connection when another mail met the failure
      const why = failure === 'protocol' ? (whyBroken() ?? failure) : failure
      if (isFirst && isForNow(error)) return { isSent: false, why, isForGood: false, waitS: forNowS }
      if (!ofOneMail.includes(why)) {
        if (this.#broken.size > 10_000) this.#broken.clear()
        this.#broken.set(id, { version, until: performance.now() + brokenMs, why })
        this.#transports.closeServer(server)
        await noteFailure(this.#deps.platform, server, why)
      }
      return { isSent: false, why, isForGood: isForGood(error), hasNoMailbox: hasNoMailbox(error) }
    }
  }

  async #byPlatform(
    email: EmailMessage,
    from: Omit<Sender, 'address'>,
    fell: SmtpFailure | 'revoked' | null,
  ): Promise<Posted> {
    if (!this.#own) {
      await this.#keep(email, from)
      return { isSent: true, by: 'catcher', fell, refused: 0 }
    }
    const { settings, transport } = this.#own
    try {
      const refused = await this.#transmit(transport, email, { ...from, address: settings.from.address })
      return { isSent: true, by: 'platform', fell, refused }
    } catch (error) {
      return {
        isSent: false,
        why: failureOf(error),
        isForGood: isForGood(error),
        hasNoMailbox: hasNoMailbox(error),
      }
    }
  }

  #keep(email: EmailMessage, from: Omit<Sender, 'address'>): Promise<void> {
    return storeMail(this.#deps.platform, this.#deps.config, email, { ...from, address: '' })
  }

  /** Returns how many recipients the server refused while it accepted others. */
  async #transmit(transport: Transport, email: EmailMessage, sender: Sender): Promise<number> {
    const { rejected } = await transport.sendMail({
      ...compose(email, sender, this.#domain),
      signal: AbortSignal.timeout(wholeMs),
    })
    return rejected.length
  }
}
