/** The schemas and messages of RFC 7643 and RFC 7644 that are spoken here. */
export const coreUser = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const listResponse = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
export const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
export const schemaOf = (name: 'Schema' | 'ResourceType' | 'ServiceProviderConfig') =>
  `urn:ietf:params:scim:schemas:core:2.0:${name}`

/** The attributes of a person that are kept, by their names in lower case: these have no case (RFC 7643, 2.1). */
export const attributes = {
  externalid: 'externalId',
  username: 'userName',
  displayname: 'displayName',
  active: 'active',
  name: 'name',
  emails: 'emails',
  roles: 'roles',
} as const
export const partsOfName = { formatted: 'formatted', givenname: 'givenName', familyname: 'familyName' } as const
export const partsOfValue = { value: 'value', type: 'type', primary: 'primary', display: 'display' } as const

/** Set by this service alone. */
export const readOnly: readonly string[] = ['id', 'meta', 'groups']

export type AttributeName = (typeof attributes)[keyof typeof attributes]
export type PartOfName = (typeof partsOfName)[keyof typeof partsOfName]
export type PartOfValue = (typeof partsOfValue)[keyof typeof partsOfValue]

/** The name as it is spelled here, or undefined for one that is not kept. */
export function named<Name extends string>(known: Readonly<Record<string, Name>>, name: string): Name | undefined {
  const lower = name.toLowerCase()
  return Object.hasOwn(known, lower) ? known[lower] : undefined
}
