/** Any part of the document: what walks it knows no more of it. */
export type Part = Record<string, unknown>

export const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Calls with each part of the document once, the innermost first. */
export function walk(value: unknown, visit: (part: Part) => void): void {
  if (Array.isArray(value)) for (const item of value) walk(item, visit)
  if (!isPart(value)) return
  for (const inner of Object.values(value)) walk(inner, visit)
  visit(value)
}

/** Formats that say what the pattern beside them says, in up to 628 letters. */
const formats: unknown[] = ['uuid', 'email', 'date', 'date-time']
const int32 = 2 ** 31

/** Takes out of a schema what is said twice or says nothing, and names the width of whole numbers. */
export function slim(schema: Part): void {
  if (formats.includes(schema.format)) delete schema.pattern
  if (isPart(schema.propertyNames) && Object.keys(schema.propertyNames).join() === 'type') delete schema.propertyNames
  // what it refers to says whether there are others; beside a reference it would forbid them all
  if (schema.$ref !== undefined && schema.additionalProperties === false) delete schema.additionalProperties
  if (schema.type !== 'integer') return
  const { minimum, maximum } = schema
  if (minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.enum === undefined && schema.const === undefined)
    schema.format ??=
      typeof minimum === 'number' && typeof maximum === 'number' && minimum >= -int32 && maximum < int32
        ? 'int32'
        : 'int64'
}
