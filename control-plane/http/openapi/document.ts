import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import chosen from '#contract/chosen-examples.json' with { type: 'json' }
import examples from '#contract/examples.json' with { type: 'json' }
import { describedSchemas } from '#control-plane/http/described-as.ts'
import type { Endpoint } from '#control-plane/http/endpoint.ts'
import { idempotencyHeader, mayRepeat } from '#control-plane/http/idempotency.ts'
import { rateLimits } from '#control-plane/http/rate.ts'
import { CursorMeta, OffsetMeta } from '#control-plane/http/reply.ts'
import { type Route, readerOf, routesOf } from '#control-plane/http/route.ts'
import { scimMedia } from '#control-plane/http/scim-error.ts'
import { errorReplies, rateHeaders, scimErrorReplies } from './errors.ts'
import { linksOf } from './links.ts'
import { nameParts } from './names.ts'
import { operationId } from './operation-id.ts'
import { slim, walk } from './slim.ts'
import { tagGroups, tags } from './tags.ts'
import { describeWebhooks } from './webhooks.ts'

const etagSchema = z.object({
  ETag: z.string().meta({
    header: { id: 'ETag' },
    description: 'Which answer this is and, after the dot, which version of the record',
  }),
})
const replayedSchema = z.object({
  'Idempotency-Replayed': z
    .enum(['true'])
    .optional()
    .meta({
      header: { id: 'Idempotency-Replayed' },
      description: 'Given when this was answered before under the same key',
    }),
})

const ignoredParameters = z
  .string()
  .optional()
  .meta({
    header: { id: 'X-Ignored-Parameters' },
    description: 'Query parameters that are not known here, percent-encoded, twenty at most',
  })
const ignoredFields = z
  .string()
  .optional()
  .meta({
    header: { id: 'X-Ignored-Fields' },
    description: 'Fields of the body that are not known here, as dotted paths, percent-encoded, twenty at most',
  })
const preferenceApplied = z
  .enum(['handling=strict'])
  .optional()
  .meta({ header: { id: 'Preference-Applied' }, description: 'Given when the request asked for it' })
const prefer = z
  .string()
  .optional()
  .meta({
    param: { id: 'Prefer' },
    description:
      '`handling=strict`: fields and parameters that are not known here are refused with 422, not ignored (RFC 7240)',
  })

/** Readers for whom a document of its own is made: `reseller` has what a reseller's token opens, and nothing else. */
export const audiences = ['all', 'reseller'] as const
export type Audience = (typeof audiences)[number]
const isFor = (audience: Audience, { guard }: Route) =>
  audience === 'all' || guard === 'reseller' || guard === 'managed-team'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The OpenAPI 3.1 description of all endpoints, made from their declarations alone. */
export function describe(endpoints: readonly Endpoint[], baseUrl: string, audience: Audience = 'all') {
  const paths: ZodOpenApiPathsObject = {}
  const routes = endpoints
    .flatMap(routesOf)
    .sort((a, b) =>
      a.path < b.path ? -1 : a.path > b.path ? 1 : methods.indexOf(a.method) - methods.indexOf(b.method),
    )
  for (const route of routes.filter(route => isFor(audience, route))) {
    paths[route.path] ??= {}
    Object.assign(paths[route.path]!, { [route.method.toLowerCase()]: operation(route, routes) })
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Vedette',
        version: '1',
        description:
          'Multi-tenant uptime monitoring with a reseller layer. Timestamps are ISO 8601 in UTC with six digits; ' +
          'identifiers are UUIDs. Error messages are in English or German, by `Accept-Language`, else by the ' +
          'language of the person; `code` is the same in both.',
        license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
      },
      servers: [{ url: baseUrl, description: 'This installation' }],
      ...tagsOf(paths),
      paths,
      webhooks: describeWebhooks(),
      components: {
        schemas: describedSchemas(),
        securitySchemes: {
          session: {
            type: 'http',
            scheme: 'bearer',
            description:
              'A session token (`ss-`): POST /auth/token with e-mail address and password. ' +
              'A personal token (`sk-`): POST /api-tokens. ' +
              'A key of the team (`svc-`): POST /api-keys. ' +
              'An impersonation token (`ik-`): POST /reseller/managed-teams/{managed_team}/impersonation-tokens. ' +
              'Each is sent as `Authorization: Bearer …`.',
          },
          browser: {
            type: 'apiKey',
            in: 'cookie',
            name: '__Host-vedette',
            description:
              'The session of a browser: POST /auth/login. Calls that change something must come from a page of this ' +
              'service (`Sec-Fetch-Site: same-origin`, or its `Origin`). In the session of an owner or administrator ' +
              'of a reseller it stands in for a reseller token with every scope.',
          },
          reseller: {
            type: 'http',
            scheme: 'bearer',
            description:
              'A reseller token (`rk-`): POST /auth/reseller-token by a signed-in administrator of a reseller, or ' +
              'POST /reseller/tokens.',
          },
          server: {
            type: 'http',
            scheme: 'bearer',
            description: 'The token of one server (`am-`): POST /agent-monitors shows it once.',
          },
          scim: {
            type: 'http',
            scheme: 'bearer',
            description: 'The token of a team’s directory (`sc-`): POST /scim-tokens shows it once.',
          },
        },
      },
    },
    { override },
  )
  walk(document, slim)
  nameParts(document as unknown as Parameters<typeof nameParts>[0])
  const schemas = document.components?.schemas ?? {}
  for (const [name, example] of Object.entries(examples))
    if (typeof schemas[name] === 'object') Object.assign(schemas[name], { examples: [...simplest(name), example] })
  return document
}

