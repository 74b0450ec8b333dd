import { z } from 'zod'

const described = new Map<string, z.ZodType>()

/** Whatever else the API document must have: the schemas that others are described as. */
export const describedSchemas = (): Record<string, z.ZodType> =>
  Object.fromEntries([...described].sort(([a], [b]) => (a < b ? -1 : 1)))

/** A schema that is parsed as it is, and that the API document shows as another one, which has an id: what is stored is told in full, and not parsed twice. */
export function describedAs<Schema extends z.ZodType>(schema: Schema, as: z.ZodType): Schema {
  const id = z.globalRegistry.get(as)?.id
  if (id === undefined) throw new Error('A schema that others are described as needs an id.')
  described.set(id, as)
  return referringTo(schema, id)
}

/** The same, where the other schema is in the document anyway. */
export const referringTo = <Schema extends z.ZodType>(schema: Schema, id: string): Schema =>
  schema.meta({
    override({ jsonSchema }: { jsonSchema: object }) {
      for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key)
      Object.assign(jsonSchema, { $ref: `#/components/schemas/${id}` })
    },
  })
