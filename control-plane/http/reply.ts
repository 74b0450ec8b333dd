import { z } from 'zod'
import { addSchema } from './described-as.ts'
import { errorCodes } from './error-codes.ts'

/** The answer of an endpoint: status, fixed headers, and the schema that strips undeclared fields from its body. */
export interface Reply<Schema extends z.ZodType = z.ZodType> {
  status: 200 | 201 | 202 | 204
  type:
    | 'application/json'
    | 'application/scim+json'
    | 'image/svg+xml'
    | 'text/javascript'
    | 'text/calendar'
    | 'text/csv'
    | 'text/html'
    | 'application/pdf'
    | 'text/event-stream'
  schema: Schema
  headers: Record<string, string>
  /** By content type of the request: encoders for callers that expect the answer in the format of their request. */
  alike?: Record<string, (parsed: unknown) => Buffer>
}

const json = <Shape extends z.ZodRawShape>(status: 200 | 201 | 202, shape: Shape): Reply<z.ZodObject<Shape>> => ({
  status,
  type: 'application/json',
  schema: z.object(shape),
  headers: {},
})

/** Whether the body of a reply is JSON. */
export const isJson = ({ type }: Pick<Reply, 'type'>): boolean =>
  type === 'application/json' || type === 'application/scim+json'

export const ok = <Shape extends z.ZodRawShape>(shape: Shape) => json(200, shape)
export const created = <Shape extends z.ZodRawShape>(shape: Shape) => json(201, shape)
/** Accepted, and not stored yet. */
export const accepted = <Shape extends z.ZodRawShape>(shape: Shape) => json(202, shape)
/** A reply whose body is one schema, not wrapped in `data`. */
export const bare = <Schema extends z.ZodType>(schema: Schema): Reply<Schema> => ({
  status: 200,
  type: 'application/json',
  schema,
  headers: {},
})
/** A reply in the format of SCIM. Its address and its version are those of `meta`. */
export const scim = <Schema extends z.ZodType>(schema: Schema, status: 200 | 201 = 200): Reply<Schema> => ({
  status,
  type: 'application/scim+json',
  schema,
  headers: {},
})
export const noContent: Reply<z.ZodVoid> = { status: 204, type: 'application/json', schema: z.void(), headers: {} }
export const script = (headers: Record<string, string>): Reply<z.ZodString> => ({
  status: 200,
  type: 'text/javascript',
  schema: z.string(),
  headers,
})
export const calendar = (headers: Record<string, string>): Reply<z.ZodString> => ({
  status: 200,
  type: 'text/calendar',
  schema: z.string(),
  headers,
})
export const csv = (headers: Record<string, string>): Reply<z.ZodString> => ({
  status: 200,
  type: 'text/csv',
  schema: z.string(),
  headers,
})
export const svg = (headers: Record<string, string>): Reply<z.ZodString> => ({
  status: 200,
  type: 'image/svg+xml',
  schema: z.string(),
  headers,
})

/** A page for a frame of the app, which the endpoint makes by `finish` with the policy that it is shown under. */
export const html = <Source>(headers: Record<string, string>): Reply<z.ZodType<Source, Source>> => ({
  status: 200,
  type: 'text/html',
  schema: z.custom<Source>().meta({ override: { type: 'string' } }),
  headers,
})

/** A PDF, which the endpoint makes by `finish` of what its handler returned. */
export const pdf = <Source>(headers: Record<string, string>): Reply<z.ZodType<Source, Source>> => ({
  status: 200,
  type: 'application/pdf',
  schema: z.custom<Source>().meta({ override: { type: 'string', format: 'binary' } }),
  headers,
})

/**
 * Server-Sent Events: what the handler returns is given to `stream` of the endpoint, which sends them. `events`: the
 * data of those that are no webhooks, by name.
 */
export const eventStream = <Source>(events: Record<string, z.ZodType>): Reply<z.ZodType<Source, Source>> => ({
  status: 200,
  type: 'text/event-stream',
  schema: z.custom<Source>().meta({
    override: {
      type: 'string',
      'x-events': Object.fromEntries(
        Object.entries(events).map(([name, schema]) => [name, { $ref: `#/components/schemas/${addSchema(schema)}` }]),
      ),
    },
  }),
  // proxies must neither keep, change nor gather it
  headers: { 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' },
})

export const Links = z
  .object({
    first: z.string().nullable(),
    last: z.string().nullable(),
    prev: z.string().nullable(),
    next: z.string().nullable(),
  })
  .meta({ id: 'Links' })
export const OffsetMeta = z
  .object({
    current_page: z.int(),
    last_page: z.int(),
    per_page: z.int(),
    total: z.int(),
  })
  .meta({ id: 'OffsetMeta' })
export const CursorMeta = z
  .object({
    next_cursor: z.string().nullable(),
    prev_cursor: z.string().nullable(),
    has_more: z.boolean(),
    per_page: z.int(),
  })
  .meta({ id: 'CursorMeta' })

export const offsetPage = <View extends z.ZodType>(view: View) =>
  ok({ data: z.array(view), links: Links, meta: OffsetMeta })
export const cursorPage = <View extends z.ZodType>(view: View) =>
  ok({ data: z.array(view), links: Links, meta: CursorMeta })

/** The error body of the specification, with additional optional fields. */
export const ErrorBody = z
  .object({
    message: z.string(),
    errors: z.record(z.string(), z.array(z.string())).optional(),
    code: z.string().optional().meta({
      description: 'Why, in a word that is the same in all languages. More of them may come.',
      'x-known-values': errorCodes,
    }),
    request_id: z.string().optional(),
    quota: z.string().optional().meta({
      description:
        'With code `plan_limit` the feature whose limit is reached, with `not_in_plan` the one that the plan lacks.',
    }),
    plan: z.string().optional().meta({ description: 'With code `not_in_plan`: the plan there is.' }),
    current: z.int().optional(),
    limit: z.int().optional(),
  })
  .meta({ id: 'Error' })
