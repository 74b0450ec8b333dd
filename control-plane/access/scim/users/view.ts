import { hash } from 'node:crypto'
import { z } from 'zod'
import { coreUser, listResponse } from '#control-plane/access/scim/names.ts'
import { fullNameOf, type Name, type Person } from '#control-plane/access/scim/person.ts'
import { scimPath } from '#control-plane/http/scim-error.ts'
import type { PersonRow } from './row.ts'

const time = z.string().meta({ format: 'date-time' })

export const ScimUserView = z
  .object({
    schemas: z.array(z.literal(coreUser)),
    id: z.uuid(),
    externalId: z.string().optional(),
    userName: z.string().meta({ description: 'As the directory gave it, else the e-mail address.' }),
    name: z.object({
      formatted: z.string(),
      givenName: z.string().optional(),
      familyName: z.string().optional(),
    }),
    displayName: z.string(),
    active: z.boolean().meta({ description: 'False: the person cannot act in the team until activated again.' }),
    emails: z.array(z.object({ value: z.string(), type: z.literal('work'), primary: z.literal(true) })),
    roles: z.array(z.object({ value: z.string(), primary: z.literal(true) })),
    meta: z.object({
      resourceType: z.literal('User'),
      created: time,
      lastModified: time,
      location: z.string(),
      version: z.string().meta({ description: 'The entity tag, for `If-Match`.' }),
    }),
  })
  .meta({ id: 'ScimUser' })

export const ScimUserList = z
  .object({
    schemas: z.array(z.literal(listResponse)),
    totalResults: z.int(),
    startIndex: z.int(),
    itemsPerPage: z.int(),
    Resources: z.array(ScimUserView),
  })
  .meta({ id: 'ScimUserList' })

const givenNames = ({ formatted_name, given_name, family_name }: PersonRow): Name => ({
  ...(formatted_name !== null && { formatted: formatted_name }),
  ...(given_name !== null && { givenName: given_name }),
  ...(family_name !== null && { familyName: family_name }),
})

/** A member as patches start from: only what was given of the name. */
export const personOf = (row: PersonRow): Person => ({
  userName: row.user_name ?? row.email,
  externalId: row.external_id,
  displayName: row.display_name,
  name: givenNames(row),
  active: row.is_active,
  emails: [{ value: row.email, type: 'work', primary: true }],
  roles: [{ value: row.role, primary: true }],
})

export function viewPerson(row: PersonRow, origin: string): z.input<typeof ScimUserView> {
  const { name = {} } = personOf(row)
  const formatted = name.formatted ?? fullNameOf({ name }) ?? row.name
  const resource = {
    schemas: [coreUser as typeof coreUser],
    id: row.id,
    ...(row.external_id !== null && { externalId: row.external_id }),
    userName: row.user_name ?? row.email,
    name: { ...name, formatted },
    displayName: row.display_name ?? formatted,
    active: row.is_active,
    emails: [{ value: row.email, type: 'work' as const, primary: true as const }],
    roles: [{ value: row.role, primary: true as const }],
  }
  return {
    ...resource,
    meta: {
      resourceType: 'User',
      created: row.created_at,
      lastModified: row.updated_at,
      location: `${origin}${scimPath}/Users/${row.id}`,
      version: `W/"${hash('sha1', JSON.stringify(resource), 'base64url')}"`,
    },
  }
}