/** The example that a reader copies first: chosen by hand, where those that tests have seen are long. */
const simplest = (name: string): object[] =>
  Object.entries(chosen).flatMap(([known, example]) => (known === name ? [example] : []))

/** The tags that operations of these paths have, and those of the webhooks, in their groups. */
function tagsOf(paths: ZodOpenApiPathsObject) {
  const operations = Object.values(paths).flatMap(item => Object.values(item) as ZodOpenApiOperationObject[])
  const used = new Set(['webhooks', ...operations.flatMap(({ tags = [] }) => tags)])
  return {
    tags: tags.filter(({ name }) => used.has(name)),
    'x-tagGroups': tagGroups
      .map(group => ({ ...group, tags: group.tags.filter(name => used.has(name)) }))
      .filter(group => group.tags.length > 0),
  }
}

/**
 * Replies may have more fields one day, so none is promised to have no others. Tests hold answers to what is described
 * all the same.
 */
/**
 * Replies may have more fields one day, so none is promised to have no others. Tests hold answers to what is described
 * all the same.
 */
const override = ({ jsonSchema, io }: { jsonSchema: { additionalProperties?: unknown }; io: 'input' | 'output' }) => {
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
}

function operation(route: Route, routes: readonly Route[]): ZodOpenApiOperationObject {
  const { endpoint } = route
  const params = [...route.path.matchAll(/\{(\w+)\}/g)].map(match => match[1]!)
  const isReseller = route.guard === 'reseller' || route.guard === 'managed-team'
  const takesContext = route.guard === 'tenant'
  const scope =
    typeof endpoint.access === 'string' ? undefined : isReseller ? endpoint.access.reseller : endpoint.access.tenant
  const rate =
    endpoint.rate ??
    (route.guard === 'public'
      ? 'public'
      : route.guard === 'server-agent' || route.guard === 'scim'
        ? route.guard
        : isReseller
          ? 'reseller'
          : 'tenant')
  const isGuarded = readerOf(route, routes) !== undefined
  const isRepeatable = mayRepeat(endpoint)
  const hasEtag = endpoint.method === 'GET' && !endpoint.direct && !endpoint.stream
  const headers = rateHeaders.extend({
    ...(hasEtag && etagSchema.shape),
    ...(!endpoint.direct && { 'X-Ignored-Parameters': ignoredParameters, 'Preference-Applied': preferenceApplied }),
    ...(!endpoint.direct && endpoint.body && { 'X-Ignored-Fields': ignoredFields }),
    ...(isRepeatable && replayedSchema.shape),
    ...endpoint.responseHeaders,
  })
  const askedHeaders = {
    ...(!endpoint.direct && { Prefer: prefer }),
    ...(endpoint.stream && {
      'Last-Event-ID': z
        .string()
        .optional()
        .meta({ description: 'The id of the last event: what follows it is sent.' }),
    }),
    ...(takesContext && {
      'X-Tenant-Id': z
        .uuid()
        .optional()
        .meta({ description: 'For resellers and operators: the tenant to act in. Ignored for all others.' }),
    }),
    ...(isRepeatable && {
      [idempotencyHeader]: z
        .string()
        .regex(/^[\x21-\x7e]{1,255}$/)
        .optional()
        .meta({
          description:
            'A repeated request with the same key and the same token within 24 hours has no effect and gets the ' +
            'first answer again. Another request with the same key is refused. With another token, also the ' +
            'successor of a rotated one, it is a new request: `external_ref` keeps teams single there.',
        }),
    }),
    ...(isGuarded && {
      'If-Match': z.string().optional().meta({
        description: 'Entity tags of a GET of this path: 412 if the record has been changed since. `*` for any.',
      }),
    }),
  }
  const links = endpoint.returns.status === 201 ? linksOf(route, routes) : {}
  const hasLinks = Object.keys(links).length > 0
  const responses: ZodOpenApiOperationObject['responses'] = {
    [String(endpoint.returns.status)]:
      endpoint.returns.status === 204
        ? { description: 'Done', headers }
        : { description: 'Success', headers, content: contentOf(endpoint), ...(hasLinks && { links }) },
    '429': errorReplies.tooMany,
    '503': errorReplies.unavailable,
  }
  if (hasEtag) responses['304'] = errorReplies.notModified
  if (route.guard !== 'public') {
    responses['401'] = errorReplies.unauthenticated
    responses['403'] = errorReplies.forbidden
  }
  if (route.guard === 'public' && endpoint.setsCookies) responses['403'] = errorReplies.forbidden
  if (endpoint.rate === 'auth') responses['401'] = errorReplies.noAccount
  if (endpoint.setsCookies) responses['403'] = errorReplies.forbidden
  if (endpoint.happensOnce) responses['409'] = errorReplies.done
  if (isGuarded) responses['412'] = errorReplies.changed
  responses['4XX'] = errorReplies.refused
  if (params.length > 0 || endpoint.mayFindNothing)
    responses['404'] =
      endpoint.returns.type === 'image/svg+xml'
        ? { description: 'Not found', content: contentOf(endpoint) }
        : errorReplies.notFound
  responses['422'] = errorReplies.invalid
  const description = [endpoint.description, route.guard === 'super-admin' && 'Operators only.']
    .filter(Boolean)
    .join(' ')
  return {
    operationId: operationId(route, routes),
    summary: endpoint.summary,
    ...(description && { description }),
    tags: [endpoint.tag ?? tagOf(endpoint.path)],
    ...(route.guard !== 'public' && {
      security:
        route.guard === 'server-agent' || route.guard === 'scim'
          ? [{ [route.guard === 'scim' ? 'scim' : 'server']: [] }]
          : [{ [isReseller ? 'reseller' : 'session']: [] }, { browser: [] }],
    }),
    ...(scope && { 'x-required-scopes': scope === 'any' ? [] : typeof scope === 'string' ? [scope] : scope }),
    'x-rate-limit': `${rateLimits[rate]} a minute`,
    ...paginationOf(endpoint),
    requestParams: {
      ...(params.length > 0 && {
        path: z.object(Object.fromEntries(params.map(name => [name, endpoint.named?.[name] ?? z.uuid()]))),
      }),
      ...(endpoint.query instanceof z.ZodObject && { query: endpoint.query }),
      ...(Object.keys(askedHeaders).length > 0 && { header: z.object(askedHeaders) }),
    },
    ...(endpoint.body && { requestBody: bodyOf(endpoint, endpoint.body) }),
    ...(endpoint.accepts && {
      requestBody: {
        required: true,
        content: Object.fromEntries(Object.entries(endpoint.accepts.types).map(([type, schema]) => [type, { schema }])),
      },
    }),
    responses: route.guard === 'scim' ? { ...successOf(responses), ...scimErrorReplies } : responses,
  }
}

