import { z } from 'zod'
import { coreUser, patchOp } from '#control-plane/access/scim/names.ts'

/**
 * A person as a directory sends one. Names of attributes have no case and values have several forms, so `readPerson`
 * reads them; this describes the usual form.
 */
export const ScimUserInput = z
  .looseObject({
    schemas: z
      .unknown()
      .optional()
      .meta({ description: `A list with \`${coreUser}\`.` }),
    userName: z.unknown().optional().meta({ description: 'Unique in the team; needed to create a person.' }),
    externalId: z.unknown().optional().meta({ description: 'What the directory calls the person.' }),
    displayName: z.unknown().optional(),
    name: z.unknown().optional().meta({ description: 'An object with `formatted`, `givenName` and `familyName`.' }),
    active: z.unknown().optional().meta({ description: 'true or false, also as text.' }),
    emails: z.unknown().optional().meta({ description: 'The primary one, else the first, is the address.' }),
    roles: z.unknown().optional().meta({ description: 'admin, member or viewer.' }),
  })
  .meta({ id: 'ScimUserInput' })

export const ScimPatch = z
  .looseObject({
    schemas: z
      .unknown()
      .optional()
      .meta({ description: `A list with \`${patchOp}\`.` }),
    Operations: z
      .unknown()
      .optional()
      .meta({ description: 'At most 100 of `add`, `replace` and `remove`, with `path` and `value`.' }),
  })
  .meta({ id: 'ScimPatch' })
