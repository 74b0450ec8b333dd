import type { IncomingMessage } from 'node:http'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { z } from 'zod'
import type { EventName } from '#contract/events.ts'
import type { MailData, MailType } from '#contract/mails.ts'
import type { ResellerScope, TenantScope } from '#contract/scopes.ts'
import type { AuditEntity } from '#control-plane/base/audit-entities.ts'
import type { Caller, TenantContext } from '#control-plane/base/caller.ts'
import type { MailRecipient, Whose } from '#control-plane/base/side-effects.ts'
import type { Reply } from './reply.ts'
import type { Services } from './services.ts'

/**
 * Who may call, and by which doors. `tenant` mounts the path itself (own tenant, `X-Tenant-Id`, impersonation);
 * `reseller` beside it mounts the same under `/reseller/managed-teams/{managed_team}`;
 * `reseller` alone is a path of the reseller's own, with `any` for every reseller token whatever its scopes.
 * `session` needs a signed-in caller and no scope. `server-agent` needs the token of one server, which opens nothing else.
 */
export type Access =
  | 'public'
  | 'session'
  | 'server-agent'
  | 'super-admin'
  | { tenant: TenantScope; reseller?: ResellerScope }
  | { reseller: ResellerScope | 'any'; tenant?: undefined }

export type RateClass =
  | 'public'
  | 'auth'
  | 'badge'
  | 'ping'
  | 'vitals'
  | 'docs'
  | 'server-agent'
  | 'tenant'
  | 'tenant-context'
  | 'reseller'
  | 'smtp-test'
export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never
type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** What a handler is told. It never sees Koa, a status or a header. */
export interface RequestContext<Params = Record<string, string>, Query = unknown, Body = unknown> {
  params: Params
  query: Query
  body: Body
  /** What was sent, where the endpoint `takes` bytes. */
  rawBody: RawBody
  /** The server whose token was presented, behind a door for those. */
  server: ServerContext
  /** The tenant acted on, as the door resolved it. */
  tenant: TenantContext
  caller: Caller
  em: EntityManager
  now: Date
  /** The request's own address as the world knows it, query and all: links are made of it. */
  url: string
  ip: string
  userAgent: string
  requestId: string
  services: Services
  /** Writes an event to the outbox, in this request's transaction; whose event it is decides who hears of it. */
  emit(event: EventName, payload: Record<string, unknown>, whose?: Exclude<Whose, 'both'>): void
  /** Sends a mail once this request's transaction has committed; in whose name it goes out is decided by whose it is. */
  mail<Type extends MailType>(
    type: Type,
    recipient: MailRecipient,
    data: MailData<Type>,
    whose?: Exclude<Whose, 'both'>,
  ): void
  /** Starts a durable process, through the outbox: it starts if and only if this transaction commits. */
  start(workflow: string, id: string, input: Record<string, unknown>): void
  /** Tells a durable process something, through the outbox. One that is gone need not hear it. */
  signal(id: string, signal: string): void
  /** One audit entry for what was done. `changes` holds before and after of changed fields, never secrets. */
  audit(
    action: string,
    entity: { type: AuditEntity; id?: string | null },
    changes?: Record<string, unknown>,
    whose?: Whose,
  ): void
  /** Gives the answer one of the headers that the endpoint `tells`. */
  setHeader(header: `X-Vedette-${string}`, value: string): void
  /** Names fields of the body that were found unknown only now, as dotted paths: the answer names them, and `handling=strict` refuses them. */
  ignore(fields: readonly string[]): void
  /** Runs once the transaction has committed. */
  afterCommit(task: () => void | Promise<void>): void
}

/** A body as it came: its content type without parameters, and how it is packed. */
export interface RawBody {
  content: Buffer
  type: string
  encoding: string | null
}

/** The monitor that a server's token belongs to. */
export interface ServerContext {
  monitorId: string
  tokenId: string
}

export interface KnownAnswer {
  text: string
  etag: string
}

/** What is known of a request that takes the swift lane. Its body is unread. */
export interface FastPathContext<Params = Record<string, string>> {
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
  /** Only on the hosts for which it is true, in lower case and without a port; there it goes before an endpoint of all hosts. */
  host?: (host: string) => boolean
  summary: string
  description?: string
  /** Its name in the API document and in generated clients, as `auth.signIn`, where the one that follows from path and method says less. */
  operation?: string
  tag?: string
  access: Access
  /** What names a record in the path, where that is no UUID. */
  named?: Record<string, z.ZodType>
  /** Only exceptions: otherwise the door implies it. */
  rate?: RateClass
  query?: Query
  body?: Body
  /** The body may also be a form, or be left out. */
  acceptsForms?: boolean
  /** The body may also come as text/plain: what browsers send to another origin without asking it first. */
  acceptsText?: boolean
  /** In place of `body`: content types that are taken as bytes, each with its description, and how many bytes. The handler reads them. */
  accepts?: { types: Record<string, z.ZodType>; limit: number }
  /** Bytes a body may have; unless told 256 KB, and 16 KB where anybody may call. */
  bodyLimit?: number
  returns: Reply<Schema>
  /** Headers that some of its answers have and others have not, by name. */
  responseHeaders?: Record<`X-Vedette-${string}`, z.ZodType>
  /**
   * Answers that hold a secret beside what their caller chose are never compressed: their length would tell of it.
   * Answers to anything but GET, among them all that show a secret once, never are.
   */
  compress?: false
  /** Refused with 403 to whoever acts in a tenant not their own: by impersonation token or by `X-Tenant-Id`. */
  underImpersonation?: 'refused'
  /** Its transaction can change nothing, and nobody waits for its end. By default those of GET. */
  reads?: boolean
  /** Without a transaction: for handlers that wait long or touch no table. */
  detached?: boolean
  /** What waits on the network and touches no table, before the transaction opens: nobody's answer waits for a connection held meanwhile. */
  vet?(
    facts: Pick<
      RequestContext<Record<ParamNames<Path>, string>, Parsed<Query>, Parsed<Body>>,
      'params' | 'query' | 'body' | 'services'
    >,
  ): Promise<void>
  handle(
    facts: RequestContext<Record<ParamNames<Path>, string>, Parsed<Query>, Parsed<Body>>,
  ): Promise<z.input<Schema>> | z.input<Schema>
  /**
   * For public paths asked very often that store something: given ahead of the usual chain, under a rate counted by what the path names and
   * not by who asks. Answers the JSON; what is thrown is refused as usual.
   */
  fast?(asked: FastPathContext<Record<ParamNames<Path>, string>>): Promise<string>
  /** For public GETs asked very often: the same answer as `handle` gives, if it is in memory. It is then given ahead of the usual chain. */
  knownAnswer?(
    facts: Pick<RequestContext<Record<ParamNames<Path>, string>, Parsed<Query>>, 'params' | 'query' | 'services'>,
  ): KnownAnswer | undefined
}

/** One endpoint, declared once: route, doors, parsing, errors, serialising and OpenAPI follow from it. */
export const endpoint = <
  const Path extends string,
  Schema extends z.ZodType,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(
  declaration: Endpoint<Path, Query, Body, Schema>,
): Endpoint => declaration as unknown as Endpoint
