import { z } from 'zod'
import { coreUser, schemaOf } from '#control-plane/access/scim/names.ts'
import { mostResults } from '#control-plane/access/scim/users/list.ts'
import { notFound } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { scim } from '#control-plane/http/reply.ts'
import { scimPath } from '#control-plane/http/scim-error.ts'
import type { Services } from '#control-plane/http/services.ts'
import {
  ScimResourceType,
  ScimResourceTypeList,
  ScimSchema,
  ScimSchemaList,
  userSchema,
  userType,
  wholeList,
} from './schemas.ts'

const baseOf = ({ config }: Services) => config.baseUrl + scimPath
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

  handle: ({ services }) => ({
    schemas: [schemaOf('ServiceProviderConfig')],
    documentationUri: `${services.config.baseUrl}/api/docs`,
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
    meta: { resourceType: 'ServiceProviderConfig' as const, location: `${baseOf(services)}/ServiceProviderConfig` },
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

  handle: ({ services }) => wholeList([userType(baseOf(services))]),
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

  handle({ services, params }) {
    if (params.resource_type !== 'User') throw notFound('Resource type')
    return userType(baseOf(services))
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

  handle: ({ services }) => wholeList([userSchema(baseOf(services))]),
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

  handle({ services, params }) {
    if (params.schema.toLowerCase() !== coreUser.toLowerCase()) throw notFound('Schema')
    return userSchema(baseOf(services))
  },
})

export const discovery = [getServiceProviderConfig, listResourceTypes, getResourceType, listSchemas, getSchema]