/** The answers other than refusals. */
const successOf = (responses: ZodOpenApiOperationObject['responses']) =>
  Object.fromEntries(Object.entries(responses).filter(([status]) => /^[23]/.test(status)))

const bodyOf = (
  { access, acceptsForms = false, acceptsText = false }: Endpoint,
  schema: NonNullable<Endpoint['body']>,
) => ({
  required: !acceptsForms,
  content: {
    [access === 'scim' ? scimMedia : 'application/json']: { schema },
    ...(acceptsForms && { 'application/x-www-form-urlencoded': { schema } }),
    ...(acceptsText && { 'text/plain': { schema } }),
  },
})

/** How a list is paged, for iterators of generated clients: by `page` and `per_page`, or by `cursor`. */
function paginationOf({ returns }: Endpoint): { 'x-pagination'?: 'offset' | 'cursor' } {
  const meta = returns.schema instanceof z.ZodObject ? returns.schema.shape.meta : undefined
  if (meta === OffsetMeta) return { 'x-pagination': 'offset' }
  return meta === CursorMeta ? { 'x-pagination': 'cursor' } : {}
}

const binary = z.string().meta({ format: 'binary' })
const contentOf = ({ returns }: Endpoint) => ({
  [returns.type]: { schema: returns.schema },
  ...Object.fromEntries(Object.keys(returns.alike ?? {}).map(type => [type, { schema: binary }])),
})

const tagOf = (path: string) => path.split('/')[path.startsWith('/reseller/') ? 2 : 1] ?? 'api'
