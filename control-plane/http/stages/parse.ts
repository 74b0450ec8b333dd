import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import { z } from 'zod'
import { type FieldErrors, invalid, malformed, notFound } from '#control-plane/base/refusal.ts'
import { inSlices } from '#control-plane/base/slices.ts'
import { readBytes, readJson } from '#control-plane/http/body.ts'
import type { Endpoint, RawBody } from '#control-plane/http/endpoint.ts'
import { fieldErrors } from '#control-plane/http/field-errors.ts'
import { mayRepeat, readIdempotencyKey } from '#control-plane/http/idempotency.ts'
import { parametersOf } from '#control-plane/http/parameters.ts'
import { Handling, unknownFields } from '#control-plane/http/unknown-fields.ts'
import type { Admitted, Exchange, ParsedRequest } from './exchange.ts'

const uuid = z.uuid()
/** Bytes of a body, unless an endpoint says otherwise. */
const bodyBytes = { public: 16_384, authenticated: 262_144 }
const formType = 'application/x-www-form-urlencoded'
const noRawBody: RawBody = { content: Buffer.alloc(0), type: '', encoding: null, proto: null, signature: null }

/** Reads path, query, headers and body, in this order. The first part that is wrong is a 404, 400, 413, 415 or 422. */
export async function parseRequest(admitted: Admitted): Promise<ParsedRequest> {
  const { context, mounting, route, params } = admitted
  const { endpoint } = route
  checkParams(admitted)
  const handling = new Handling(context.state.responseHeaders, context.req.headers.prefer)
  const query = parseQuery(context, endpoint, handling)
  const key = context.req.headers['idempotency-key']
  const idempotencyKey = key !== undefined && mayRepeat(endpoint) ? readIdempotencyKey(key) : undefined
  const most = bodyBytes[route.guard === 'public' ? 'public' : 'authenticated']
  const limit = endpoint.bodyLimit ?? most
  const isForm = endpoint.acceptsForms && context.request.is(formType) === formType
  const read = isForm ? readForm : readJson
  const json = endpoint.body ? await read(context.req, limit, endpoint.body) : undefined
  const body = endpoint.body ? await inSlices(parseBody(endpoint.body, json, handling)) : undefined
  const rawBody = endpoint.accepts
    ? await readBytes(context.req, Object.keys(endpoint.accepts.types), endpoint.accepts.limit, endpoint.accepts)
    : noRawBody
  if (endpoint.validate) await endpoint.validate({ params, query, body, services: mounting.services } as never)
  return { ...admitted, query, body, json, rawBody, idempotencyKey, handling }
}

/** The fields of a form as the JSON that they stand for: a field whose schema is a list has all values of its name. */
async function readForm(request: IncomingMessage, limit: number, schema: z.ZodType): Promise<unknown> {
  const { content } = await readBytes(request, [formType], limit)
  const form = parametersOf(content.toString('utf8').replaceAll('%00', ''))
  const shape = schema instanceof z.ZodObject ? schema.shape : {}
  const isList = (name: string) => Object.hasOwn(shape, name) && bareSchema(shape[name]) instanceof z.ZodArray
  return Object.fromEntries(
    Object.entries(form).map(([name, value]) => [name, isList(name) ? [value].flat() : [value].flat()[0]]),
  )
}

const bareSchema = (schema: unknown): unknown =>
  schema instanceof z.ZodDefault || schema instanceof z.ZodOptional ? bareSchema(schema.unwrap()) : schema

/** A parameter is a UUID unless the endpoint declares another schema for it, such as that of a slug. */
export function checkParams({ params, route }: Exchange): void {
  for (const [name, value] of Object.entries(params))
    if (!(route.endpoint.named?.[name] ?? uuid).safeParse(value).success) throw notFound(nounOf(name))
}

const nounOf = (param: string) => {
  const text = param.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function parseQuery(context: Context, endpoint: Endpoint, handling: Handling): unknown {
  if (!endpoint.query && !context.querystring) return undefined
  if (!isDecodable(context.querystring)) throw malformed('The query is not UTF-8.')
  const received = context.query as ReturnType<typeof parametersOf>
  const shape = endpoint.query instanceof z.ZodObject ? endpoint.query.shape : {}
  handling.ignoreParameters(Object.keys(received).filter(name => !Object.hasOwn(shape, name)))
  if (!endpoint.query) return undefined
  const errors: FieldErrors = {}
  for (const [name, value] of Object.entries(received)) {
    const isRefused = (Array.isArray(value) && !takesList(shape[name])) || [value].flat().join('').includes('\0')
    if (Object.hasOwn(shape, name) && isRefused) errors[name] = ['Give this parameter once, as plain text.']
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return parseWith(endpoint.query, received)
}

/** Whether a parameter is a list, whose parts may stand in one parameter or in several of its name. */
function takesList(schema: z.ZodType | undefined): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return takesList(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodPipe) return takesList(schema.in as z.ZodType)
  return schema instanceof z.ZodUnion && schema.options.some(option => option instanceof z.ZodArray)
}

/** Whether a query is UTF-8 once its percent signs are decoded. A percent sign that encodes nothing is text. */
function isDecodable(querystring: string): boolean {
  try {
    decodeURIComponent(querystring.replace(/%(?![\da-f]{2})/gi, '%25'))
    return true
  } catch {
    return false
  }
}

/** May pause after each step: the largest bodies take tens of milliseconds in each. */
function* parseBody(schema: z.ZodType, json: unknown, handling: Handling): Generator<undefined, unknown> {
  const parsed = schema.safeParse(json ?? {})
  yield
  const errors = parsed.success ? {} : fieldErrors(parsed.error)
  handling.ignoreFields(unknownFields(schema, json), errors)
  if (!parsed.success) throw invalid(errors)
  yield
  return parsed.data
}

export function parseWith(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalid(fieldErrors(parsed.error))
}
