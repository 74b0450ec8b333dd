import { pino } from 'pino'
import { type MailData, type MailType, mails } from '#contract/mails.ts'
import { type Attach, MailWorker } from '#control-plane/alerting/mail/mail-worker.ts'
import { Mailer } from '#control-plane/alerting/mail/mailer.ts'
import { createMetrics } from '#control-plane/base/metrics.ts'
import type { MailRecipient } from '#control-plane/base/side-effects.ts'
import type { PlatformMail } from '#control-plane/config.ts'
import { encryptMail } from '#control-plane/outbox/mail.ts'
import { mailPayload } from '#control-plane/outbox/unit-of-work.ts'
import { encryptPassword } from '#control-plane/tenancy/smtp/password.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { Authority, type KeyAndCert } from '#test/checks/certificates.ts'
import { eventually } from '#test/control-plane/serving.ts'
import { app } from '#test/support/app.ts'
import { MailServer, type MailServerOptions } from '#test/support/mail-server.ts'

const { platform, listener, config } = app.services

export const account = { user: 'mailer', password: 'pässword ✓' }

/**
 * An environment for mail: a certificate authority, mail servers of the test, and mailers and workers that use them.
 */
export class Town {
  readonly lines: Record<string, unknown>[] = []
  readonly #authority: Authority
  readonly #certificate: KeyAndCert
  readonly #open: { close(): unknown }[] = []

  private constructor(authority: Authority, certificate: KeyAndCert) {
    this.#authority = authority
    this.#certificate = certificate
  }

  static async found(): Promise<Town> {
    const authority = await Authority.make()
    return new Town(
      authority,
      await authority.issue({ names: ['mail.example.test', 'platform.example.test'], addresses: ['127.0.0.1'] }),
    )
  }

  /** Another environment with the same certificate authority. */
  branch(): Town {
    return new Town(this.#authority, this.#certificate)
  }

  async server(options: Partial<MailServerOptions> = {}): Promise<MailServer> {
    const server = await MailServer.open({ certificate: this.#certificate, ...options })
    this.#open.push(server)
    return server
  }

  /** A mailer like that of a control plane with this mail server of the platform. */
  mailer(mail?: PlatformMail, allow = '127.0.0.0/8'): Mailer {
    const guard = new Guard(parseAllowList(allow), {
      ca: [this.#authority.pem],
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    })
    const log = pino({ level: 'warn' }, { write: (line: string) => void this.lines.push(JSON.parse(line)) })
    const mailer = new Mailer({ platform, log, guard, config: { ...config, mail } })
    this.#open.push(mailer)
    return mailer
  }

  mailWorker(
    mailer: Mailer,
    divert: ConstructorParameters<typeof MailWorker>[0]['divert'] = async () => false,
    attach: Attach = async () => null,
  ) {
    const metrics = createMetrics()
    const log = pino({ level: 'warn' }, { write: (line: string) => void this.lines.push(JSON.parse(line)) })
    const { queue } = new MailWorker({ platform, listener, log, metrics, config, mailer, divert, attach })
    queue.start()
    this.#open.unshift({ close: () => queue.stop() })
    return {
      stop: () => queue.stop(),
      /** The number of mails by type and outcome. A mail is counted a moment after its row was deleted. */
      counted: async () =>
        Object.fromEntries(
          (await metrics.mails.get()).values.map(({ labels, value }): [string, number] => [
            `${labels.type} ${labels.outcome}`,
            value,
          ]),
        ),
    }
  }

  async close(): Promise<void> {
    for (const each of this.#open) await each.close()
  }
}

export const platformAt = ({ port }: { port: number }): PlatformMail => ({
  host: '127.0.0.1',
  port,
  isTls: true,
  username: null,
  password: null,
  from: { name: 'Platform', address: 'noreply@platform.example.test' },
})

interface Own {
  tenantId: string
  port: number
  encryption?: 'tls' | 'ssl'
  password?: string
  fromAddress?: string | null
  fromName?: string | null
}

/** Stores a mail server without the API, which would refuse the address of a test's server. */
export const setServer = async ({
  tenantId,
  port,
  encryption = 'tls',
  password = account.password,
  fromAddress = 'alerts@example.com',
  fromName = null,
}: Own) =>
  platform.query(
    `insert into smtp_configs (tenant_id, host, port, encryption, username, password, from_address, from_name)
     values ($1, 'mail.example.test', $2, $3, $4, $5, $6, $7)
     on conflict (tenant_id) do update
       set port = excluded.port, password = excluded.password, updated_at = clock_timestamp()`,
    [tenantId, port, encryption, account.user, encryptPassword(config, tenantId, password), fromAddress, fromName],
  )

export const aReader: MailRecipient = {
  userId: null,
  email: 'jürgen@example.net'.replace('ü', 'ue'),
  name: 'Jürgen Größe',
  language: 'de',
}

/** Writes a mail to the outbox, as the transaction of its cause would. Returns the id of the row. */
export async function ask<Type extends MailType>(
  tenantId: string,
  type: Type,
  { to = aReader, data = mails[type].example as MailData<Type> }: { to?: MailRecipient; data?: MailData<Type> } = {},
): Promise<string> {
  const { rows } = await platform.query<{ id: string }>(
    `with added as (
       insert into outbox (tenant_id, kind, name, payload, is_personal) values ($1, 'mail', $2, $3, true) returning id)
     select id, pg_notify('mails', '') from added`,
    [tenantId, type, JSON.stringify(mailPayload(to, encryptMail(config, type, data)))],
  )
  return rows[0]!.id
}

export interface Waiting {
  attempts: number
  error: string | null
  is_done: boolean
  wait_s: number
  payload: object
}

export async function rowOf(id: string): Promise<Waiting | undefined> {
  const { rows } = await platform.query<Waiting>(
    `select attempts, error, done_at is not null as is_done,
       extract(epoch from next_at - clock_timestamp())::float8 as wait_s, payload
     from outbox where id = $1`,
    [id],
  )
  return rows[0]
}

/** Waits until the mail has left the outbox. */
export const gone = (id: string) => eventually(async () => ((await rowOf(id)) ? undefined : true))

/** Waits until an attempt has failed, and makes the next one due. */
export async function failedAgain(id: string, attempts: number): Promise<Waiting> {
  const row = await eventually(async () => {
    const found = await rowOf(id)
    return found?.attempts === attempts ? found : undefined
  })
  if (!row.is_done)
    await platform.query(
      `with due as (update outbox set next_at = clock_timestamp() where id = $1) select pg_notify('mails', '')`,
      [id],
    )
  return row
}
