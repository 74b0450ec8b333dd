import { KeyObject, randomUUID, sign } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import { createGunzip } from 'node:zlib'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import {
  agentPaths,
  delayBuckets,
  type EnrolRequest,
  enrolmentMessage,
  enrolmentProtocol,
  type Health,
  type WorkFrame,
} from '#contract/agent.ts'
import { noPhases } from '#contract/check.ts'
import { createEnrolment } from '#control-plane/engine/agents/create-enrolment.ts'
import { eventually, type Serving } from '#test/control-plane/serving.ts'

export const health = (changes: Partial<Health> = {}): Health => ({
  revision: Number.MAX_SAFE_INTEGER,
  lag_ms: 0,
  anchors: 'none',
  resolver: 'ok',
  clock_skew_ms: 0,
  clock_drift_ms: 0,
  spooled: 0,
  dropped_total: 0,
  corrupt_total: 0,
  in_flight: 0,
  rss_bytes: 0,
  version: 'test',
  unsupported: {},
  schedule_delay: { counts: delayBuckets.map(() => 0).concat(0), sum_s: 0 },
  missed_schedules: { stalled: 0, overrun: 0, host_limit: 0, capacity: 0 },
  ...changes,
})

const goodAnswer = {
  status: 200,
  redirects: 0,
  bytes: 2,
  truncated: false,
  content_type: null,
  found_present: null,
  found_absent: null,
  failed: [],
}

export interface Keys {
  privateKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey']
  publicKey: JWK
}

export async function makeKeys(): Promise<Keys> {
  const { privateKey, publicKey } = await generateKeyPair('Ed25519', { extractable: true })
  const { kty, crv, x } = await exportJWK(publicKey)
  return { privateKey, publicKey: { kty: kty!, crv: crv!, x: x! } }
}

/** What an agent with these keys sends to enrol. */
export const enrolment = ({ privateKey, publicKey }: Keys, token: string, region: string): EnrolRequest => ({
  protocol: enrolmentProtocol,
  token,
  region,
  name: 'raw',
  public_key: publicKey as EnrolRequest['public_key'],
  proof: sign(null, enrolmentMessage(token, region), KeyObject.from(privateKey)).toString('base64url'),
})

// biome-ignore lint/suspicious/noExplicitAny: the answers of a protocol under test
export type Reply = { status: number; body: any; headers: Headers }

/** Speaks the agents' protocol word by word, also the words no agent would say. */
export class RawAgent {
  readonly served: Serving
  readonly region: string
  readonly keys: Keys
  id = ''
  token = ''

  constructor(served: Serving, region: string, keys: Keys) {
    this.served = served
    this.region = region
    this.keys = keys
  }

  static async enrolled(served: Serving, region: string): Promise<RawAgent> {
    const agent = new RawAgent(served, region, await makeKeys())
    const { plain } = await createEnrolment(served.platform, region)
    const { status, body } = await agent.enrol(plain)
    if (status !== 201) throw new Error(`not enrolled: ${status}`)
    agent.id = body.agent_id
    await agent.login()
    return agent
  }

  /** Another process with the same key. */
  async twin(): Promise<RawAgent> {
    const twin = new RawAgent(this.served, this.region, this.keys)
    twin.id = this.id
    await twin.login()
    return twin
  }

  enrol(token: string, region = this.region, changes: Partial<EnrolRequest> = {}): Promise<Reply> {
    return this.post(agentPaths.enrol, { ...enrolment(this.keys, token, region), ...changes })
  }

  assertion(
    claims: { iss?: string; sub?: string; aud?: string; jti?: string; iat?: number; life?: number } = {},
    key = this.keys.privateKey,
  ): Promise<string> {
    const iat = claims.iat ?? Math.floor(Date.now() / 1000)
    return new SignJWT({})
      .setProtectedHeader({ alg: 'EdDSA' })
      .setIssuer(claims.iss ?? this.id)
      .setSubject(claims.sub ?? this.id)
      .setAudience(claims.aud ?? 'vedette')
      .setJti(claims.jti ?? randomUUID())
      .setIssuedAt(iat)
      .setExpirationTime(iat + (claims.life ?? 60))
      .sign(key)
  }

