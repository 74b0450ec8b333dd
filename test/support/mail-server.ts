import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { KeyAndCert } from '#test/checks/certificates.ts'

export interface Arrived {
  /** From the envelope, not from the headers. */
  from: string
  to: string[]
  isSecure: boolean
  user: string | null
  raw: string
  mail: Email
}

export interface MailServerOptions {
  certificate: KeyAndCert
  /** ssl: TLS from the first byte; tls: STARTTLS; none: offers none. */
  encryption?: 'tls' | 'ssl' | 'none'
  /** Who must sign in, and how. */
  account?: { user: string; password: string }
  /** true: for good; `later`: for now; else the answer, such as `554 5.7.1 no relaying`. */
  refuses?: (recipient: string) => boolean | string
}

/** A real mail server of the test's own, on loopback. What it has taken can be read. */
export class MailServer {
  readonly arrived: Arrived[] = []
  /** Connections made, whether or not a mail came of them. */
  connections = 0
  /** Names and passwords that were offered. */
  readonly offered: string[] = []
  refuses: (recipient: string) => boolean | string
  /** Between taking a mail and saying so. */
  onTaken: (arrived: Arrived) => void = () => undefined
  readonly #server: SMTPServer

  private constructor({ certificate, encryption = 'tls', account, refuses = () => false }: MailServerOptions) {
    this.refuses = refuses
    this.#server = new SMTPServer({
      ...certificate,
      secure: encryption === 'ssl',
      authOptional: !account,
      allowInsecureAuth: true,
      disabledCommands: encryption === 'none' ? ['STARTTLS'] : [],
      closeTimeout: 100,
      logger: false,
      onConnect: (_session, done) => {
        this.connections++
        done()
      },
      onAuth: ({ username = '', password = '' }, _session, done) => {
        this.offered.push(`${username}:${password}`)
        if (account && username === account.user && password === account.password) done(null, { user: username })
        else done(new Error('that is wrong, says the banner of a secret host'))
      },
      onRcptTo: ({ address }, _session, done) => {
        const refused = this.refuses(address)
        const [, code, text] = /^(\d{3}) (.*)$/.exec(String(refused)) ?? []
        done(
          refused === false
            ? null
            : Object.assign(new Error(text ?? 'unknown recipient'), {
                responseCode: Number(code ?? (refused === 'later' ? 450 : 550)),
              }),
        )
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const raw = Buffer.concat(chunks)
          const { mailFrom, rcptTo } = session.envelope
          PostalMime.parse(raw).then(mail => {
            const arrived: Arrived = {
              from: mailFrom ? mailFrom.address : '',
              to: rcptTo.map(({ address }) => address),
              isSecure: session.secure,
              user: session.user === undefined ? null : String(session.user),
              raw: raw.toString(),
              mail,
            }
            this.arrived.push(arrived)
            this.onTaken(arrived)
            done()
          }, done)
        })
      },
    })
    this.#server.on('error', () => undefined)
  }

  static async open(options: MailServerOptions): Promise<MailServer> {
    const server = new MailServer(options)
    server.#server.listen(0, '127.0.0.1')
    await once(server.#server.server, 'listening')
    return server
  }

  get port(): number {
    const address = this.#server.server.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  close(): Promise<void> {
    return new Promise(resolve => this.#server.close(() => resolve()))
  }
}

/** Takes connections and never says a word. */
export class SilentServer {
  readonly #sockets = new Set<Socket>()
  readonly #server: Server = createServer(socket => {
    this.#sockets.add(socket)
    socket.on('error', () => undefined)
  })

  static async open(): Promise<SilentServer> {
    const silent = new SilentServer()
    silent.#server.listen(0, '127.0.0.1')
    await once(silent.#server, 'listening')
    return silent
  }

  get connections(): number {
    return this.#sockets.size
  }

  get port(): number {
    const { port } = this.#server.address() as AddressInfo
    return port
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }
}
