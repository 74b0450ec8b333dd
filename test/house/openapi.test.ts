import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openapiText } from '#cli/openapi.ts'

test('the committed OpenAPI document is the one the declarations give', () => {
  expect(readFileSync('contract/openapi.json', 'utf8') === openapiText(), 'type: npm run openapi').toBe(true)
})

test('every operation says which statuses it answers, who may call it, and takes no undeclared body', () => {
  const { paths } = JSON.parse(openapiText()) as {
    paths: Record<string, Record<string, { operationId: string; security?: unknown[]; responses: Record<string, unknown> }>>
  }
  const ids = new Set<string>()
  for (const [path, item] of Object.entries(paths))
    for (const [method, operation] of Object.entries(item)) {
      const name = `${method} ${path}`
      expect(ids.has(operation.operationId), name).toBe(false)
      ids.add(operation.operationId)
      expect(Object.keys(operation.responses), name).toContain('429')
      if (operation.security) expect(Object.keys(operation.responses), name).toEqual(expect.arrayContaining(['401', '403']))
      if (path.startsWith('/api/v1/reseller/')) expect(JSON.stringify(operation.security), name).toContain('reseller')
    }
  expect(ids.size).toBeGreaterThan(60)
})