  async ask(assertion: string): Promise<Reply> {
    return this.post(agentPaths.token, { assertion })
  }

  async login(): Promise<void> {
    const { status, body } = await this.ask(await this.assertion())
    if (status !== 200) throw new Error(`no token: ${status}`)
    this.token = body.access_token
  }

  beat(generation: number, changes: Partial<Health> = {}): Promise<Reply> {
    return this.post(agentPaths.beat, { generation, health: health(changes) })
  }

  /** A batch of plain results, uncompressed. */
  results(
    generation: number,
    rows: { check: string; due?: number; kind?: string; at?: number; isGood?: boolean }[],
    { path = agentPaths.results, headers = {} }: { path?: string; headers?: Record<string, string> } = {},
  ): Promise<Reply> {
    const now = Date.now()
    const lines = rows.map(({ check, due = now, kind = 'uptime', at = due, isGood }, seq) =>
      JSON.stringify({
        seq,
        check,
        kind,
        due,
        attempt: 0,
        reason: 'due',
        at,
        took: 1,
        phases: noPhases,
        ...(isGood ? { seen: goodAnswer } : { fault: { code: 'refused', phase: 'connect', message: 'refused' } }),
      }),
    )
    const header = JSON.stringify({ boot: randomUUID(), generation, first: 0, last: rows.length, health: health() })
    return this.post(path, `${[header, ...lines].join('\n')}\n`, headers)
  }

  async post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const response = await fetch(this.served.plane.baseUrl + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(this.token && { authorization: `Bearer ${this.token}` }),
        ...headers,
      },
      body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
    })
    const text = await response.text()
    const isLines = response.headers.get('content-type')?.startsWith('application/x-ndjson')
    const lines = text.split('\n').filter(Boolean)
    const parsed = isLines ? lines.map(line => JSON.parse(line)) : text ? JSON.parse(text) : undefined
    return { status: response.status, headers: response.headers, body: parsed }
  }

  /** Opens the work stream. */
  work(): Promise<OpenStream> {
    return new Promise((resolve, reject) => {
      const request = get(
        this.served.plane.baseUrl + agentPaths.work,
        { agent: false, headers: { authorization: `Bearer ${this.token}`, 'accept-encoding': 'gzip' } },
        response => resolve(new OpenStream(response)),
      )
      request.on('error', reject)
    })
  }
}

export class OpenStream {
  readonly status: number
  readonly frames: WorkFrame[] = []
  isEnded = false
  readonly #response: IncomingMessage

  constructor(response: IncomingMessage) {
    this.#response = response
    this.status = response.statusCode ?? 0
    const source = response.headers['content-encoding'] === 'gzip' ? response.pipe(createGunzip()) : response
    let rest = ''
    source.setEncoding('utf8')
    source.on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      if (this.status === 200) for (const line of lines) this.frames.push(JSON.parse(line))
    })
    const end = () => {
      this.isEnded = true
    }
    for (const stream of [response, source]) stream.on('error', end).on('end', end).on('close', end)
  }

  get generation(): number {
    const hello = this.frames[0]
    return hello?.type === 'hello' ? hello.generation : 0
  }

  /** The checks this stream has given and not taken back. */
  get checks(): Set<string> {
    const checks = new Set<string>()
    for (const frame of this.frames) {
      if (frame.type === 'assign') for (const { check } of frame.checks) checks.add(check)
      if (frame.type === 'withdraw') for (const check of frame.checks) checks.delete(check)
    }
    return checks
  }

  async synced(): Promise<this> {
    await eventually(() => (this.frames.some(({ type }) => type === 'synced') ? true : undefined))
    return this
  }

  ended(): Promise<true> {
    return eventually(() => (this.isEnded ? true : undefined))
  }

  break(): void {
    this.#response.destroy()
  }
}
