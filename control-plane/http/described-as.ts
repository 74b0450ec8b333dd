import { z } from 'zod'

const described = new Map<string, z.ZodType>()

/** The schemas by which others are described; the API document lists them too. */
export const describedSchemas = (): Record<string, z.ZodType> =>
  Object.fromEntries([...described].sort(([a], [b]) => (a < b ? -1 : 1)))

/**
 * A schema that parses loosely and that the API document describes by another one with an id: stored values are not
 * parsed twice.
 */
export function describedAs<Schema extends z.ZodType>(schema: Schema, as: z.ZodType): Schema {
  return referringTo(schema, addSchema(as))
}

/** Adds a schema to the API document, and returns its id. */
export function addSchema(schema: z.ZodType): string {
  const id = z.globalRegistry.get(schema)?.id
  if (id === undefined) throw new Error('A schema that others are described as needs an id.')
  described.set(id, schema)
  return id
}

/** The same, where the other schema is already in the document. */
export const referringTo = <Schema extends z.ZodType>(schema: Schema, id: string): Schema =>
  schema.meta({
    override({ jsonSchema }: { jsonSchema: object }) {
      for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key)
      Object.assign(jsonSchema, { $ref: `#/components/schemas/${id}` })
    },
  })
