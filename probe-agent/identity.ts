import { createHash, createPrivateKey, randomUUID, sign } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose'
import { z } from 'zod'
import { enrolmentMessage, regionName } from '#contract/agent.ts'

const StoredIdentity = z.object({
  region: regionName,
  agent_id: z.uuid().optional(),
  private_key: z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string(), d: z.string() }),
})
type StoredIdentity = z.infer<typeof StoredIdentity>

/**
 * The agent's identity: a private key that never leaves its machine, and the id under which the control plane knows it.
 */
export class Identity {
  readonly #path: string
  #stored: StoredIdentity

  private constructor(path: string, stored: StoredIdentity) {
    this.#path = path
    this.#stored = stored
  }

  /** Read from `dataDir`, or created there on the first start. */
  static async open(dataDir: string, region: string): Promise<Identity> {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    const path = join(dataDir, 'identity.json')
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (text === undefined) {
      const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
      const identity = new Identity(path, StoredIdentity.parse({ region, private_key: await exportJWK(privateKey) }))
      await identity.#write()
      return identity
    }
    const stored = StoredIdentity.parse(JSON.parse(text))
    if (stored.region !== region)
      throw new Error(
        `${path} is the identity of an agent in ${stored.region}, not in ${region}. Give this agent a data ` +
          'directory of its own.',
      )
    return new Identity(path, stored)
  }

  get agentId() {
    return this.#stored.agent_id
  }

  get publicKey() {
    const { kty, crv, x } = this.#stored.private_key
    return { kty, crv, x }
  }

  /** The secret from which the spool's key is derived. */
  get secret() {
    return createHash('sha256').update('vedette agent secret').update(this.#stored.private_key.d).digest()
  }

  /** Proves possession of the key that is enrolled. */
  enrolmentProof(token: string, region: string): string {
    const key = createPrivateKey({ key: this.#stored.private_key, format: 'jwk' })
    return sign(null, enrolmentMessage(token, region), key).toString('base64url')
  }

  async enrolledAs(agentId: string) {
    this.#stored = { ...this.#stored, agent_id: agentId }
    await this.#write()
  }

  /**
   * Proves the agent's identity, valid for less than a minute. Backdated slightly: at first the server's clock is known
   * only roughly.
   */
  async assertion(now: number): Promise<string> {
    if (!this.agentId) throw new Error('This agent is not enrolled.')
    const issuedAt = Math.floor(now / 1_000) - 5
    const key = await importJWK(this.#stored.private_key, 'EdDSA')
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

  /** Writes atomically, also across a power failure. */
  async #write() {
    const draft = `${this.#path}.${randomUUID()}`
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(this.#stored, undefined, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, this.#path)
  }
}
