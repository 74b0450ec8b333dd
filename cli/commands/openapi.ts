import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { kinds } from '#checks/index.ts'
import type { CheckKind } from '#contract/check.ts'
import { endpoints } from '#control-plane/endpoints.ts'
import { describe } from '#control-plane/http/openapi/document.ts'

/** The committed document names no installation: each serves its own address. */
const anyInstallation = 'http://localhost:8080'

export const openapiText = () => textOf(describe(endpoints, anyInstallation))

type Schema = z.core.JSONSchema.BaseSchema

/** What a form asks for: `number`, `text`, `numbers`, `texts` or `boolean`, `optional` before it; else undefined. */
function shapeOf(schema: Schema, definitions: Record<string, Schema>): string | undefined {
  const { type, anyOf = [], items } = { ...schema, ...definitions[schema.$ref?.replace('#/$defs/', '') ?? ''] }
  const parts = (anyOf as Schema[]).filter(part => part.type !== 'null').map(part => shapeOf(part, definitions))
  if (parts.length < anyOf.length) return parts[0] && `optional ${parts[0]}`
  if (type === 'boolean') return type
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string' || parts.includes('text')) return 'text'
  const item = type === 'array' ? shapeOf(items as Schema, definitions) : undefined
  return item === 'number' || item === 'text' ? `${item}s` : undefined
}

const textOf = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
const allKinds: CheckKind[] = Object.values(kinds)

/** What the app knows of each kind of check. */
const checkKinds = () =>
  Object.fromEntries(
    allKinds.map(({ name, isReachability, uptimeRank, offered }) => [name, { isReachability, uptimeRank, offered }]),
  )

/** The settings of each kind that a field of a form can hold, apart: few pages need them. */
const checkSettings = () =>
  Object.fromEntries(
    allKinds.map(({ name, settings }) => {
      const { properties = {}, $defs = {} } = z.toJSONSchema(settings)
      const shapes = Object.entries(properties).map(([setting, schema]) => [setting, shapeOf(schema as Schema, $defs)])
      return [name, Object.fromEntries(shapes)]
    }),
  )

/** The files of `contract/` that declarations of endpoints and kinds give. */
export const generated = {
  'openapi.json': openapiText,
  'check-kinds.json': () => textOf(checkKinds()),
  'check-settings.json': () => textOf(checkSettings()),
}

/** Writes the generated files, or prints the API's document. */
export function openapi({ isWritten }: { isWritten: boolean }): void {
  if (!isWritten) process.stdout.write(openapiText())
  else
    for (const [file, text] of Object.entries(generated))
      writeFileSync(join(import.meta.dirname, '..', '..', 'contract', file), text())
}
