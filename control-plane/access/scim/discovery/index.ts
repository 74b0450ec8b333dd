import { z } from 'zod'
import { coreUser, schemaOf } from '#control-plane/access/scim/names.ts'
import { mostResults } from '#control-plane/access/scim/users/list.ts'
import { notFound } from '#control-plane/base/refusal.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { scim } from '#control-plane/http/reply.ts'
import { scimPath } from '#control-plane/http/scim-error.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import {
  ScimResourceType,
  ScimResourceTypeList,
  ScimSchema,
  ScimSchemaList,
  userSchema,
  userType,
  wholeList,
} from './schemas.ts'

type Context = Pick<RequestContext, 'services' | 'tenant'>

const originOf = ({ services, tenant }: Context) => keptOriginOf(services, tenant.id)
const baseOf = async (context: Context) => (await originOf(context)) + scimPath
const id = z.string().max(255)
const supported = z.object({ supported: z.boolean() })

const ServiceProviderConfig = z
  .object({
    schemas: z.array(z.string()),
    documentationUri: z.string(),
    patch: supported,
    bulk: supported.extend({ maxOperations: z.int(), maxPayloadSize: z.int() }),
    filter: supported.extend({ maxResults: z.int() }),
    changePassword: supported,
    sort: supported,
    etag: supported,
    authenticationSchemes: z.array(
      z.object({ type: z.string(), name: z.string(), description: z.string(), primary: z.boolean() }),
    ),
    meta: z.object({ resourceType: z.literal('ServiceProviderConfig'), location: z.string() }),
  })
  .meta({ id: 'ScimServiceProviderConfig' })

const getServiceProviderConfig = endpoint({
  method: 'GET',
  path: '/scim/v2/ServiceProviderConfig',
  root: true,
  operation: 'scim.serviceProviderConfig',
  summary: 'Get what this service supports of SCIM',
  access: 'scim',
  returns: scim(ServiceProviderConfig),
  detached: true,

  handle: async context => ({
    schemas: [schemaOf('ServiceProviderConfig')],
    documentationUri: `${await originOf(context)}/api/docs`,
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: mostResults },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A token of POST /scim-tokens as Authorization: Bearer.',
        primary: true,
      },
    ],
    meta: {
      resourceType: 'ServiceProviderConfig' as const,
      location: `${await baseOf(context)}/ServiceProviderConfig`,
    },
  }),
})

const listResourceTypes = endpoint({
  method: 'GET',
  path: '/scim/v2/ResourceTypes',
  root: true,
  operation: 'scim.resourceTypes.list',
  summary: 'List the kinds of resources',
  access: 'scim',
  returns: scim(ScimResourceTypeList),
  detached: true,

  handle: async context => wholeList([userType(await baseOf(context))]),
})

const getResourceType = endpoint({
  method: 'GET',
  path: '/scim/v2/ResourceTypes/{resource_type}',
  root: true,
  operation: 'scim.resourceTypes.get',
  summary: 'Get a kind of resources',
  access: 'scim',
  named: { resource_type: id },
  returns: scim(ScimResourceType),
  detached: true,

  async handle(context) {
    if (context.params.resource_type !== 'User') throw notFound('Resource type')
    return userType(await baseOf(context))
  },
})

const listSchemas = endpoint({
  method: 'GET',
  path: '/scim/v2/Schemas',
  root: true,
  operation: 'scim.schemas.list',
  summary: 'List the schemas of resources',
  access: 'scim',
  returns: scim(ScimSchemaList),
  detached: true,

  handle: async context => wholeList([userSchema(await baseOf(context))]),
})

const getSchema = endpoint({
  method: 'GET',
  path: '/scim/v2/Schemas/{schema}',
  root: true,
  operation: 'scim.schemas.get',
  summary: 'Get the schema of a kind of resources',
  access: 'scim',
  named: { schema: id },
  returns: scim(ScimSchema),
  detached: true,

  async handle(context) {
    if (context.params.schema.toLowerCase() !== coreUser.toLowerCase()) throw notFound('Schema')
    return userSchema(await baseOf(context))
  },
})

export const discovery = [getServiceProviderConfig, listResourceTypes, getResourceType, listSchemas, getSchema]
