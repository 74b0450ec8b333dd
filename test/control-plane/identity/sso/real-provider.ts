import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, {
  type Adapter,
  type AdapterPayload,
  type ClientMetadata,
  type Configuration,
  type JWK,
} from 'oidc-provider'
import { rsaKey } from '#test/support/rsa-key.ts'

/** A person at the provider. `email_verified` and `groups` are what it says of them. */
export interface ProviderAccount {
  sub: string
  email: string
  email_verified: boolean
  name: string
  groups?: string[]
}

export interface RealClient {
  issuer: string
  clientId: string
  clientSecret: string
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

const interaction = /^\/interaction\/[\w-]+$/

/**
 * The npm package oidc-provider on loopback, with a page on which a person types who they are. It asks for no consent,
 * as providers of a company do. Every client needs PKCE.
 */
export class RealProvider {
  readonly accounts = new Map<string, ProviderAccount>()
  /** Requests of these paths are never answered. */
  readonly hanging = new Set<string>()
  readonly #clients: ClientMetadata[] = []
  readonly #server: Server
  #provider!: Provider
  #handle!: Handler
  #keys: JWK[] = []
  /** Sessions, grants and codes: they outlive a restart. */
  readonly #memory = new Map<string, AdapterPayload>()

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  static async open(): Promise<RealProvider> {
    const opened = new RealProvider()
    opened.#server.listen(0, '127.0.0.1')
    await once(opened.#server, 'listening')
    opened.rotateKeys()
    return opened
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Signs with another key from now on. The former one is not published any more. */
  rotateKeys(): void {
    const { privateKey } = rsaKey()
    this.#keys = [{ ...(privateKey.export({ format: 'jwk' }) as JWK), kid: randomUUID(), use: 'sig', alg: 'RS256' }]
    this.#restart()
  }

  addClient(redirectUri: string, more: Partial<ClientMetadata> = {}): RealClient {
    const [clientId, clientSecret] = [randomUUID(), randomUUID()]
    this.#clients.push({
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      response_types: ['code'],
      grant_types: ['authorization_code'],
      token_endpoint_auth_method: 'client_secret_post',
      ...more,
    })
    this.#restart()
    return { issuer: this.issuer, clientId, clientSecret }
  }

  /** Reports to a client that a session, or all of a person, has ended here. Throws what the client answers otherwise. */
  async endAt(clientId: string, { sub, sid }: { sub: string; sid?: string | undefined }): Promise<void> {
    const client = (await this.#provider.Client.find(clientId)) as unknown as {
      backchannelLogout(sub: string, sid: string | undefined): Promise<void>
    }
    await client.backchannelLogout(sub, sid)
  }

  addAccount(account: Omit<ProviderAccount, 'sub' | 'name' | 'email_verified'> & Partial<ProviderAccount>) {
    const whole = { sub: randomUUID(), name: 'Pat Person', email_verified: true, ...account }
    this.accounts.set(whole.sub, whole)
    return whole
  }

  #restart(): void {
    this.#provider = new Provider(this.issuer, this.#configuration())
    this.#handle = this.#provider.callback() as Handler
  }

  #configuration(): Configuration {
    return {
      clients: this.#clients,
      jwks: { keys: this.#keys },
      cookies: { keys: ['a key of cookies for tests'] },
      scopes: ['openid', 'email', 'profile', 'groups'],
      claims: { email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      // its own dispatcher reaches no address of this machine
      fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined } as RequestInit),
      pkce: { required: () => true },
      adapter: model => memoryOf(this.#memory, model),
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: { enabled: true },
      },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, sub) => {
        const account = this.accounts.get(sub)
        return account && { accountId: sub, claims: () => ({ ...account }) }
      },
      loadExistingGrant: async context => {
        const { client, session } = context.oidc
        const grant = new this.#provider.Grant({ clientId: client!.clientId, accountId: session!.accountId! })
        grant.addOIDCScope('openid email profile groups')
        await grant.save()
        return grant
      },
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', this.issuer)
    if (this.hanging.has(pathname)) return
    if (!interaction.test(pathname)) return this.#handle(request, response)
    if (request.method === 'GET') return sendForm(response)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const accountId = new URLSearchParams(Buffer.concat(chunks).toString()).get('account') ?? ''
    await this.#provider.interactionFinished(request, response, { login: { accountId } })
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

/** What the provider keeps of one model. */
function memoryOf(memory: Map<string, AdapterPayload>, model: string): Adapter {
  const idOf = (id: string) => `${model}:${id}`
  const findBy = async (name: 'uid' | 'userCode', value: string) =>
    [...memory].find(([id, payload]) => id.startsWith(`${model}:`) && payload[name] === value)?.[1]
  return {
    upsert: async (id, payload) => void memory.set(idOf(id), payload),
    find: async id => memory.get(idOf(id)),
    findByUid: uid => findBy('uid', uid),
    findByUserCode: code => findBy('userCode', code),
    destroy: async id => void memory.delete(idOf(id)),
    consume: async id =>
      void memory.set(idOf(id), { ...memory.get(idOf(id)), consumed: Math.floor(Date.now() / 1_000) }),
    revokeByGrantId: async grantId => {
      for (const [id, payload] of memory) if (payload.grantId === grantId) memory.delete(id)
    },
  }
}

function sendForm(response: ServerResponse): void {
  response.setHeader('Content-Type', 'text/html')
  response.end(`<!doctype html><html lang="en"><title>Company</title><h1>Company</h1><form method="post">
<label>Account <input name="account"></label><button>Sign in</button></form>`)
}

/** A browser at the provider: it follows redirects there until one leads elsewhere, and keeps its cookies. */
export class ProviderBrowser {
  readonly #cookies = new Map<string, string>()

  /** Goes to the sign-in address, signs in as this person where asked, and returns the address that it is sent to. */
  async signIn(location: string, { sub }: Pick<ProviderAccount, 'sub'>): Promise<URL> {
    const { origin } = new URL(location)
    let next = new URL(location)
    for (let step = 0; step < 8; step++) {
      const isAsked = interaction.test(next.pathname)
      const response = await this.#ask(next, isAsked ? new URLSearchParams({ account: sub }) : undefined)
      const to = response.headers.get('location')
      if (to === null) throw new Error(`The provider answered ${response.status}: ${await response.text()}`)
      next = new URL(to, next)
      if (next.origin !== origin) return next
    }
    throw new Error('The provider redirects without an end.')
  }

  async #ask(url: URL, form: URLSearchParams | undefined): Promise<Response> {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { Cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: form }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return response
  }
}
