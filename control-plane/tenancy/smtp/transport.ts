import { isIP } from 'node:net'
import { createTransport, type SMTPPoolOptions, type SMTPPoolSentMessageInfo, type Transporter } from 'nodemailer'
import type { Guard } from '#egress/guard.ts'
import type { SmtpRow } from './row.ts'

export type MailServer = Pick<SmtpRow, 'host' | 'encryption' | 'username'> & {
  port: number
  /** In the clear. */
  password: string | null
}
export type Transport = Transporter<SMTPPoolSentMessageInfo, SMTPPoolOptions>

const connectMs = 10_000
/** The longest time for one mail, from the queue to the server's last reply. */
export const wholeMs = 30_000

/** The options of every transport. */
export const defaultOptions = {
  pool: true,
  maxMessages: 100,
  // a connection that ended while idle is no failure of the server
  maxRequeues: 1,
  idleTimeout: 20_000,
  connectionTimeout: connectMs,
  greetingTimeout: connectMs,
  socketTimeout: 20_000,
  socketCloseTimeout: 1_000,
  maxResponseSize: 65_536,
  disableFileAccess: true,
  disableUrlAccess: true,
} as const

/**
 * Connections to a customer's mail server. The guard opens each one, and TLS with a verified certificate is required.
 */
export function openTransport(
  guard: Guard,
  { host, port, encryption, username, password }: MailServer,
  maxConnections: number,
): Transport {
  const isTls = encryption === 'ssl'
  const options: SMTPPoolOptions & { pool: true } = {
    ...defaultOptions,
    host,
    port,
    maxConnections,
    secure: isTls,
    requireTLS: true,
    ...(username !== null && { auth: { user: username, pass: password ?? '' } }),
    tls: { secureContext: guard.secureContext, ...(isIP(host) === 0 && { servername: host }) },
    getSocket(_, done) {
      const way = { host, port, signal: AbortSignal.timeout(connectMs) }
      const connecting = isTls ? guard.connectTrusted(way) : guard.connect(way)
      connecting.then(
        ({ socket }) => done(null, { connection: socket, secured: isTls }),
        error => done(error),
      )
    },
  }
  return createTransport(options)
}
