import { z } from 'zod'
import { roles } from '#contract/scopes.ts'
import { coreUser, listResponse, schemaOf } from '#control-plane/access/scim/names.ts'

const simpleAttribute = z.object({
  name: z.string(),
  type: z.enum(['string', 'boolean', 'complex']),
  multiValued: z.boolean(),
  description: z.string(),
  required: z.boolean(),
  caseExact: z.boolean().optional(),
  canonicalValues: z.array(z.string()).optional(),
  mutability: z.enum(['readOnly', 'readWrite', 'immutable']),
  returned: z.enum(['always', 'default']),
  uniqueness: z.enum(['none', 'server']).optional(),
})
type SimpleAttribute = z.infer<typeof simpleAttribute>

const resourceMeta = z.object({ resourceType: z.enum(['Schema', 'ResourceType']), location: z.string() })

export const ScimSchema = z
  .object({
    schemas: z.array(z.string()),
    id: z.string(),
    name: z.string(),
    description: z.string(),
    attributes: z.array(simpleAttribute.extend({ subAttributes: z.array(simpleAttribute).optional() })),
    meta: resourceMeta,
  })
  .meta({ id: 'ScimSchema' })

export const ScimResourceType = z
  .object({
    schemas: z.array(z.string()),
    id: z.string(),
    name: z.string(),
    endpoint: z.string(),
    description: z.string(),
    schema: z.string(),
    meta: resourceMeta,
  })
  .meta({ id: 'ScimResourceType' })

const listOf = <Resource extends z.ZodType>(resource: Resource, id: string) =>
  z
    .object({
      schemas: z.array(z.literal(listResponse)),
      totalResults: z.int(),
      startIndex: z.int(),
      itemsPerPage: z.int(),
      Resources: z.array(resource),
    })
    .meta({ id })
export const ScimSchemaList = listOf(ScimSchema, 'ScimSchemaList')
export const ScimResourceTypeList = listOf(ScimResourceType, 'ScimResourceTypeList')

/** A list of all there is. */
export const wholeList = <Resource>(resources: Resource[]) => ({
  schemas: [listResponse as typeof listResponse],
  totalResults: resources.length,
  startIndex: 1,
  itemsPerPage: resources.length,
  Resources: resources,
})

const text = (name: string, description: string, more: Partial<SimpleAttribute> = {}): SimpleAttribute => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})
const truth = (name: string, description: string): SimpleAttribute => ({
  name,
  type: 'boolean',
  multiValued: false,
  description,
  required: false,
  mutability: 'readWrite',
  returned: 'default',
})
const complex = (name: string, description: string, multiValued: boolean, subAttributes: SimpleAttribute[]) => ({
  name,
  type: 'complex' as const,
  multiValued,
  description,
  required: false,
  mutability: 'readWrite' as const,
  returned: 'default' as const,
  subAttributes,
})

/** The schema of people, as far as it is kept. */
export const userSchema = (base: string): z.input<typeof ScimSchema> => ({
  schemas: [schemaOf('Schema')],
  id: coreUser,
  name: 'User',
  description: 'A member of the team.',
  attributes: [
    text('userName', 'Unique in the team.', { required: true, uniqueness: 'server' }),
    text('displayName', 'What the person is called.'),
    complex('name', 'The parts of the name.', false, [
      text('formatted', 'The whole name.'),
      text('givenName', 'The given name.'),
      text('familyName', 'The family name.'),
    ]),
    truth('active', 'Whether the person may act in the team.'),
    complex('emails', 'The address of the account; set when the person is created.', true, [
      text('value', 'The address.', { required: true }),
      text('type', 'Always work.', { canonicalValues: ['work'] }),
      truth('primary', 'Always true.'),
    ]),
    complex('roles', 'The role in the team. No person is made owner.', true, [
      text('value', 'The role.', { canonicalValues: [...roles] }),
      truth('primary', 'Always true.'),
    ]),
  ],
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${coreUser}` },
})

export const userType = (base: string): z.input<typeof ScimResourceType> => ({
  schemas: [schemaOf('ResourceType')],
  id: 'User',
  name: 'User',
  endpoint: '/Users',
  description: 'A member of the team.',
  schema: coreUser,
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/User` },
})
