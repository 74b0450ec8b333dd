import { decodeJwt, type JWK, jwtVerify } from 'jose'
import { z } from 'zod'

const lifeS = 60
/** Seconds an agent's clock may be off; it learns ours from every answer. */
const toleranceS = 5
/** Agents date their assertions back a little, so that they are not in the future for a clock behind theirs. */
const datedBackS = 10
const rememberedAtMost = 100_000

const uuid = z.uuid()
const jtiShape = /^[\w-]{8,64}$/

/**
 * Reads the JWTs by which agents prove who they are: signed with the enrolled key, a minute old at most, valid for one
 * use. Uses are remembered in memory, so assertions signed before this process started are refused.
 */
export class Assertions {
  readonly #now: () => number
  readonly #rememberedSince: number
  readonly #used = new Map<string, number>()

  constructor(nowMs: () => number) {
    this.#now = nowMs
    this.#rememberedSince = nowMs()
  }

  /** The agent's id, or null. `keyOf` gives the enrolled key of an agent that was not revoked. */
  async read(assertion: string, keyOf: (agent: string) => Promise<JWK | null>): Promise<string | null> {
    try {
      const agent = uuid.parse(decodeJwt(assertion).iss)
      const jwk = await keyOf(agent)
      if (!jwk) return null
      const now = this.#now()
      const { payload } = await jwtVerify(assertion, jwk, {
        algorithms: ['EdDSA', 'Ed25519'],
        issuer: agent,
        subject: agent,
        audience: 'vedette',
        currentDate: new Date(now),
        clockTolerance: toleranceS,
        maxTokenAge: lifeS,
        requiredClaims: ['exp', 'iat', 'jti'],
      })
      if ((payload.exp ?? 0) - (payload.iat ?? 0) > lifeS) return null
      if (((payload.iat ?? 0) + datedBackS) * 1000 < this.#rememberedSince) return null
      return this.#useOnce(`${agent} ${payload.jti}`, now) ? agent : null
    } catch {
      return null
    }
  }

  #useOnce(id: string, now: number): boolean {
    if (!jtiShape.test(id.slice(37))) return false
    for (const [known, until] of this.#used) {
      if (until > now && this.#used.size < rememberedAtMost) break
      this.#used.delete(known)
    }
    if (this.#used.has(id)) return false
    this.#used.set(id, now + 1000 * (lifeS + 2 * toleranceS))
    return true
  }
}
