import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { z } from 'zod'
import type { MailData, MailType } from '#contract/mails.ts'
import type { ResellerScope, TenantScope } from '#contract/scopes.ts'
import type { WorkflowInput, WorkflowName } from '#contract/workflows.ts'
import type { AuditEntity } from '#control-plane/base/audit-entities.ts'
import type { Caller, TenantContext } from '#control-plane/base/caller.ts'
import type { ConcurrencyLimit } from '#control-plane/base/concurrency-limit.ts'
import type { Emit, MailRecipient, Whose } from '#control-plane/base/side-effects.ts'
import type { RateClass } from './rate.ts'
import type { Reply } from './reply.ts'
import type { Services } from './services.ts'
import type { UploadLimit } from './upload-limit.ts'

/**
 * Who may call, by which routes. `tenant` mounts the path itself (own tenant, `X-Tenant-Id`, impersonation);
 * `reseller` beside it mounts the same under `/reseller/managed-teams/{managed_team}`;
 * `reseller` alone is a path of the reseller's own, with `any` for every reseller token whatever its scopes; one of
 * several scopes is enough.
 * `session` needs a signed-in caller and no scope. `server-agent` needs the token of one server and `scim` that of a
 * team's directory, which are valid for no other access.
 */
export type Access =
  | 'public'
  | 'session'
  | 'server-agent'
  | 'scim'
  | 'super-admin'
  | { tenant: TenantScope; reseller?: ResellerScope }
  | { reseller: ResellerScope | 'any' | readonly ResellerScope[]; tenant?: undefined }

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never
type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** Headers that a handler may set. */
type OwnHeader = `X-Vedette-${string}` | `X-Prometheus-Remote-Write-${string}` | 'Location'

/** What a handler receives. It never sees Koa, a status or a header. */
export interface RequestContext<Params = Record<string, string>, Query = unknown, Body = unknown> {
  params: Params
  query: Query
  body: Body
  /** The body as received, where the endpoint `accepts` bytes. */
  rawBody: RawBody
  /** The server whose token was presented, behind a `server-agent` guard. */
  server: ServerContext
  /** The tenant that the request acts in, as the guard resolved it. */
  tenant: TenantContext
  caller: Caller
  em: EntityManager
  now: Date
  /** The public address of the request with its query: links are made of it. */
  url: string
  /** The `Host` header: a portal is found by it. A stranger chooses it, so no link is made of it. */
  host: string
  ip: string
  userAgent: string
  /** The header with the cookies of a browser. */
  cookies: string | undefined
  requestId: string
  services: Services
  /** Writes an event to the outbox, in this request's transaction. `whose` decides who receives it. */
  emit: Emit
  /** Sends a mail once this request's transaction has committed. `whose` decides in whose name it is sent. */
  mail<Type extends MailType>(
    type: Type,
    recipient: MailRecipient,
    data: MailData<Type>,
    whose?: Exclude<Whose, 'both'>,
  ): void
  /** Starts a workflow through the outbox: it starts if and only if this transaction commits. */
  start<Name extends WorkflowName>(workflow: Name, id: string, input: WorkflowInput<Name>): void
  /** Signals a workflow through the outbox. A workflow that has ended ignores it. */
  signal(id: string, signal: string): void
  /** Writes an audit entry. `changes` has old and new values of changed fields, never secrets. */
  audit(
    action: string,
    entity: { type: AuditEntity; id?: string | null },
    changes?: Record<string, unknown>,
    whose?: Whose,
  ): void
  /** Sets one of the declared `responseHeaders` of the endpoint. */
  setHeader(header: OwnHeader, value: string): void
  /** Sets a cookie: only of endpoints that declare `setsCookies`, or where the caller is by cookie. */
  setCookie(value: string): void
  /** Reports unknown fields of the body, as dotted paths: the answer names them, and `handling=strict` refuses them. */
  ignore(fields: readonly string[]): void
  /** Runs once the transaction has committed. */
  afterCommit(task: () => void | Promise<void>): void
}

/** A body as received: its content type without parameters, and its content encoding. */
export interface RawBody {
  content: Buffer
  type: string
  encoding: string | null
  /** The message that the parameter `proto` of the content type names. */
  proto: string | null
  /** The header that the endpoint names as the signature of the body. */
  signature: string | null
}

/** The monitor that a server's token belongs to. */
export interface ServerContext {
  monitorId: string
  tokenId: string
}

/** The body of an answer that is no text, with its entity tag. */
export interface BinaryAnswer {
  bytes: Buffer
  etag: string
  /** In place of those that the endpoint declares, such as a policy that depends on the content. */
  headers?: Readonly<Record<string, string>>
}

export interface MemoryAnswer {
  text: string
  etag: string
}

/** A request whose answer stays open. */
export interface StreamContext {
  request: IncomingMessage
  response: ServerResponse
  /** Names and values in turn, for `writeHead`. */
  headers: string[]
  tenant: TenantContext
  caller: Caller
  services: Services
  /** Admits the caller again as at the beginning, without counting a request; rejects when it is refused. */
  readmit(): Promise<Caller>
}

