import { createSign, generateKeyPairSync, hash, type KeyObject, randomBytes } from 'node:crypto'

type Cbor = number | string | Buffer | Map<number | string, Cbor> | Cbor[]

/** CBOR (RFC 8949) of what authenticators write: integers, texts, bytes, lists and maps. */
export function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  const entries = [...value].flatMap(([key, item]) => [cbor(key), cbor(item)])
  return Buffer.concat([head(5, value.size), ...entries])
}

function head(major: number, n: number): Buffer {
  if (n < 24) return Buffer.from([(major << 5) | n])
  if (n < 256) return Buffer.from([(major << 5) | 24, n])
  return Buffer.from([(major << 5) | 25, n >> 8, n & 255])
}

const base64url = (bytes: Buffer) => bytes.toString('base64url')
const uint32 = (n: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(n)
  return bytes
}

/** How a browser or its authenticator departs from what it should do. */
export interface Deviation {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  crossOrigin?: boolean
  isUserVerified?: boolean
  isUserPresent?: boolean
  counter?: number
  userHandle?: string | null
  /** Signs with another key. */
  isForged?: boolean
  format?: string
  statement?: Map<string, Cbor>
  /** COSE, as in the key of the credential. */
  algorithm?: number
  /** Parts of the public key in place of the right ones, by their labels of COSE. */
  publicKey?: Map<number, Cbor>
}

interface Options {
  challenge: string
}

const flags = { isPresent: 1, isVerified: 4, isBackupEligible: 8, isBackedUp: 16, hasCredential: 64 }

/** An authenticator with one passkey of ES256, in a browser that shows a page of `origin`. */
export class Authenticator {
  readonly id: Buffer<ArrayBuffer>
  counter = 0
  userHandle = ''
  isSynced = false
  /** Not a UUID by RFC 9562, as those of some authenticators. */
  aaguid = '01020304-0506-0708-0102-030405060708'
  readonly #origin: string
  readonly #rpId: string
  #key: KeyObject
  #publicKey: KeyObject

  constructor(origin: string, { id = randomBytes(32) } = {}) {
    this.#origin = origin
    this.#rpId = new URL(origin).hostname
    this.id = id
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#key = privateKey
    this.#publicKey = publicKey
  }

  /** The answer to `navigator.credentials.create`. */
  create(options: Options & { user: { id: string } }, deviation: Deviation = {}) {
    this.userHandle = options.user.id
    const clientData = this.#clientData('webauthn.create', options, deviation)
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' })
    const key = new Map<number, Cbor>([
      [1, 2],
      [3, deviation.algorithm ?? -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
      ...(deviation.publicKey ?? []),
    ])
    const idLength = Buffer.from([this.id.length >> 8, this.id.length & 255])
    const credential = [Buffer.from(this.aaguid.replaceAll('-', ''), 'hex'), idLength, this.id, cbor(key)]
    const data = Buffer.concat([this.#data(deviation, flags.hasCredential), ...credential])
    const attestation = new Map<string, Cbor>([
      ['fmt', deviation.format ?? 'none'],
      ['attStmt', deviation.statement ?? new Map()],
      ['authData', data],
    ])
    return {
      ...this.#named(),
      response: {
        clientDataJSON: base64url(clientData),
        attestationObject: base64url(cbor(attestation)),
        transports: ['internal', 'hybrid'],
      },
    }
  }

  /** The answer to `navigator.credentials.get`. */
  get(options: Options, deviation: Deviation = {}) {
    const clientData = this.#clientData('webauthn.get', options, deviation)
    const data = this.#data(deviation)
    const key = deviation.isForged ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : this.#key
    const signature = createSign('sha256')
      .update(Buffer.concat([data, hash('sha256', clientData, 'buffer')]))
      .sign(key)
    const { userHandle = this.userHandle } = deviation
    return {
      ...this.#named(),
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        ...(userHandle !== null && { userHandle }),
      },
    }
  }

  #named() {
    const id = base64url(this.id)
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} }
  }

  #clientData(usual: string, options: Options, { type = usual, ...deviation }: Deviation): Buffer {
    const { challenge = options.challenge, origin = this.#origin, crossOrigin = false } = deviation
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }))
  }

  #data({ rpId = this.#rpId, isUserPresent = true, isUserVerified = true, counter }: Deviation, more = 0): Buffer {
    const set =
      more |
      (isUserPresent ? flags.isPresent : 0) |
      (isUserVerified ? flags.isVerified : 0) |
      (this.isSynced ? flags.isBackupEligible | flags.isBackedUp : 0)
    return Buffer.concat([hash('sha256', rpId, 'buffer'), Buffer.from([set]), uint32(counter ?? this.counter)])
  }
}
