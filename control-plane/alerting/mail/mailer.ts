import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import { Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { UnreadableSecret } from '#control-plane/base/secrets.ts'
import type { Config, PlatformMail } from '#control-plane/config.ts'
import { among, queries } from '#control-plane/db/queries.ts'
import { ours } from '#control-plane/tenancy/branding/effective.ts'
import { failureOf, isForGood, type SmtpFailure } from '#control-plane/tenancy/smtp/failure.ts'
import { openPassword } from '#control-plane/tenancy/smtp/password.ts'
import { senderOf } from '#control-plane/tenancy/smtp/sender.ts'
import { type Transport, wholeMs } from '#control-plane/tenancy/smtp/transport.ts'
import type { Guard } from '#egress/guard.ts'
import { compose, type EmailMessage, type Sender } from './email-message.ts'
import { keepMail } from './keep-mail.ts'
import type { CustomServer, MailSettings } from './mail-settings.ts'
import { noteFailure, noteSuccess } from './note.ts'
import { openPlatformTransport } from './platform.ts'
import { Transports } from './transports.ts'

export interface Means {
  platform: Pool
  log: Logger
  guard: Guard
  config: Pick<Config, 'baseUrl' | 'mail' | 'secretKey' | 'previousSecretKeys'>
}

/** What became of a mail. `fell`: why it did not leave by the server that was set for it. */
export type Posted =
  | { isSent: true; by: 'custom' | 'platform' | 'catcher'; fell: SmtpFailure | 'revoked' | null; refused: number }
  | { isSent: false; why: SmtpFailure; isForGood: boolean }

/** How long nothing is tried by a server that was just found unfit. */
const brokenMs = 60_000
const ofOneMail: readonly SmtpFailure[] = ['recipient', 'refused']

/** Brings one mail out of the house: by the server that is set for the tenant, else by the platform's, else into the catcher. */
export class Mailer {
  readonly #means: Means
  readonly #transports: Transports
  readonly #own: { settings: PlatformMail; transport: Transport } | undefined
  readonly #domain: string
  readonly #quarantine: Quarantine
  readonly #broken = new Map<string, { version: string; until: number; why: SmtpFailure }>()

  constructor(means: Means) {
    this.#means = means
    this.#quarantine = new Quarantine(means)
    const { guard, config } = means
    this.#transports = new Transports(guard, config)
    this.#own = config.mail && { settings: config.mail, transport: openPlatformTransport(config.mail, guard) }
    this.#domain = URL.parse(config.baseUrl)?.hostname ?? 'localhost'
  }

  close(): void {
    this.#transports.close()
    this.#own?.transport.close({ force: true })
  }

  /** Whether the passwords of these tenants' servers can be read by now. */
  async retry(tenants: readonly string[]): Promise<void> {
    const { platform, config } = this.#means
    const rows = await queries(platform)
      .selectFrom('smtp_configs')
      .where('tenant_id', '=', among(tenants))
      .select(['tenant_id', 'password'])
      .execute()
    const open = async ({ tenant_id, password }: (typeof rows)[number]) => {
      if (password !== null) openPassword(config, tenant_id, password)
      this.#broken.delete(tenant_id)
      await this.#quarantine.release('smtp_server', [tenant_id])
    }
    await eachIsolated(rows, open, ({ tenant_id }, error) =>
      this.#quarantine.add('smtp_server', [{ key: tenant_id, tenant: tenant_id, error }]),
    )
  }

  /** What the server that is set does not take leaves by the platform's at once, or is kept for the operator where there is none. */
  async send(letter: EmailMessage, { custom, isRevoked, looks }: MailSettings): Promise<Posted> {
    const unbranded = looks.brand_name === ours.brand_name ? this.#own?.settings.from.name : null
    const name = looks.notification_from_name ?? unbranded ?? looks.brand_name
    if (!custom) return this.#byPlatform(letter, { name, replyTo: null }, isRevoked ? 'revoked' : null)
    const tried = await this.#byCustom(letter, custom, name)
    if (tried.isSent) return tried
    this.#means.log.warn(
      { tenant_id: letter.tenantId, server_of: custom.tenant_id, mail: letter.type, why: tried.why },
      'a team’s own mail server took no mail',
    )
    return this.#byPlatform(letter, { name, replyTo: custom.from_address }, tried.why)
  }

  async #byCustom(letter: EmailMessage, server: CustomServer, name: string): Promise<Posted> {
    const { tenant_id: id, updated_at: version } = server
    const whyBroken = () => {
      const broken = this.#broken.get(id)
      return broken?.version === version && broken.until > performance.now() ? broken.why : undefined
    }
    const known = whyBroken()
    if (known) return { isSent: false, why: known, isForGood: false }
    const address = senderOf(server) ?? this.#own?.settings.from.address
    const sender: Sender = {
      name: server.from_name ?? name,
      address: address ?? `noreply@${this.#domain}`,
      replyTo: null,
    }
    try {
      const refused = await this.#transports.use(server, transport => this.#hand(transport, letter, sender))
      this.#broken.delete(id)
      if (server.failing_since !== null) await noteSuccess(this.#means.platform, server)
      return { isSent: true, by: 'custom', fell: null, refused }
    } catch (error) {
      if (error instanceof UnreadableSecret) await this.#quarantine.add('smtp_server', [{ key: id, tenant: id, error }])
      const failure = error instanceof UnreadableSecret ? 'auth' : failureOf(error)
      // one that waited for a connection when another found the server unfit
      const why = failure === 'protocol' ? (whyBroken() ?? failure) : failure
      if (!ofOneMail.includes(why)) {
        if (this.#broken.size > 10_000) this.#broken.clear()
        this.#broken.set(id, { version, until: performance.now() + brokenMs, why })
        this.#transports.leave(server)
        await noteFailure(this.#means.platform, server, why)
      }
      return { isSent: false, why, isForGood: isForGood(error) }
    }
  }

  async #byPlatform(
    letter: EmailMessage,
    from: Omit<Sender, 'address'>,
    fell: SmtpFailure | 'revoked' | null,
  ): Promise<Posted> {
    if (!this.#own) {
      await keepMail(this.#means.platform, this.#means.config, letter, { ...from, address: '' })
      return { isSent: true, by: 'catcher', fell, refused: 0 }
    }
    const { settings, transport } = this.#own
    try {
      const refused = await this.#hand(transport, letter, { ...from, address: settings.from.address })
      return { isSent: true, by: 'platform', fell, refused }
    } catch (error) {
      return { isSent: false, why: failureOf(error), isForGood: isForGood(error) }
    }
  }

  /** Answers how many recipients the server refused while it took others. */
  async #hand(transport: Transport, letter: EmailMessage, sender: Sender): Promise<number> {
    const { rejected } = await transport.sendMail({
      ...compose(letter, sender, this.#domain),
      signal: AbortSignal.timeout(wholeMs),
    })
    return rejected.length
  }
}
