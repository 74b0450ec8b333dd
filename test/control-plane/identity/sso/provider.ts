import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, type JWK, type KeyObject, SignJWT, UnsecuredJWT } from 'jose'
import { rsaKey } from '#test/support/rsa-key.ts'

interface Begun {
  nonce: string
  challenge: string
  redirectUri: string
}

type Answer = (response: ServerResponse) => void

/**
 * An identity provider that lies where a test wants it: every claim, header and answer can be replaced. It checks
 * what a real one checks: the client secret, the redirect address, PKCE, and that a code is used once.
 */
export class LyingProvider {
  readonly clientId = `client-${randomUUID()}`
  readonly clientSecret = randomUUID()
  /** Replaces claims of the ID token. */
  claims: Record<string, unknown> = {}
  header: { alg?: string; kid?: string } = {}
  description: Record<string, unknown> = {}
  userinfo: Record<string, unknown> | undefined
  /** Paths that answer otherwise. */
  readonly answers = new Map<string, Answer>()
  readonly asked: string[] = []
  readonly #codes = new Map<string, Begun>()
  readonly #server: Server
  #key!: { privateKey: KeyObject; jwk: JWK }

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  static async open(): Promise<LyingProvider> {
    const provider = new LyingProvider()
    await provider.rotateKey()
    provider.#server.listen(0, '127.0.0.1')
    await once(provider.#server, 'listening')
    return provider
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async rotateKey(): Promise<void> {
    const { privateKey, publicKey } = rsaKey()
    this.#key = { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: randomUUID(), alg: 'RS256', use: 'sig' } }
  }

  /** What a person does who signs in: the query with which the browser is sent back. */
  authorize(location: string): URLSearchParams {
    const { searchParams } = new URL(location)
    const code = randomUUID()
    this.#codes.set(code, {
      nonce: searchParams.get('nonce') ?? '',
      challenge: searchParams.get('code_challenge') ?? '',
      redirectUri: searchParams.get('redirect_uri') ?? '',
    })
    return new URLSearchParams({ code, state: searchParams.get('state') ?? '', iss: this.issuer })
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '', this.issuer).pathname
    this.asked.push(path)
    const other = this.answers.get(path)
    if (other) return other(response)
    if (path === '/.well-known/openid-configuration') return json(response, 200, this.#described())
    if (path === '/jwks') return json(response, 200, { keys: [this.#key.jwk] })
    if (path === '/userinfo') return json(response, 200, this.userinfo ?? {})
    if (path === '/token') return this.#token(request, response)
    return json(response, 404, {})
  }

  #described() {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/jwks`,
      userinfo_endpoint: `${this.issuer}/userinfo`,
      end_session_endpoint: `${this.issuer}/end`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      scopes_supported: ['openid', 'email', 'profile'],
      authorization_response_iss_parameter_supported: true,
      ...this.description,
    }
  }

  async #token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    if (form.get('client_secret') !== this.clientSecret) return json(response, 401, { error: 'invalid_client' })
    const code = form.get('code') ?? ''
    const begun = this.#codes.get(code)
    this.#codes.delete(code)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!begun || begun.challenge !== challenge || begun.redirectUri !== form.get('redirect_uri'))
      return json(response, 400, { error: 'invalid_grant' })
    const id_token = await this.#idToken(begun.nonce)
    return json(response, 200, { access_token: randomUUID(), token_type: 'Bearer', expires_in: 60, id_token })
  }

  async #idToken(nonce: string): Promise<string> {
    const now = Math.floor(Date.now() / 1_000)
    const claims = { iss: this.issuer, aud: this.clientId, nonce, iat: now, exp: now + 60, ...this.claims }
    const { alg = 'RS256', kid = this.#key.jwk.kid } = this.header
    if (alg === 'none') return new UnsecuredJWT(claims).encode()
    const key = alg.startsWith('HS') ? new TextEncoder().encode(this.clientSecret) : this.#key.privateKey
    return new SignJWT(claims).setProtectedHeader({ alg, ...(kid !== undefined && { kid }) }).sign(key)
  }

  /** A logout token as a right provider makes it, with these claims in place of its own. */
  async logoutToken(claims: Record<string, unknown>, header: { alg?: string; typ?: string } = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1_000)
    const whole = {
      iss: this.issuer,
      aud: this.clientId,
      iat: now,
      exp: now + 120,
      jti: randomUUID(),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      ...claims,
    }
    if (header.alg === 'none') return new UnsecuredJWT(whole).encode()
    const key = header.alg === 'HS256' ? new TextEncoder().encode(this.clientSecret) : this.#key.privateKey
    const named = { alg: 'RS256', typ: 'logout+jwt', ...header, ...(this.#key.jwk.kid && { kid: this.#key.jwk.kid }) }
    return new SignJWT(whole).setProtectedHeader(named).sign(key)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
