import { createHmac, hkdfSync, randomUUID, timingSafeEqual } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { regionName } from '#contract/agent.ts'

const defaultLifeS = 600

const issuer = 'vedette'
const audience = 'vedette-agents'

const Claims = z.object({ agent: z.uuid(), region: regionName, jti: z.string() })

/** The agent and region that an access token names. `session` distinguishes two processes with the same key. */
export interface AgentIdentity {
  agent: string
  region: string
  session: string
}

/**
 * Signs and reads the short-lived tokens of agents. Their key is derived from the server's secret and serves nothing
 * else.
 */
export class AccessTokens {
  readonly #key: Uint8Array
  readonly #now: () => Date
  readonly lifeS: number

  constructor(secretKey: string, now: () => Date, lifeS = defaultLifeS) {
    this.lifeS = lifeS
    this.#key = new Uint8Array(hkdfSync('sha256', secretKey, '', 'vedette agent access token', 32))
    this.#now = now
  }

  sign({ agent, region }: Pick<AgentIdentity, 'agent' | 'region'>): Promise<string> {
    const issuedAt = Math.floor(this.#now().getTime() / 1000)
    return new SignJWT({ agent, region })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(agent)
      .setJti(randomUUID())
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + this.lifeS)
      .sign(this.#key)
  }

  /** The agent and region of the token, or null if the token is invalid. */
  async read(token: string): Promise<AgentIdentity | null> {
    if (!this.#isSigned(token)) return null
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: ['HS256'],
        issuer,
        audience,
        currentDate: this.#now(),
        requiredClaims: ['exp', 'sub'],
      })
      const { agent, region, jti } = Claims.parse(payload)
      return { agent, region, session: jti }
    } catch {
      return null
    }
  }

  /** Refuses forged tokens in a tenth of the library's time, and without a thread of the pool. */
  #isSigned(token: string): boolean {
    const dot = token.lastIndexOf('.')
    const given = Buffer.from(token.slice(dot + 1), 'base64url')
    const expected = createHmac('sha256', this.#key)
      .update(token.slice(0, Math.max(dot, 0)))
      .digest()
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
}
