import { createPublicKey, randomBytes, randomUUID, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { constants, createGzip, type Gzip, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { importJWK, jwtVerify, SignJWT } from 'jose'
import {
  Ack,
  Stored as ArchivedLine,
  Assignment,
  agentHeaders,
  agentPaths,
  BatchHeader,
  Beat,
  Enrol,
  enrolmentMessage,
  type Health,
  limits,
  type Owners,
  type RefusalReason,
  Result,
  WorkFrame,
} from '#contract/agent.ts'
import { shardOf } from '#contract/shards.ts'

export interface Stored {
  result: Result
  boot: string
  agent: string
  /** How often it was delivered. */
  times: number
  /** Of this server's clock. */
  receivedAt: number
  /** An answer that takes it has left. */
  isAcknowledged: boolean
  /** How often it was written to the archive: as it was taken, or later. */
  archived: number
}

interface Holder {
  agent: string
  generation: number
  heardAt: number
  response: ServerResponse | undefined
  gzip: Gzip | undefined
}

interface Taken {
  ack: Ack
  stored: Stored[]
}

const keyOf = (result: Result) => `${result.check} ${result.due} ${result.attempt}`

/**
 * What the agent takes for the control plane: speaks contract/agent.ts exactly, keeps what it is sent in memory,
 * and can fail in every way a network and a server fail.
 */
export class FakeControlPlane {
  readonly enrolmentToken = randomUUID()
  readonly stored = new Map<string, Stored>()
  readonly refused: { result: unknown; reason: RefusalReason }[] = []
  readonly healths: Health[] = []
  /** Statuses answered to uploads, in order. */
  readonly answers: number[] = []
  enrolled = new Map<string, { region: string; x: string }>()
  /** Addresses answered to the question for owners; undefined: it does not know the question. */
  owners: string[] | undefined
  /** Requests for owners, and values of the header by which an agent says that it asks. */
  ownerRequests = 0
  readonly ownersHeaders = new Set<string | undefined>()
  /** The shards it says it owns; undefined: it says nothing. */
  shards: readonly number[] | undefined
  /** Takes requests and answers none: all, or those of one path. */
  hangs: boolean | string = false
  /** This server's clock against the machine's. */
  clockOffsetMs = 0
  delayMs = 0
  /** Answered to uploads instead of taking them. */
  uploadStatus: number | undefined
  /** Answered to requests for an access token instead of giving one. */
  tokenStatus: number | undefined
  /** Requests for an access token. */
  tokenRequests = 0
  /** So many uploads are taken, and the answer lost. */
  losesAnswers = 0
  /** Uploads are taken, and answered so much later. */
  answersAfterMs = 0
  /**
   * How the archive fails: it refuses, it never answers, the connection breaks before the answer, or it takes what it
   * then says it has not.
   */
  archive: 'up' | 'refuses' | 'hangs' | 'breaks' | 'forgets' = 'up'
  /** Answers as a control plane of protocol 2: once, when all is stored. */
  isOld = false
  /** Uploads of results to be stored alone. */
  storeRequests = 0
  leaseMs: number = limits.leaseMs
  beatMs = 500
  tokenLifeS = 600
  /** Called with every row; a reason refuses it. */
  refuses: (result: Result) => RefusalReason | undefined = () => undefined
  /** A row that makes the whole batch unacceptable. */
  poisons: (result: Result) => boolean = () => false
  isMute = false
  generation = 0
  revision = 0
  deliveries = 0

  readonly #key = randomBytes(32)
  readonly #usedTokens = new Set<string>()
  readonly #assigned = new Map<string, Assignment>()
  readonly #sockets = new Set<Socket>()
  readonly #usedJtis = new Set<string>()
  #server: Server | undefined
  #port = 0
  #holder: Holder | undefined
  #beats: NodeJS.Timeout | undefined

  static async open(): Promise<FakeControlPlane> {
    const plane = new FakeControlPlane()
    await plane.heal()
    return plane
  }

  /** Another process of the same control plane: it knows the same agents. */
  static async beside({ enrolled }: FakeControlPlane, shards: readonly number[]): Promise<FakeControlPlane> {
    const plane = await FakeControlPlane.open()
    plane.enrolled = enrolled
    plane.shards = shards
    return plane
  }

  get url() {
    return `http://127.0.0.1:${this.#port}`
  }

  now() {
    return performance.timeOrigin + performance.now() + this.clockOffsetMs
  }

  get results(): Result[] {
    return [...this.stored.values()].map(({ result }) => result)
  }

  of(check: string): Result[] {
    return this.results.filter(result => result.check === check).sort((a, b) => a.due - b.due || a.attempt - b.attempt)
  }

  get isConnected() {
    return this.#holder?.response !== undefined
  }

  get holder() {
    return this.#holder?.agent
  }

  /** Comes back where it was. */
  async heal() {
    if (this.#server) return
    const server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.writeHead(500).end())
    })
    server.on('connection', socket => {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => this.#sockets.delete(socket))
    })
    server.listen(this.#port, '127.0.0.1')
    await once(server, 'listening')
    this.#server = server
    this.#port = (server.address() as AddressInfo).port
    this.#beats = setInterval(() => {
      if (!this.isMute) this.#send({ type: 'beat', now_ms: this.now(), revision: this.revision })
    }, this.beatMs)
  }

  /** Gone from the network: open connections break, new ones are refused. */
  async cut() {
    const server = this.#server
    if (!server) return
    this.#server = undefined
    clearInterval(this.#beats)
    for (const socket of this.#sockets) socket.destroy()
    server.close()
    await once(server, 'close')
    if (this.#holder) this.#holder.response = undefined
  }

  close() {
    return this.cut()
  }

  assign(...checks: Assignment[]) {
    for (const check of checks) this.#assigned.set(check.check, Assignment.parse(check))
    this.#send({ type: 'assign', revision: ++this.revision, checks: checks.filter(check => this.#owns(check)) })
  }

  /** Forgets a check while no stream is open. */
  forget(check: string) {
    this.#assigned.delete(check)
  }

  #owns({ tenant }: Assignment) {
    return this.shards?.includes(shardOf(tenant)) ?? true
  }

  /** Owns other shards from now on: the stream ends, and the next one says so. */
  own(shards: readonly number[]) {
    this.shards = shards
    this.endStream()
  }

  endStream() {
    this.#holder?.response?.destroy()
  }

  withdraw(...checks: string[]) {
    for (const check of checks) this.#assigned.delete(check)
    this.#send({ type: 'withdraw', revision: ++this.revision, checks })
  }

  requestRun(check: string, afterMs = 0, reason: 'confirm' | 'asked' = 'asked', request?: string) {
    this.#send({ type: 'run', check, after_ms: afterMs, reason, ...(request && { request }) })
  }

  /** The region is given to another agent: the one that had it is fenced. */
  fence() {
    this.generation++
    this.#holder?.response?.destroy()
    this.#holder = {
      agent: randomUUID(),
      generation: this.generation,
      heardAt: performance.now(),
      response: undefined,
      gzip: undefined,
    }
  }

  #send(frame: WorkFrame) {
    const holder = this.#holder
    if (!holder?.response) return
    holder.gzip?.write(`${JSON.stringify(WorkFrame.parse(frame))}\n`)
    holder.gzip?.flush(constants.Z_SYNC_FLUSH)
  }

  async #answer(request: IncomingMessage, response: ServerResponse) {
    response.setHeader('date', new Date(this.now()).toUTCString())
    const body = await read(request)
    if (this.hangs === true || this.hangs === request.url) return
    this.ownersHeaders.add(request.headers[agentHeaders.owners]?.toString())
    if (this.delayMs) await new Promise(resolve => setTimeout(resolve, this.delayMs))
    switch (request.url) {
      case agentPaths.enrol:
        return this.#enrol(body, response)
      case agentPaths.token:
        return this.#giveToken(body, response)
    }
    const agent = await this.#authenticate(request)
    if (!agent) return reply(response, 401, {})
    switch (request.url) {
      case agentPaths.work:
        return this.#giveWork(agent, response)
      case agentPaths.beat: {
        const { generation, health } = Beat.parse(JSON.parse(body.toString()))
        if (!this.#holds(agent, generation)) return reply(response, 409, {})
        this.healths.push(health)
        return reply(response, 200, { now_ms: this.now() })
      }
      case agentPaths.owners:
        this.ownerRequests++
        if (!this.owners) break
        return reply(response, 200, { owners: this.owners.map(url => ({ url })) } satisfies Owners)
      case agentPaths.results:
        return this.#take(agent, request, body, response)
      case agentPaths.store:
        this.storeRequests++
        return this.#store(agent, request, body, response)
    }
    reply(response, 404, {})
  }

  #enrol(body: Buffer, response: ServerResponse) {
    const { token, region, public_key, proof } = Enrol.parse(JSON.parse(body.toString()))
    if (
      !verify(
        null,
        enrolmentMessage(token, region),
        createPublicKey({ key: public_key, format: 'jwk' }),
        Buffer.from(proof, 'base64url'),
      )
    )
      return reply(response, 422, {})
    if (token !== this.enrolmentToken && this.#usedTokens.has(token)) return reply(response, 401, {})
    this.#usedTokens.add(token)
    const agent = randomUUID()
    this.enrolled.set(agent, { region, x: public_key.x })
    reply(response, 201, { agent_id: agent, region })
  }

  async #giveToken(body: Buffer, response: ServerResponse) {
    this.tokenRequests++
    if (this.tokenStatus !== undefined) return reply(response, this.tokenStatus, {})
    const { assertion } = JSON.parse(body.toString()) as { assertion: string }
    const claims = JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString()) as { iss: string }
    const known = this.enrolled.get(claims.iss)
    if (!known) return reply(response, 401, {})
    try {
      const key = await importJWK({ kty: 'OKP', crv: 'Ed25519', x: known.x }, 'EdDSA')
      const { payload } = await jwtVerify(assertion, key, {
        algorithms: ['EdDSA'],
        issuer: claims.iss,
        subject: claims.iss,
        audience: 'vedette',
        maxTokenAge: 60,
        requiredClaims: ['exp', 'jti'],
        currentDate: new Date(this.now()),
      })
      if (payload.exp! - payload.iat! > 60 || this.#usedJtis.has(payload.jti!)) return reply(response, 401, {})
      this.#usedJtis.add(payload.jti!)
    } catch {
      return reply(response, 401, {})
    }
    const issuedAt = Math.floor(this.now() / 1_000)
    const token = await new SignJWT({ region: known.region })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(claims.iss)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + this.tokenLifeS)
      .sign(this.#key)
    reply(response, 200, { access_token: token, expires_in_s: this.tokenLifeS })
  }

  async #authenticate(request: IncomingMessage): Promise<string | undefined> {
    try {
      const token = (request.headers.authorization ?? '').replace('Bearer ', '')
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: ['HS256'],
        currentDate: new Date(this.now()),
      })
      return payload.sub && this.enrolled.has(payload.sub) ? payload.sub : undefined
    } catch {
      return undefined
    }
  }

  #holds(agent: string, generation: number) {
    if (this.#holder?.agent !== agent || generation !== this.generation) return false
    this.#holder.heardAt = performance.now()
    return true
  }

  #giveWork(agent: string, response: ServerResponse) {
    const holder = this.#holder
    if (holder && holder.agent !== agent && performance.now() - holder.heardAt < this.leaseMs)
      return reply(response, 409, {})
    holder?.response?.destroy()
    const gzip = createGzip()
    response.writeHead(200, { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' })
    gzip.on('error', () => {})
    gzip.pipe(response)
    const next: Holder = { agent, generation: ++this.generation, heardAt: performance.now(), response, gzip }
    this.#holder = next
    response.once('close', () => {
      next.response = undefined
    })
    this.#send({
      type: 'hello',
      generation: this.generation,
      now_ms: this.now(),
      ...(this.shards && { shards: [...this.shards] }),
    })
    const own = [...this.#assigned.values()].filter(check => this.#owns(check))
    const checks = own.map(check => ({ ...check, last_due_ms: this.#lastDue(check) }))
    for (let from = 0; from < checks.length; from += 1_000)
      this.#send({ type: 'assign', revision: this.revision, checks: checks.slice(from, from + 1_000) })
    this.#send({ type: 'synced', revision: this.revision })
  }

  #lastDue({ check, last_due_ms }: Assignment): number | null {
    const due = this.lastDues.get(check)
    return due === undefined ? last_due_ms : Math.max(due, last_due_ms ?? 0)
  }
  readonly lastDues = new Map<string, number>()

  #take(agent: string, request: IncomingMessage, packed: Buffer, response: ServerResponse) {
    const status = this.#judgeUpload(agent, request, packed)
    this.answers.push(typeof status === 'number' ? status : 200)
    if (typeof status === 'number') {
      if (status === 503) response.setHeader('retry-after', '1')
      return reply(response, status, {})
    }
    if (this.losesAnswers > 0) {
      this.losesAnswers--
      return response.destroy()
    }
    for (const row of status.stored) row.times++
    response.once('finish', () => {
      for (const stored of status.stored) stored.isAcknowledged = true
    })
    setTimeout(() => this.#acknowledge(status, response), this.answersAfterMs)
  }

  #acknowledge({ ack, stored }: Taken, response: ServerResponse) {
    if (this.archive === 'up' || this.archive === 'forgets') for (const row of stored) row.archived++
    if (this.isOld) return reply(response, 200, Ack.parse(ack))
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    response.write(`${JSON.stringify(Ack.parse(ack))}\n`)
    const said = ArchivedLine.parse({ stored: this.archive === 'up' })
    if (this.archive === 'breaks') setTimeout(() => response.destroy(), 50)
    else if (this.archive !== 'hangs') response.end(`${JSON.stringify(said)}\n`)
  }

  /** Results that were decided on before. */
  #store(agent: string, request: IncomingMessage, packed: Buffer, response: ServerResponse) {
    const status = this.#judgeUpload(agent, request, packed)
    if (typeof status === 'number') return reply(response, status, {})
    if (this.archive === 'hangs') return
    if (this.archive === 'breaks') return response.destroy()
    if (this.archive !== 'up') return reply(response, 503, {})
    for (const row of status.stored) row.archived++
    reply(response, 200, Ack.parse(status.ack))
  }

  #judgeUpload(agent: string, request: IncomingMessage, packed: Buffer): number | Taken {
    if (this.uploadStatus !== undefined) return this.uploadStatus
    if (packed.length > limits.batchBytes) return 413
    const encoding = request.headers['content-encoding']
    const body = encoding === 'zstd' ? zstdDecompressSync(packed) : encoding === 'gzip' ? gunzipSync(packed) : packed
    if (body.length > limits.batchBytesUnpacked) return 413
    const [head = '', ...lines] = body.toString().split('\n')
    const header = BatchHeader.parse(JSON.parse(head))
    if (!this.#holds(agent, header.generation)) return 409
    this.healths.push(header.health)
    const results = lines.filter(Boolean).map(line => Result.parse(JSON.parse(line)))
    if (results.length > limits.batchResults) return 413
    if (results.some(this.poisons)) return 400
    const refused: Ack['refused'] = []
    const stored: Stored[] = []
    for (const result of results) {
      if (result.seq < header.first || result.seq > header.last)
        throw new Error('A sequence number outside of its batch.')
      const reason = this.refuses(result)
      if (reason) {
        refused.push({ seq: result.seq, reason })
        this.refused.push({ result, reason })
        continue
      }
      this.deliveries++
      const key = keyOf(result)
      const row = this.stored.get(key) ?? {
        result,
        boot: header.boot,
        agent,
        times: 0,
        receivedAt: this.now(),
        isAcknowledged: false,
        archived: 0,
      }
      this.stored.set(key, row)
      stored.push(row)
      if (result.attempt === 0)
        this.lastDues.set(result.check, Math.max(this.lastDues.get(result.check) ?? 0, result.due))
    }
    return { ack: { accepted: results.length - refused.length, refused, now_ms: this.now() }, stored }
  }
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function reply(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

let made = 0
const tenant = randomUUID()
/** An uptime check of `url`. */
export function assignmentOf(url: string, changes: Partial<Assignment> = {}): Assignment {
  made++
  return {
    check: randomUUID(),
    monitor: randomUUID(),
    tenant,
    kind: 'uptime',
    url,
    settings: {},
    interval_ms: 1_000,
    timeout_ms: 2_000,
    offset_ms: (made * 137) % (changes.interval_ms ?? 1_000),
    last_due_ms: null,
    ...changes,
  }
}