/** A request that is answered without Koa and without a transaction. Its body is unread. */
export interface DirectContext<Params = Record<string, string>> {
  params: Params
  method: 'GET' | 'HEAD' | 'POST'
  /** Without the question mark. */
  query: string
  request: IncomingMessage
  ip: string
  services: Services
}

export interface Endpoint<
  Path extends string = string,
  Query extends z.ZodType | undefined = z.ZodType | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Schema extends z.ZodType = z.ZodType,
> {
  method: Method
  /** Below `/api/v1`, or, with `root: true`, below `/api`. */
  path: Path
  root?: boolean
  summary: string
  description?: string
  /**
   * Its name in the API document and in generated clients, as `auth.signIn`, where the one that follows from path and
   * method says less.
   */
  operation?: string
  tag?: string
  access: Access
  /** Schemas of path parameters that are no UUIDs, such as slugs. */
  named?: Record<string, z.ZodType>
  /** Only where it differs from the class that the guard implies. */
  rate?: RateClass
  query?: Query
  body?: Body
  /** The body may also be a form, or be missing. */
  acceptsForms?: boolean
  /** The body may also be text/plain, which browsers send to another origin without a preflight request. */
  acceptsText?: boolean
  /**
   * In place of `body`: content types that the handler reads as bytes, each with its description, and their greatest
   * size. `protos`: messages that the parameter `proto` of the type may name. `signature`: the header by which the
   * sender signs the body.
   */
  accepts?: { types: Record<string, z.ZodType>; protos?: readonly string[]; limit: number; signature?: string }
  /** For bodies of megabytes: few at a time, and few a minute for a tenant. */
  upload?: UploadLimit
  /** The greatest size of a body in bytes: by default 256 KB, for public endpoints 16 KB. */
  bodyLimit?: number
  returns: Reply<Schema>
  /** It may answer 404 although its path names no record. */
  mayFindNothing?: true
  /** It happens once in an installation: afterwards it answers 409. */
  happensOnce?: true
  /** Headers that only some answers have, by name. */
  responseHeaders?: Partial<Record<OwnHeader, z.ZodType>>
  /**
   * Never compressed: for answers with a secret beside text that the caller chose, whose length would reveal the
   * secret. Answers to other methods than GET are never compressed, among them all that show a secret once.
   */
  compress?: false
  /** It sets cookies of a browser: only pages of our own origin may call it. */
  setsCookies?: true
  /** Dangerous: a browser session may do it only within ten minutes of `POST /auth/step-up` or its sign-in. */
  needsFreshSession?: true
  /**
   * Refused to sessions that are limited to their team: it makes a lasting credential, gives people access, or decides
   * how they sign in. `test/conventions/own-session.test.ts` holds it against all endpoints.
   */
  needsOwnSession?: true
  /** Allowed to a session that its team refuses until its person has set up a second factor. */
  allowsMissingFactor?: true
  /** Refused with 403 to callers in a tenant not their own, by impersonation token or `X-Tenant-Id`. */
  underImpersonation?: 'refused'
  /** Its transaction is read-only, and the answer does not wait for its end. True for GET by default. */
  reads?: boolean
  /** Without a transaction: for handlers that wait long or use no table. */
  detached?: boolean
  /**
   * Expensive, to the stores or as it waits within its transaction: its requests are worked on a few at a time, tenants
   * in turn, and the others wait without a connection.
   */
  limit?: ConcurrencyLimit
  /** Checks that wait on the network, before the transaction opens: they hold no connection of the database. */
  validate?(
    context: Pick<
      RequestContext<Record<ParamNames<Path>, string>, Parsed<Query>, Parsed<Body>>,
      'params' | 'query' | 'body' | 'services'
    >,
  ): Promise<void>
  handle(
    context: RequestContext<Record<ParamNames<Path>, string>, Parsed<Query>, Parsed<Body>>,
  ): Promise<z.input<Schema>> | z.input<Schema>
  /**
   * Makes the body of a binary answer of what the handler returned, after the transaction has ended: for work that
   * takes long and uses no table.
   */
  finish?(result: z.output<Schema>, services: Services): Promise<BinaryAnswer>
  /**
   * Takes the response over after the transaction has ended, with what the handler returned, and keeps it open. It
   * resolves once the answer has begun; a refusal before that is answered as usual.
   */
  stream?(result: z.output<Schema>, context: StreamContext): Promise<void>
  /**
   * For very frequent public requests that store something: without Koa and without a transaction, under a rate counted
   * by the parameters of the path and not by the caller. Returns the JSON; errors become refusals as usual.
   */
  direct?(request: DirectContext<Record<ParamNames<Path>, string>>): Promise<string>
  /**
   * For very frequent public GETs: the answer that `handle` would give, if it is in memory. It is sent without Koa.
   */
  fromMemory?(
    context: Pick<RequestContext<Record<ParamNames<Path>, string>, Parsed<Query>>, 'params' | 'query' | 'services'>,
  ): MemoryAnswer | undefined
}

/** One endpoint, declared once: routes, access, parsing, errors, serialising and OpenAPI follow from it. */
export const endpoint = <
  const Path extends string,
  Schema extends z.ZodType,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(
  declaration: Endpoint<Path, Query, Body, Schema>,
): Endpoint => declaration as unknown as Endpoint
