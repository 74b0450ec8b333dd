import { createHash, createPrivateKey, randomUUID, sign } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose'
import { z } from 'zod'
import { enrolmentMessage, regionName } from '#contract/agent.ts'

const Kept = z.object({
  region: regionName,
  agent_id: z.uuid().optional(),
  private_key: z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string(), d: z.string() }),
})
type Kept = z.infer<typeof Kept>

/** Who this agent is: a key that never leaves its machine, and the id the control plane knows it by. */
export class Identity {
  readonly #path: string
  #kept: Kept

  private constructor(path: string, kept: Kept) {
    this.#path = path
    this.#kept = kept
  }

  /** Read from `dataDir`, or made there on the first start. */
  static async open(dataDir: string, region: string): Promise<Identity> {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    const path = join(dataDir, 'identity.json')
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (text === undefined) {
      const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
      const identity = new Identity(path, Kept.parse({ region, private_key: await exportJWK(privateKey) }))
      await identity.#write()
      return identity
    }
    const kept = Kept.parse(JSON.parse(text))
    if (kept.region !== region)
      throw new Error(
        `${path} is the identity of an agent in ${kept.region}, not in ${region}. Give this agent a data directory of its own.`,
      )
    return new Identity(path, kept)
  }

  get agentId() {
    return this.#kept.agent_id
  }

  get publicKey() {
    const { kty, crv, x } = this.#kept.private_key
    return { kty, crv, x }
  }

  /** What the key of the spool is derived from. */
  get secret() {
    return createHash('sha256').update('vedette agent secret').update(this.#kept.private_key.d).digest()
  }

  /** Proof of holding the key that is enrolled. */
  enrolmentProof(token: string, region: string): string {
    const key = createPrivateKey({ key: this.#kept.private_key, format: 'jwk' })
    return sign(null, enrolmentMessage(token, region), key).toString('base64url')
  }

  async enrolledAs(agentId: string) {
    this.#kept = { ...this.#kept, agent_id: agentId }
    await this.#write()
  }

  /** Proof of being this agent, good for less than a minute. Dated back a little: the server's clock is known only roughly at first. */
  async assertion(now: number): Promise<string> {
    if (!this.agentId) throw new Error('This agent is not enrolled.')
    const issuedAt = Math.floor(now / 1_000) - 5
    const key = await importJWK(this.#kept.private_key, 'EdDSA')
    return new SignJWT({})
      .setProtectedHeader({ alg: 'EdDSA' })
      .setIssuer(this.agentId)
      .setSubject(this.agentId)
      .setAudience('vedette')
      .setJti(randomUUID())
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + 55)
      .sign(key)
  }

  /** Whole or not at all, also when the power fails. */
  async #write() {
    const draft = `${this.#path}.${randomUUID()}`
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(this.#kept, undefined, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, this.#path)
  }
}
